#include "widgets/Line.h"

Line::Line(Qt::Orientation orientation, QWidget *parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("line"));
    if (orientation == Qt::Horizontal)
        setFixedHeight(1);
    else
        setFixedWidth(1);
}
