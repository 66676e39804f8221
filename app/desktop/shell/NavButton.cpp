#include "shell/NavButton.h"
#include "widgets/Tones.h"
#include "widgets/Words.h"
#include <QPainter>

static constexpr int sidePadding = 14;
static constexpr int badgeGap = 5;

NavButton::NavButton(const QString &text, QWidget *parent) : QAbstractButton(parent)
{
    setText(text);
    setAccessibleName(text);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void NavButton::setBadge(int count, const QString &spoken)
{
    m_badge = count;
    setAccessibleName(count > 0 ? tr("%1, %2").arg(text(), spoken) : text());
    updateGeometry();
    update();
}

QFont NavButton::badgeFont() const
{
    return Words::scaled(font(), 0.85, QFont::Bold);
}

int NavButton::badgeWidth() const
{
    return m_badge > 0 ? QFontMetrics(badgeFont()).horizontalAdvance(QString::number(m_badge)) + 12 : 0;
}

QSize NavButton::sizeHint() const
{
    const auto width = fontMetrics().horizontalAdvance(text()) + 2 * sidePadding;
    return {m_badge > 0 ? width + badgeGap + badgeWidth() : width, fontMetrics().height() + 14};
}

void NavButton::paintEvent(QPaintEvent *)
{
    const auto &tones = Tones::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto ground = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(hasFocus() ? QPen(tones.accent) : QPen(Qt::NoPen));
    painter.setBrush(isChecked()    ? QBrush(tones.accentFill)
                     : underMouse() ? QBrush(tones.canvas)
                                    : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(ground, 6, 6);
    painter.setPen(isChecked() ? tones.accentText : tones.text);
    const auto textWidth = fontMetrics().horizontalAdvance(text());
    painter.drawText(QRect(sidePadding, 0, textWidth + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, text());
    if (m_badge <= 0)
        return;
    const QFontMetrics metrics(badgeFont());
    const QRectF badge(sidePadding + textWidth + badgeGap, (height() - metrics.height()) / 2.0 - 0.5, badgeWidth(),
                       metrics.height() + 1);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tones.red.strong);
    painter.drawRoundedRect(badge, badge.height() / 2, badge.height() / 2);
    painter.setPen(Qt::white);
    painter.setFont(badgeFont());
    painter.drawText(badge, Qt::AlignCenter, QString::number(m_badge));
}

void NavButton::enterEvent(QEnterEvent *)
{
    update();
}

void NavButton::leaveEvent(QEvent *)
{
    update();
}
