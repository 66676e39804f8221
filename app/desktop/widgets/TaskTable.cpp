#include "widgets/TaskTable.h"
#include "base/DisplayText.h"
#include "widgets/Quantity.h"
#include "widgets/RowDelegate.h"
#include "widgets/TaskWords.h"
#include <QStandardItemModel>

TaskTable::TaskTable(QWidget *parent) : RowTable(parent), m_rows(new QStandardItemModel(this))
{
    m_rows->setHorizontalHeaderLabels(
        {tr("Started"), tr("Task"), tr("By"), tr("Took"), tr("State"), tr("What it said")});
    setModel(m_rows);
    setItemDelegate(new RowDelegate(this));
    setAccessibleName(tr("Tasks"));
    const std::array<int, 5> widths{150, 190, 160, 90, 110};
    for (int column = 0; column < static_cast<int>(widths.size()); ++column)
        setColumnWidth(column, widths[static_cast<size_t>(column)]);
}

void TaskTable::show(const std::vector<TaskState> &tasks, qint64 nowMs)
{
    if (tasks == m_shown && m_rows->rowCount() == static_cast<int>(tasks.size()))
        return;
    m_shown = tasks;
    m_rows->setRowCount(0);
    for (const auto &task : tasks) {
        auto *started = new QStandardItem(Quantity::timeOfDay(task.startTime * 1000, nowMs));
        started->setToolTip(Quantity::moment(task.startTime * 1000));
        started->setData(true, RowDelegate::MutedRole);
        auto *took = new QStandardItem(task.endTime ? Quantity::duration(*task.endTime - task.startTime) : QString());
        took->setData(true, RowDelegate::MutedRole);
        auto *state = new QStandardItem(TaskWords::state(task));
        state->setData(static_cast<int>(TaskWords::tone(task)), RowDelegate::PillRole);
        auto *said = new QStandardItem(TaskWords::detail(task));
        said->setToolTip(TaskWords::detail(task).toHtmlEscaped());
        m_rows->appendRow({started, new QStandardItem(TaskWords::what(task.upid)),
                           new QStandardItem(DisplayText::visible(task.user)), took, state, said});
    }
}
