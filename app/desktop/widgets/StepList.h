#pragma once
#include "operations/Plan.h"
#include <QSet>
#include <QWidget>

class QCheckBox;
class QVBoxLayout;

/// The steps of a plan, each with its harm, its undo and its before → after, and a box that leaves it out.
class StepList : public QWidget
{
    Q_OBJECT
public:
    explicit StepList(const std::vector<PlanStep> &steps, QWidget *parent = nullptr);
    /// Indexes of the steps that are not ticked.
    QSet<int> leftOut() const;
    bool isNothingLeft() const { return leftOut().size() == m_boxes.size(); }

Q_SIGNALS:
    void changed();

private:
    void add(const PlanStep &step, QVBoxLayout *column);
    QList<QCheckBox *> m_boxes;
};
