#include "operations/UndoMark.h"
#include <QCoreApplication>
#include <QPainter>
#include <QPixmap>

namespace UndoMark
{
static void drawBack(QPainter &painter, bool isPartly, const QColor &color)
{
    QPen pen(color, 1.8, Qt::SolidLine, Qt::RoundCap);
    if (isPartly)
        pen.setDashPattern({2.0, 1.9});
    painter.setPen(pen);
    painter.drawArc(QRectF(3, 3.5, 10, 10), 150 * 16, -270 * 16);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{{QPointF(1.2, 2.4), QPointF(6.6, 4.4), QPointF(2.2, 8.2)}});
}

static void drawNever(QPainter &painter, const QColor &color)
{
    painter.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap));
    painter.drawEllipse(QRectF(2.5, 2.5, 11, 11));
    painter.drawLine(QPointF(4.4, 4.4), QPointF(11.6, 11.6));
}

QIcon icon(Undo undo, const QPalette &palette)
{
    QIcon made;
    const auto &tones = Tones::of(palette);
    for (const auto mode : {QIcon::Normal, QIcon::Disabled}) {
        const auto color = mode == QIcon::Disabled ? tones.neutral.strong : tones.shade(tone(undo)).strong;
        for (const auto scale : {1, 2}) {
            QPixmap pixmap(16 * scale, 16 * scale);
            pixmap.setDevicePixelRatio(scale);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            painter.setRenderHint(QPainter::Antialiasing);
            if (undo == Undo::None)
                drawNever(painter, color);
            else
                drawBack(painter, undo == Undo::Partly, color);
            painter.end();
            made.addPixmap(pixmap, mode);
        }
    }
    return made;
}

QString words(Undo undo)
{
    switch (undo) {
    case Undo::Exact: return QCoreApplication::translate("UndoMark", "Can be undone");
    case Undo::Partly: return QCoreApplication::translate("UndoMark", "Only a snapshot or backup brings it back");
    case Undo::None: break;
    }
    return QCoreApplication::translate("UndoMark", "Cannot be undone");
}

Tone tone(Undo undo)
{
    return undo == Undo::Exact ? Tone::Green : undo == Undo::Partly ? Tone::Amber : Tone::Red;
}
}
