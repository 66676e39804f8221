#include "shell/StatusBar.h"
#include "widgets/StateDot.h"
#include "widgets/Words.h"
#include <QHBoxLayout>

StatusBar::StatusBar(QWidget *parent) : QWidget(parent), m_dot(new StateDot(this))
{
    setObjectName(QStringLiteral("statusBar"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 12, 4);
    row->setSpacing(18);
    auto *connection = new QHBoxLayout;
    connection->setSpacing(8);
    connection->addWidget(m_dot);
    m_connection = add(connection);
    row->addLayout(connection);
    m_places.insert(Place::Counts, add(row));
    m_places.insert(Place::Chain, add(row));
    row->addStretch(1);
    m_places.insert(Place::Agents, add(row));
    m_places.insert(Place::Hint, add(row));
    setConnection(tr("Not connected"), Tone::Neutral);
}

QLabel *StatusBar::add(QHBoxLayout *row)
{
    auto *label = Words::muted({}, this);
    label->setFont(Words::scaled(label->font(), 0.95));
    row->addWidget(label);
    return label;
}

void StatusBar::setConnection(const QString &words, Tone tone, const QString &toolTip)
{
    m_dot->setTone(tone);
    m_connection->setText(words);
    m_connection->setToolTip(toolTip.isEmpty() ? QString() : toolTip.toHtmlEscaped());
}

void StatusBar::set(Place place, const QString &words, const QString &toolTip)
{
    auto *label = m_places.value(place);
    label->setText(words);
    label->setVisible(!words.isEmpty());
    label->setToolTip(toolTip.isEmpty() ? QString() : toolTip.toHtmlEscaped());
}
