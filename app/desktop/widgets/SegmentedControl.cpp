#include "widgets/SegmentedControl.h"
#include "widgets/Words.h"
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>

SegmentedControl::SegmentedControl(const QStringList &choices, QWidget *parent)
    : QFrame(parent), m_group(new QButtonGroup(this))
{
    setObjectName(QStringLiteral("segments"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    for (int index = 0; index < choices.size(); ++index) {
        auto *button = new QPushButton(choices[index], this);
        button->setAutoDefault(false); // Return in a dialog chooses nothing
        button->setCheckable(true);
        button->setFont(Words::scaled(button->font(), 0.95));
        button->setProperty("role", QStringLiteral("segment"));
        if (index == 0)
            button->setProperty("place", QStringLiteral("first"));
        else if (index == choices.size() - 1)
            button->setProperty("place", QStringLiteral("last"));
        m_group->addButton(button, index);
        row->addWidget(button, 1);
    }
    setCurrent(0);
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
}

int SegmentedControl::current() const
{
    return m_group->checkedId();
}

void SegmentedControl::setCurrent(int index)
{
    if (auto *button = m_group->button(index))
        button->setChecked(true);
}
