#include "widgets/ChartCard.h"
#include "widgets/Words.h"
#include <QHBoxLayout>

ChartCard::ChartCard(const QString &heading, Chart::Format format, QWidget *parent)
    : Card(heading, parent), m_figure(Words::figure({}, this)), m_aside(Words::muted({}, this)),
      m_chart(new Chart(std::move(format), this))
{
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(m_figure, 0, Qt::AlignBaseline);
    row->addWidget(m_aside, 0, Qt::AlignBaseline);
    row->addStretch(1);
    body()->setSpacing(4);
    body()->addLayout(row);
    body()->addWidget(m_chart, 1);
    m_chart->setAccessibleName(heading);
    setAccessibleName(heading);
}

void ChartCard::setFigure(const QString &figure, const QString &aside)
{
    m_figure->setText(figure);
    m_aside->setText(aside);
    m_chart->setAccessibleName(QStringLiteral("%1: %2 %3").arg(accessibleName(), figure, aside));
}

QString ChartCard::figure() const
{
    return m_figure->text();
}
