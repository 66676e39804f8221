#include "widgets/StateDot.h"
#include <QPainter>

StateDot::StateDot(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StateDot::setTone(Tone tone)
{
    m_tone = tone;
    update();
}

void StateDot::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Tones::of(palette()).shade(m_tone).strong);
    painter.drawEllipse(QRectF(rect()));
}
