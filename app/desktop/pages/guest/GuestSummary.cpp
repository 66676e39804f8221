#include "pages/guest/GuestSummary.h"
#include "base/Clock.h"
#include "operations/PersonCalls.h"
#include "pages/guest/AboutCard.h"
#include "widgets/ChartCard.h"
#include "widgets/Quantity.h"
#include <QGridLayout>
#include <QJsonArray>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

using namespace std::chrono_literals;

const std::array<GuestSummary::Timeframe, 5> GuestSummary::timeframes{
    {{"hour", 3600}, {"day", 86400}, {"week", 7 * 86400}, {"month", 30 * 86400}, {"year", 365 * 86400}}};

GuestSummary::GuestSummary(PersonCalls &calls, QWidget *parent)
    : QWidget(parent), m_calls(calls), m_cpu(new ChartCard(tr("CPU"), Quantity::share, this)),
      m_memory(new ChartCard(
          tr("Memory"), [](double value) { return Quantity::bytes(static_cast<qint64>(value)); }, this)),
      m_network(new ChartCard(tr("Network"), Quantity::rate, this)),
      m_disk(new ChartCard(tr("Disk"), Quantity::rate, this)), m_about(new AboutCard(this)),
      m_timeframe(new QPushButton(this))
{
    auto *content = new QWidget(this);
    content->setObjectName(QStringLiteral("canvas"));
    auto *grid = new QGridLayout(content);
    grid->setContentsMargins(18, 16, 18, 16);
    grid->setSpacing(12);
    grid->addWidget(m_cpu, 0, 0);
    grid->addWidget(m_memory, 0, 1);
    grid->addWidget(m_network, 1, 0);
    grid->addWidget(m_disk, 1, 1);
    grid->addWidget(m_about, 0, 2, 2, 1);
    grid->setColumnStretch(0, 7);
    grid->setColumnStretch(1, 7);
    grid->setColumnStretch(2, 6);
    grid->setRowStretch(2, 1);
    for (auto *card : {m_cpu, m_memory, m_network, m_disk})
        card->setMinimumSize(190, 172);
    m_about->setMinimumWidth(250);
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setAccessibleName(tr("Summary"));
    scroll->setWidget(content);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
    makeTimeframes();
    m_again.setInterval(60s);
    connect(&m_again, &QTimer::timeout, this, &GuestSummary::load);
}

QString GuestSummary::timeframeWords(int index) const
{
    const std::array<QString, 5> words{tr("last hour"), tr("last day"), tr("last week"), tr("last month"),
                                       tr("last year")};
    return words[static_cast<size_t>(index)];
}

void GuestSummary::makeTimeframes()
{
    auto *menu = new QMenu(m_timeframe);
    for (int index = 0; index < static_cast<int>(timeframes.size()); ++index)
        connect(menu->addAction(timeframeWords(index)), &QAction::triggered, this, [this, index] {
            m_timeframeIndex = index;
            m_timeframe->setText(timeframeWords(index) + QStringLiteral(" ▾"));
            m_series.keep({});
            load();
        });
    m_timeframe->setProperty("role", QStringLiteral("link"));
    m_timeframe->setObjectName(QStringLiteral("timeframe"));
    m_timeframe->setText(timeframeWords(0) + QStringLiteral(" ▾"));
    m_timeframe->setAccessibleName(tr("Time shown by the charts"));
    m_timeframe->setMenu(menu);
    m_cpu->addToHeading(m_timeframe);
}

void GuestSummary::show(const GuestView &view)
{
    m_view = view;
    const bool isOther = std::exchange(m_shownKey, view.key()) != view.key();
    if (isOther)
        m_series.clear();
    if (view.isLive())
        m_series.watch(view.guest, view.cluster->takenAtMs);
    m_about->show(view);
    if (isOther && isVisible())
        load();
    draw();
}

void GuestSummary::load()
{
    if (m_shownKey.isEmpty() || !m_view.isLive() || m_view.guest.power == GuestState::Power::Unknown)
        return;
    const auto asked = m_shownKey;
    const auto timeframe = QString::fromLatin1(timeframes[static_cast<size_t>(m_timeframeIndex)].id);
    m_calls.read(QStringLiteral("guest.metrics"),
                 {{QStringLiteral("guest"), asked}, {QStringLiteral("timeframe"), timeframe}}, this,
                 [this, asked, timeframe](const Result<QJsonValue> &answer) {
                     const auto wanted = QLatin1String(timeframes[static_cast<size_t>(m_timeframeIndex)].id);
                     if (!answer || asked != m_shownKey || timeframe != wanted)
                         return;
                     m_series.keep((*answer)[QLatin1String("points")].toArray());
                     draw();
                 });
}

void GuestSummary::draw()
{
    const auto now = static_cast<double>(Clock::system().wallMs()) / 1000.0;
    const auto span = static_cast<double>(timeframes[static_cast<size_t>(m_timeframeIndex)].seconds);
    for (auto *card : {m_cpu, m_memory, m_network, m_disk})
        card->chart().setSpan(now - span, now);
    if (m_view.guest.maxMemory)
        m_memory->chart().setCeiling(static_cast<double>(*m_view.guest.maxMemory));
    const auto times = m_series.times();
    m_cpu->chart().setLines({{tr("CPU"), Tone::Blue, true, times, m_series.values(GuestSeries::Cpu)}});
    m_memory->chart().setLines({{tr("Memory"), Tone::Purple, true, times, m_series.values(GuestSeries::Memory)}});
    m_network->chart().setLines({{tr("out"), Tone::Green, true, times, m_series.values(GuestSeries::NetOut)},
                                 {tr("in"), Tone::Neutral, false, times, m_series.values(GuestSeries::NetIn)}});
    m_disk->chart().setLines({{tr("read"), Tone::Amber, true, times, m_series.values(GuestSeries::DiskRead)},
                              {tr("write"), Tone::Neutral, false, times, m_series.values(GuestSeries::DiskWrite)}});
    sayFigures();
}

void GuestSummary::sayFigures()
{
    const auto &guest = m_view.guest;
    if (guest.power != GuestState::Power::Running) {
        const auto word = guest.power == GuestState::Power::Unknown ? Quantity::unknown() : QStringLiteral("–");
        m_cpu->setFigure(word, guest.cpus ? tr("of %1 cores").arg(*guest.cpus) : QString());
        m_memory->setFigure(word, guest.maxMemory ? tr("of %1").arg(Quantity::bytes(*guest.maxMemory)) : QString());
        m_network->setFigure(word, {});
        m_disk->setFigure(word, {});
        return;
    }
    m_cpu->setFigure(guest.cpu ? Quantity::share(*guest.cpu) : Quantity::unknown(),
                     guest.cpus ? tr("of %1 cores").arg(*guest.cpus) : QString());
    m_memory->setFigure(Quantity::bytes(guest.memory),
                        guest.maxMemory ? tr("of %1").arg(Quantity::bytes(*guest.maxMemory)) : QString());
    const auto say = [this](GuestSeries::What what) {
        const auto value = m_series.newest(what);
        return value ? Quantity::rate(*value) : Quantity::unknown();
    };
    m_network->setFigure(tr("%1 out").arg(say(GuestSeries::NetOut)), tr("%1 in").arg(say(GuestSeries::NetIn)));
    m_disk->setFigure(tr("%1 read").arg(say(GuestSeries::DiskRead)), tr("%1 write").arg(say(GuestSeries::DiskWrite)));
}

void GuestSummary::showEvent(QShowEvent *)
{
    load();
    m_again.start();
}

void GuestSummary::hideEvent(QHideEvent *)
{
    m_again.stop();
}
