#include "widgets/DiffView.h"
#include "base/DisplayText.h"
#include "widgets/Wording.h"
#include "widgets/Words.h"
#include <QPainter>

static constexpr int sidePadding = 6;
static constexpr int linePadding = 1;
static constexpr int wrapping = Qt::TextWrapAnywhere | Qt::AlignLeft | Qt::AlignTop;

DiffView::DiffView(QWidget *parent) : QWidget(parent)
{
    auto policy = QSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFont(Words::monoFont(font()));
}

void DiffView::add(QChar mark, const QString &key, const QStringList &values)
{
    for (qsizetype i = 0; i < values.size(); ++i)
        m_lines.push_back({mark, i ? QStringLiteral("  ") + values[i] : key + QStringLiteral(": ") + values[i]});
}

void DiffView::set(const std::vector<PlanChange> &changes)
{
    m_lines.clear();
    for (const auto &change : changes) {
        const auto key = DisplayText::visible(change.key);
        if (!change.before.isUndefined())
            add(change.before == change.after ? u' ' : u'-', key, Wording::value(change.before).split(u'\n'));
        if (!change.after.isUndefined() && change.after != change.before)
            add(u'+', key, Wording::value(change.after).split(u'\n'));
    }
    setAccessibleName(tr("Before and after"));
    setAccessibleDescription(text());
    updateGeometry();
    update();
}

QString DiffView::text() const
{
    QStringList all;
    for (const auto &line : m_lines)
        all << QString(line.mark) + u' ' + line.text;
    return all.join(u'\n');
}

int DiffView::heightOf(const Line &line, int width) const
{
    const auto metrics = fontMetrics();
    const auto room = std::max(20, width - 2 * sidePadding - metrics.horizontalAdvance(QStringLiteral("+ ")));
    return metrics.boundingRect(0, 0, room, 0, wrapping, line.text).height() + 2 * linePadding;
}

int DiffView::heightForWidth(int width) const
{
    int height = 0;
    for (const auto &line : m_lines)
        height += heightOf(line, width);
    return height;
}

QSize DiffView::sizeHint() const
{
    return {200, heightForWidth(width() > 50 ? width() : 400)};
}

void DiffView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const auto &tones = Tones::of(palette());
    const auto indent = fontMetrics().horizontalAdvance(QStringLiteral("+ "));
    int top = 0;
    for (const auto &line : m_lines) {
        const QRect box(0, top, width(), heightOf(line, width()));
        if (line.mark != u' ')
            painter.fillRect(box, tones.shade(line.mark == u'-' ? Tone::Red : Tone::Green).fill);
        painter.setPen(line.mark == u'-' ? tones.red.text : line.mark == u'+' ? tones.green.text : tones.muted);
        const auto inner = box.adjusted(sidePadding, linePadding, -sidePadding, -linePadding);
        painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, QString(line.mark));
        painter.drawText(inner.adjusted(indent, 0, 0, 0), wrapping, line.text);
        top += box.height();
    }
}
