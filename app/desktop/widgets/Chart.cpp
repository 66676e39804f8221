#include "widgets/Chart.h"
#include "widgets/Quantity.h"
#include "widgets/Words.h"
#include <QDateTime>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <cmath>

// The library's header is written with Qt's keywords, which this project leaves off.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach(each, all) for (each : all)
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach

static QCPItemText *makeText(QCustomPlot *plot, Qt::Alignment alignment)
{
    auto *text = new QCPItemText(plot);
    text->setLayer(QStringLiteral("overlay"));
    text->setClipToAxisRect(false);
    text->position->setType(QCPItemPosition::ptAxisRectRatio);
    text->setPositionAlignment(alignment);
    text->setFont(Words::scaled(plot->font(), 0.8));
    return text;
}

Chart::Chart(Format format, QWidget *parent)
    : QWidget(parent), m_format(std::move(format)), m_plot(new QCustomPlot(this)),
      m_cursor(new QCPItemStraightLine(m_plot)), m_top(makeText(m_plot, Qt::AlignRight | Qt::AlignBottom)),
      m_start(makeText(m_plot, Qt::AlignLeft | Qt::AlignTop)), m_end(makeText(m_plot, Qt::AlignRight | Qt::AlignTop))
{
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(1, 1, 1, 1);
    all->addWidget(m_plot);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setInteractions({});
    m_plot->setMinimumSize(0, 0);
    const auto captionHeight = QFontMetrics(m_top->font()).height();
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->axisRect()->setMargins(QMargins(0, captionHeight, 0, captionHeight + 3));
    m_plot->xAxis->setVisible(false);
    m_plot->yAxis->setTicks(false); // the axis stays only for its rules
    m_plot->yAxis->setTickLabels(false);
    m_plot->yAxis->setBasePen(Qt::NoPen);
    m_cursor->setVisible(false);
    m_top->position->setCoords(1, -0.01);
    m_start->position->setCoords(0, 1.02);
    m_end->position->setCoords(1, 1.02);
    color();
}

void Chart::color()
{
    const auto &tones = Tones::of(palette());
    m_plot->setBackground(QBrush(tones.surface));
    m_cursor->setPen(QPen(tones.muted, 1, Qt::DotLine));
    for (auto *text : {m_top, m_start, m_end})
        text->setColor(tones.muted);
    for (int at = 0; at < m_plot->graphCount(); ++at) {
        const auto &shade = tones.shade(m_lines[at].tone);
        m_plot->graph(at)->setPen(m_lines[at].isFilled ? QPen(shade.strong, 1.4)
                                                       : QPen(tones.muted, 1.1, Qt::DashLine));
        m_plot->graph(at)->setBrush(m_lines[at].isFilled ? QBrush(shade.fill) : QBrush(Qt::NoBrush));
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void Chart::setLines(const QVector<ChartLine> &lines)
{
    const bool isSame = lines.size() == m_plot->graphCount();
    m_lines = lines;
    if (!isSame) {
        m_plot->clearGraphs();
        for (const auto &line : lines) {
            auto *made = m_plot->addGraph();
            made->setName(line.name);
            made->setAntialiased(true);
        }
    }
    for (int at = 0; at < lines.size(); ++at)
        m_plot->graph(at)->setData(lines[at].times, lines[at].values, true);
    color();
    scale();
}

void Chart::setSpan(double from, double to)
{
    m_from = from;
    m_to = to;
    scale();
}

/// The next round number above.
static double roundUp(double value)
{
    const auto power = std::pow(10.0, std::floor(std::log10(value)));
    for (const auto step : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0})
        if (value <= step * power * 1.0001)
            return step * power;
    return value;
}

void Chart::scale()
{
    double highest = 0;
    for (const auto &line : std::as_const(m_lines))
        for (qsizetype at = 0; at < line.times.size(); ++at)
            if (line.times[at] >= m_from && line.times[at] <= m_to && line.values[at] > highest)
                highest = line.values[at];
    const auto top = m_ceiling.value_or(highest > 0 ? roundUp(highest * 1.1) : 1.0);
    m_plot->xAxis->setRange(m_from, m_to);
    m_plot->yAxis->setRange(0, top);
    const QSharedPointer<QCPAxisTickerFixed> rules(new QCPAxisTickerFixed);
    rules->setTickStep(top / 3);
    m_plot->yAxis->setTicker(rules);
    const auto &tones = Tones::of(palette());
    m_plot->yAxis->grid()->setPen(QPen(tones.hairline, 1));
    m_plot->yAxis->grid()->setZeroLinePen(QPen(tones.hairline, 1));
    m_top->setText(highest > 0 || m_ceiling ? m_format(top) : QString());
    label();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void Chart::label()
{
    const auto span = m_to - m_from;
    const auto form = span <= 2 * 86400 ? QStringLiteral("HH:mm") : QStringLiteral("d MMM");
    const auto words = [&](double seconds) {
        return QLocale().toString(QDateTime::fromSecsSinceEpoch(static_cast<qint64>(seconds)), form);
    };
    m_start->setText(words(m_from));
    m_end->setText(words(m_to));
}

/// Moves the cursor to the values nearest to this time and says them.
void Chart::point(double time)
{
    QStringList said;
    double nearest = std::nan("");
    for (const auto &line : std::as_const(m_lines)) {
        const auto after = std::lower_bound(line.times.begin(), line.times.end(), time);
        auto at = std::min<qsizetype>(after - line.times.begin(), line.times.size() - 1);
        if (at < 0)
            continue;
        if (at > 0 && time - line.times[at - 1] < line.times[at] - time)
            --at;
        nearest = line.times[at];
        const auto value = std::isnan(line.values[at]) ? Quantity::unknown() : m_format(line.values[at]);
        said << (m_lines.size() > 1 ? line.name + QStringLiteral(": ") + value : value);
    }
    if (std::isnan(nearest))
        return;
    m_cursor->setVisible(true);
    m_cursor->point1->setCoords(nearest, 0);
    m_cursor->point2->setCoords(nearest, 1);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    said << Quantity::moment(static_cast<qint64>(nearest) * 1000);
    const auto where = mapToGlobal(QPoint(static_cast<int>(m_plot->xAxis->coordToPixel(nearest)) + 8, 8));
    QToolTip::showText(where, said.join(u'\n').toHtmlEscaped().replace(u'\n', QLatin1String("<br>")), this);
    setAccessibleDescription(said.join(QStringLiteral(", ")));
}

void Chart::mouseMoveEvent(QMouseEvent *event)
{
    point(m_plot->xAxis->pixelToCoord(event->position().x()));
}

void Chart::leaveEvent(QEvent *)
{
    m_cursor->setVisible(false);
    QToolTip::hideText();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void Chart::keyPressEvent(QKeyEvent *event)
{
    const auto step = (m_to - m_from) / 60;
    const auto now = m_cursor->visible() ? m_cursor->point1->coords().x() : m_to;
    if (event->key() == Qt::Key_Left)
        point(std::max(m_from, now - step));
    else if (event->key() == Qt::Key_Right)
        point(std::min(m_to, now + step));
    else
        QWidget::keyPressEvent(event);
}

void Chart::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        color();
    QWidget::changeEvent(event);
}

void Chart::focusInEvent(QFocusEvent *)
{
    update();
}

void Chart::focusOutEvent(QFocusEvent *event)
{
    leaveEvent(event);
    update();
}

void Chart::paintEvent(QPaintEvent *)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setPen(Tones::of(palette()).accent);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}
