#include "widgets/FactTable.h"
#include "widgets/CodeBlock.h"
#include "widgets/Words.h"
#include <QGridLayout>

FactTable::FactTable(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnMinimumWidth(0, 94);
    m_grid->setColumnStretch(1, 1);
}

QLabel *FactTable::add(const QString &label, const QString &value, Tone tone)
{
    auto *shown = Words::plain(value, this);
    shown->setWordWrap(true);
    shown->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (tone == Tone::Red || tone == Tone::Green)
        shown->setProperty("role", tone == Tone::Red ? "bad" : "good");
    addWidget(label, shown);
    return shown;
}

void FactTable::addExact(const QString &label, const QString &value)
{
    addWidget(label, new CodeBlock(value, this, CodeBlock::Ground::None)); // wraps anywhere and copies exactly
}

void FactTable::addWidget(const QString &label, QWidget *value)
{
    auto *name = Words::muted(label, this);
    m_grid->addWidget(name, m_count, 0, Qt::AlignTop | Qt::AlignLeft);
    m_grid->addWidget(value, m_count, 1, Qt::AlignTop);
    value->setAccessibleName(label);
    ++m_count;
}

void FactTable::clear()
{
    while (auto *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_count = 0;
}
