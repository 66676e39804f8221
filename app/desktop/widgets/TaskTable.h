#pragma once
#include "inventory/InventorySnapshot.h"
#include "widgets/RowTable.h"

class QStandardItemModel;

/// Tasks of one guest or node, newest first.
class TaskTable : public RowTable
{
    Q_OBJECT
public:
    explicit TaskTable(QWidget *parent = nullptr);
    void show(const std::vector<TaskState> &tasks, qint64 nowMs);
    using QWidget::show;

private:
    QStandardItemModel *m_rows;
    std::vector<TaskState> m_shown;
};
