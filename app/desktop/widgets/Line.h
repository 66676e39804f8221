#pragma once
#include <QFrame>

/// A line of one pixel between two parts.
class Line : public QFrame
{
    Q_OBJECT
public:
    explicit Line(Qt::Orientation orientation, QWidget *parent = nullptr);
};
