#include "widgets/Card.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

Card::Card(const QString &heading, QWidget *parent)
    : QFrame(parent), m_top(new QHBoxLayout), m_heading(Words::heading(heading, this)), m_body(new QVBoxLayout)
{
    setObjectName(QStringLiteral("card"));
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(14, 12, 14, 12);
    all->setSpacing(8);
    m_top->addWidget(m_heading);
    m_top->addStretch();
    m_heading->setMinimumHeight(fontMetrics().height() + 2); // as high with a control beside it as without
    all->addLayout(m_top);
    m_body->setSpacing(6);
    all->addLayout(m_body, 1);
    m_heading->setVisible(!heading.isEmpty());
}

void Card::setHeading(const QString &heading)
{
    m_heading->setText(heading);
    m_heading->setVisible(!heading.isEmpty());
}

void Card::addToHeading(QWidget *widget)
{
    widget->setMaximumHeight(fontMetrics().height() + 2);
    m_top->addWidget(widget);
}
