#include "widgets/Mark.h"
#include <QPainter>

static QColor colorOf(Mark mark, const Tones &tones)
{
    switch (mark) {
    case Mark::Running:
    case Mark::Online: return tones.green.strong;
    case Mark::Paused:
    case Mark::Strained: return tones.amber.strong;
    case Mark::Offline: return tones.red.strong;
    default: return tones.neutral.strong;
    }
}

static void drawBars(QPainter &painter, const QRectF &box, const QColor &color)
{
    const auto bar = box.width() * 0.32;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(box.left() + 0.5, box.top(), bar, box.height()), 1, 1);
    painter.drawRoundedRect(QRectF(box.right() - bar - 0.5, box.top(), bar, box.height()), 1, 1);
}

static void drawCross(QPainter &painter, const QRectF &box, const QColor &color)
{
    painter.setPen(QPen(color, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(box.topLeft(), box.bottomRight());
    painter.drawLine(box.topRight(), box.bottomLeft());
}

void paintMark(QPainter &painter, const QRectF &box, Mark mark, const QPalette &palette, bool onAccent)
{
    if (mark == Mark::None)
        return;
    const auto color = onAccent ? QColor(Qt::white) : colorOf(mark, Tones::of(palette));
    const auto ring = box.adjusted(0.75, 0.75, -0.75, -0.75);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(Qt::NoBrush);
    switch (mark) {
    case Mark::Running:
    case Mark::Online:
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(box);
        break;
    case Mark::Stopped: painter.drawEllipse(ring); break;
    case Mark::Template: painter.drawRoundedRect(ring, 1.5, 1.5); break;
    case Mark::Paused: drawBars(painter, box, color); break;
    case Mark::Strained:
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF{{QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()}});
        break;
    case Mark::Offline: drawCross(painter, box.adjusted(1, 1, -1, -1), color); break;
    case Mark::Unknown:
        painter.setPen(QPen(color, 1.5, Qt::DotLine));
        painter.drawEllipse(ring);
        break;
    case Mark::None: break;
    }
    painter.restore();
}
