#include "pages/timeline/HistogramView.h"
#include "widgets/Tones.h"
#include "widgets/Words.h"
#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

static constexpr int barsHeight = 50;

HistogramView::HistogramView(QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::CrossCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("How much happened when; select a stretch of time"));
}

QSize HistogramView::sizeHint() const
{
    return {600, barsHeight + fontMetrics().height() + 4};
}

void HistogramView::set(const Range &range, const QList<HistogramBucket> &buckets)
{
    m_range = range;
    m_buckets = buckets;
    int total = 0;
    for (const auto &bucket : buckets)
        total += bucket.people + bucket.agents + bucket.others;
    setAccessibleDescription(tr("%n entries", nullptr, total));
    update();
}

void HistogramView::clearSelection()
{
    m_selection.reset();
    m_first = m_last = m_anchor = -1;
    update();
}

int HistogramView::bucketAt(int x) const
{
    const auto count = int(m_buckets.size());
    return count ? std::clamp(x * count / std::max(1, width()), 0, count - 1) : -1;
}

qint64 HistogramView::startOf(int bucket) const
{
    return m_range.fromMs + (m_range.toMs - m_range.fromMs) * bucket / std::max<qint64>(1, m_buckets.size());
}

QRectF HistogramView::bar(int bucket) const
{
    const auto step = double(width()) / std::max<qsizetype>(1, m_buckets.size());
    return {bucket * step, 0, std::max(1.0, step - 1), double(barsHeight)};
}

void HistogramView::select(int from, int to, bool isFinal)
{
    if (from < 0 || to < 0)
        return;
    m_first = std::min(from, to);
    m_last = std::max(from, to);
    m_selection = Range{startOf(m_first), m_last + 1 == m_buckets.size() ? m_range.toMs : startOf(m_last + 1)};
    update();
    if (isFinal)
        Q_EMIT selected(m_selection);
}

void HistogramView::drop()
{
    if (!m_selection)
        return;
    clearSelection();
    Q_EMIT selected(std::nullopt);
}

void HistogramView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_anchor = bucketAt(int(event->position().x()));
    select(m_anchor, m_anchor, false);
}

void HistogramView::mouseMoveEvent(QMouseEvent *event)
{
    if (m_anchor >= 0)
        select(m_anchor, bucketAt(int(event->position().x())), false);
}

void HistogramView::mouseReleaseEvent(QMouseEvent *event)
{
    if (m_anchor >= 0)
        select(std::exchange(m_anchor, -1), bucketAt(int(event->position().x())), true);
}

void HistogramView::mouseDoubleClickEvent(QMouseEvent *)
{
    drop();
}

void HistogramView::keyPressEvent(QKeyEvent *event)
{
    const auto last = int(m_buckets.size()) - 1;
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (event->key() == Qt::Key_Escape && m_selection) {
        drop();
    } else if (step && last >= 0 && m_first < 0) {
        select(last, last, true);
    } else if (step && last >= 0 && (event->modifiers() & Qt::ShiftModifier)) {
        select(step < 0 ? std::max(0, m_first - 1) : m_first, step > 0 ? std::min(last, m_last + 1) : m_last, true);
    } else if (step && last >= 0) {
        const auto next = std::clamp((step < 0 ? m_first : m_last) + step, 0, last);
        select(next, next, true);
    } else {
        QWidget::keyPressEvent(event);
    }
}

QString HistogramView::describe(int bucket) const
{
    const auto at = [](qint64 ms) {
        return QLocale().toString(QDateTime::fromMSecsSinceEpoch(ms), QLocale::ShortFormat);
    };
    const auto &b = m_buckets[bucket];
    return tr("%1 to %2: %3 by people, %4 by agents, %5 others")
        .arg(at(startOf(bucket)), at(startOf(bucket + 1)))
        .arg(b.people)
        .arg(b.agents)
        .arg(b.others);
}

bool HistogramView::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && !m_buckets.isEmpty()) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), describe(bucketAt(help->pos().x())), this);
        return true;
    }
    return QWidget::event(event);
}

void HistogramView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const auto &tones = Tones::of(palette());
    if (m_selection) {
        const QRectF chosen(bar(m_first).left(), 0, bar(m_last).right() - bar(m_first).left(), barsHeight);
        painter.fillRect(chosen, tones.accentFill);
        painter.fillRect(QRectF(chosen.left(), barsHeight - 1, chosen.width(), 2), tones.accent);
    }
    paintBars(painter);
    paintAxis(painter);
    if (hasFocus()) {
        painter.setPen(tones.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void HistogramView::paintBars(QPainter &painter) const
{
    const auto &tones = Tones::of(palette());
    int most = 1;
    for (const auto &bucket : m_buckets)
        most = std::max(most, bucket.people + bucket.agents + bucket.others);
    painter.fillRect(QRectF(0, barsHeight - 1, width(), 1), tones.hairline);
    for (int i = 0; i < m_buckets.size(); ++i) {
        auto room = bar(i);
        double bottom = barsHeight;
        for (const auto &[count, tone] :
             {std::pair(m_buckets[i].people, Tone::Blue), std::pair(m_buckets[i].agents, Tone::Purple),
              std::pair(m_buckets[i].others, Tone::Neutral)}) {
            if (!count)
                continue;
            const auto height = std::max(2.0, (barsHeight - 4.0) * count / most);
            painter.fillRect(QRectF(room.left(), bottom - height, room.width(), height), tones.shade(tone).strong);
            bottom -= height + 1;
        }
    }
}

void HistogramView::paintAxis(QPainter &painter) const
{
    if (m_range.toMs <= m_range.fromMs)
        return;
    painter.setPen(Tones::of(palette()).muted);
    painter.setFont(Words::scaled(font(), 0.85));
    const auto span = m_range.toMs - m_range.fromMs;
    constexpr qint64 day = 24LL * 3600 * 1000;
    constexpr int parts = 4;
    for (int i = 0; i <= parts; ++i) {
        const auto at = QDateTime::fromMSecsSinceEpoch(m_range.fromMs + span * i / parts);
        const auto label = span <= 2 * day ? at.toString(QStringLiteral("HH:mm"))
                                           : QLocale().toString(at.date(), QStringLiteral("d MMM"));
        const auto isNow = i == parts && std::abs(QDateTime::currentMSecsSinceEpoch() - m_range.toMs) < span / 50;
        const QRect room(i == parts ? width() - 120 : width() * i / parts - (i ? 60 : 0), barsHeight + 3, 120,
                         height() - barsHeight);
        painter.drawText(room,
                         (i == 0       ? Qt::AlignLeft
                          : i == parts ? Qt::AlignRight
                                       : Qt::AlignHCenter) |
                             Qt::AlignTop,
                         isNow ? tr("now") : label);
    }
}
