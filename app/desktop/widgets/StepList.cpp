#include "widgets/StepList.h"
#include "base/DisplayText.h"
#include "widgets/DiffView.h"
#include "widgets/Pill.h"
#include "widgets/StateDot.h"
#include "widgets/Wording.h"
#include "widgets/Words.h"
#include <QCheckBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QVBoxLayout>

StepList::StepList(const std::vector<PlanStep> &steps, QWidget *parent) : QWidget(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    for (const auto &step : steps)
        add(step, column);
    column->addStretch();
}

static QLabel *wrapped(const QString &text, QWidget *parent)
{
    auto *label = Words::plain(text, parent);
    label->setWordWrap(true);
    return label;
}

/// What undoes it, or that this is not known yet.
static QString undoOf(const PlanStep &step)
{
    if (step.later)
        return StepList::tr("Planned when its turn comes, and asked about then: %1")
            .arg(DisplayText::visible(step.later->message));
    Plan plan;
    plan.undo = step.undo;
    plan.undoText = step.undoText;
    return Wording::undo(plan);
}

void StepList::add(const PlanStep &step, QVBoxLayout *column)
{
    auto *frame = new QFrame(this);
    frame->setObjectName(QStringLiteral("card"));
    auto *inside = new QVBoxLayout(frame);
    inside->setContentsMargins(14, 10, 14, 10);
    inside->setSpacing(6);

    const auto number = m_boxes.size() + 1;
    const auto headline = DisplayText::visible(step.headline);
    auto *box =
        new QCheckBox(tr("%1. %2").arg(number).arg(QString(headline).replace(u'&', QStringLiteral("&&"))), frame);
    box->setObjectName(QStringLiteral("step%1").arg(number));
    box->setAccessibleName(tr("Step %1: %2").arg(number).arg(headline));
    box->setChecked(true);
    connect(box, &QCheckBox::toggled, this, &StepList::changed);
    m_boxes << box;
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(box, 1);
    line->addWidget(new Pill(Wording::effect(step.effect), Wording::tone(step.effect), frame), 0, Qt::AlignTop);
    inside->addLayout(line);
    if (!step.target.isEmpty())
        inside->addWidget(Words::muted(DisplayText::visible(step.target), frame));
    for (const auto &loss : step.losses)
        inside->addWidget(wrapped(tr("Lost: %1").arg(DisplayText::visible(loss)), frame));

    auto *undo = new QHBoxLayout;
    undo->setSpacing(8);
    auto *dot = new StateDot(frame);
    dot->setTone(Wording::tone(step.undo));
    undo->addWidget(dot);
    undo->addWidget(wrapped(undoOf(step), frame), 1);
    inside->addLayout(undo);
    if (!step.changes.empty()) {
        auto *diff = new DiffView(frame);
        diff->set(step.changes);
        inside->addWidget(diff);
    }
    column->addWidget(frame);
}

QSet<int> StepList::leftOut() const
{
    QSet<int> indexes;
    for (int index = 0; index < m_boxes.size(); ++index)
        if (!m_boxes[index]->isChecked())
            indexes.insert(index);
    return indexes;
}
