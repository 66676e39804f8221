#include "pages/timeline/TimelineFilters.h"
#include "widgets/Wording.h"
#include <QDateTime>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

using namespace std::chrono_literals;

TimelineFilters::TimelineFilters(QWidget *parent) : QWidget(parent)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_when = filterMenu(row, "when");
    m_who = filterMenu(row, "who");
    m_effect = filterMenu(row, "effect");
    m_outcome = filterMenu(row, "outcome");
    m_target = new QPushButton(this);
    m_target->setObjectName(QStringLiteral("target"));
    m_target->hide();
    connect(m_target, &QPushButton::clicked, this, [this] { setTarget({}, {}); });
    row->addWidget(m_target);
    m_text = new QLineEdit(this);
    m_text->setObjectName(QStringLiteral("text"));
    m_text->setPlaceholderText(tr("Search operation, guest, error…"));
    m_text->setAccessibleName(tr("Search the timeline"));
    m_text->setClearButtonEnabled(true);
    row->addWidget(m_text, 1);
    m_typing.setSingleShot(true);
    m_typing.setInterval(200ms);
    connect(m_text, &QLineEdit::textChanged, this, [this] { m_typing.start(); });
    connect(&m_typing, &QTimer::timeout, this, [this] {
        m_filter.text = m_text->text().trimmed();
        Q_EMIT changed();
    });
    fillSpan();
    fillWho();
    fillEffect();
    fillOutcome();
}

CallFilter TimelineFilters::filter() const
{
    return m_filter;
}

std::optional<qint64> TimelineFilters::fromMs(qint64 nowMs) const
{
    const auto now = QDateTime::fromMSecsSinceEpoch(nowMs);
    switch (m_span) {
    case Span::Hour: return nowMs - 3600LL * 1000;
    case Span::Today: return now.date().startOfDay().toMSecsSinceEpoch();
    case Span::Week: return now.date().addDays(-6).startOfDay().toMSecsSinceEpoch();
    case Span::Month: return now.date().addDays(-29).startOfDay().toMSecsSinceEpoch();
    case Span::Year: return now.date().addYears(-1).startOfDay().toMSecsSinceEpoch();
    case Span::Ever: return std::nullopt;
    }
    Q_UNREACHABLE();
}

QPushButton *TimelineFilters::filterMenu(QHBoxLayout *row, const char *name)
{
    auto *button = new QPushButton(this);
    button->setObjectName(QLatin1String(name));
    button->setMenu(new QMenu(button));
    row->addWidget(button);
    return button;
}

void TimelineFilters::addChoice(QPushButton *button, QMenu *menu, const QString &text, std::function<void()> choose)
{
    const auto shown = text + QStringLiteral(" ▾");
    if (button->text().isEmpty())
        button->setText(shown);
    auto *action = menu->addAction(QString(text).replace(u'&', QStringLiteral("&&")));
    connect(action, &QAction::triggered, this, [this, button, shown, choose = std::move(choose)] {
        button->setText(QString(shown).replace(u'&', QStringLiteral("&&")));
        choose();
        Q_EMIT changed();
    });
}

void TimelineFilters::fillSpan()
{
    for (const auto &[span, text] :
         {std::pair(Span::Today, tr("Today")), std::pair(Span::Hour, tr("Last hour")),
          std::pair(Span::Week, tr("Last 7 days")), std::pair(Span::Month, tr("Last 30 days")),
          std::pair(Span::Year, tr("Last year")), std::pair(Span::Ever, tr("All time"))})
        addChoice(m_when, m_when->menu(), text, [this, chosen = span] { m_span = chosen; });
}

void TimelineFilters::chooseWho(std::optional<Actor::Kind> kind, const QString &id)
{
    m_filter.actorKind = kind;
    m_filter.actorId = id;
}

void TimelineFilters::fillWho()
{
    auto *menu = m_who->menu();
    menu->clear();
    addChoice(m_who, menu, tr("Anyone"), [this] { chooseWho(std::nullopt, {}); });
    addChoice(m_who, menu, tr("You"), [this] { chooseWho(Actor::Kind::Person, {}); });
    addChoice(m_who, menu, tr("Any agent"), [this] { chooseWho(Actor::Kind::Agent, {}); });
    addChoice(m_who, menu, tr("Terminal"), [this] { chooseWho(Actor::Kind::Terminal, {}); });
    addChoice(m_who, menu, tr("Labhelm"), [this] { chooseWho(Actor::Kind::Labhelm, {}); });
    if (!m_actors.isEmpty())
        menu->addSeparator();
    for (const auto &actor : m_actors)
        addChoice(m_who, menu, Wording::actor(actor), [this, actor] { chooseWho(actor.kind, actor.id); });
}

void TimelineFilters::setKnownActors(const QList<Actor> &actors)
{
    if (actors == m_actors)
        return;
    m_actors = actors;
    fillWho();
}

void TimelineFilters::fillEffect()
{
    addChoice(m_effect, m_effect->menu(), tr("Any effect"), [this] { m_filter.effect.reset(); });
    for (const auto effect : {Effect::Reads, Effect::Changes, Effect::Disrupts, Effect::Executes, Effect::Destroys})
        addChoice(m_effect, m_effect->menu(), Wording::effect(effect), [this, effect] { m_filter.effect = effect; });
}

void TimelineFilters::fillOutcome()
{
    auto *menu = m_outcome->menu();
    addChoice(m_outcome, menu, tr("Any outcome"), [this] {
        m_filter.state.reset();
        m_filter.onlyUndoable = false;
    });
    addChoice(m_outcome, menu, tr("can be undone"), [this] {
        m_filter.state.reset();
        m_filter.onlyUndoable = true;
    });
    for (const auto state :
         {CallState::Waiting, CallState::Running, CallState::Done, CallState::Warnings, CallState::Failed,
          CallState::Denied, CallState::Refused, CallState::Cancelled, CallState::Unknown})
        addChoice(m_outcome, menu, Wording::state(state), [this, state] {
            m_filter.state = state;
            m_filter.onlyUndoable = false;
        });
}

void TimelineFilters::setTarget(const QString &key, const QString &label)
{
    if (m_filter.target == key)
        return;
    m_filter.target = key;
    m_target->setText(QString(label).replace(u'&', QStringLiteral("&&")) + QStringLiteral("  ✕"));
    m_target->setAccessibleName(tr("Only %1; press to see all again").arg(label));
    m_target->setVisible(!key.isEmpty());
    Q_EMIT changed();
}
