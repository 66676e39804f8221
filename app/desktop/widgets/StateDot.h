#pragma once
#include "widgets/Tones.h"
#include <QWidget>

/// A small coloured dot that goes with words beside it.
class StateDot : public QWidget
{
    Q_OBJECT
public:
    explicit StateDot(QWidget *parent = nullptr);
    void setTone(Tone tone);
    QSize sizeHint() const override { return {8, 8}; }
    QSize minimumSizeHint() const override { return {8, 8}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Tone m_tone = Tone::Neutral;
};
