#pragma once
#include "widgets/Card.h"
#include "widgets/Chart.h"

/// A card with one figure of now, large, and how it came there, as a chart.
class ChartCard : public Card
{
    Q_OBJECT
public:
    ChartCard(const QString &heading, Chart::Format format, QWidget *parent = nullptr);
    Chart &chart() { return *m_chart; }
    /// "23 %" and "of 4 cores".
    void setFigure(const QString &figure, const QString &aside);
    QString figure() const;

private:
    QLabel *m_figure, *m_aside;
    Chart *m_chart;
};
