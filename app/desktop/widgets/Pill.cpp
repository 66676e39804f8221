#include "widgets/Pill.h"
#include <QPainter>

static constexpr int sidePadding = 8;
static constexpr int topPadding = 2;

static QFont pillFont(QFont font)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * 0.88);
    font.setWeight(QFont::DemiBold);
    return font;
}

Pill::Pill(QString text, Tone tone, QWidget *parent) : QWidget(parent), m_text(std::move(text)), m_tone(tone)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(m_text);
}

void Pill::set(const QString &text, Tone tone)
{
    if (m_text == text && m_tone == tone)
        return;
    m_text = text;
    m_tone = tone;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize Pill::sizeHint() const
{
    return {widthOf(m_text, font()), QFontMetrics(pillFont(font())).height() + 2 * topPadding};
}

int Pill::widthOf(const QString &text, const QFont &base)
{
    return QFontMetrics(pillFont(base)).horizontalAdvance(text) + 2 * sidePadding;
}

int Pill::paint(QPainter &painter, const QRect &room, const QString &text, Tone tone, const QPalette &palette,
                const QFont &base)
{
    const auto font = pillFont(base);
    const QFontMetrics metrics(font);
    const auto height = metrics.height() + 2 * topPadding;
    const auto width = std::min(widthOf(text, base), room.width());
    const QRect box(room.left(), room.top() + (room.height() - height) / 2, width, height);
    const auto &shade = Tones::of(palette).shade(tone);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shade.fill);
    painter.drawRoundedRect(box, height / 2.0, height / 2.0);
    painter.setPen(shade.text);
    painter.setFont(font);
    painter.drawText(box, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, width - sidePadding));
    painter.restore();
    return width;
}

void Pill::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paint(painter, rect(), m_text, m_tone, palette(), font());
}
