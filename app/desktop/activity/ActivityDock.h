#pragma once
#include "execution/Execution.h"
#include <QTimer>
#include <QWidget>
#include <deque>

class ActivityModel;
class Inventory;
class PersonCalls;
class QLabel;
class RowTable;

/// What is going on and what went on lately, by everyone: Labhelm's calls and the cluster's tasks in one list.
class ActivityDock : public QWidget
{
    Q_OBJECT
public:
    /// Both are borrowed.
    ActivityDock(Inventory &inventory, PersonCalls &calls, QWidget *parent = nullptr);
    QSize sizeHint() const override { return {600, 150}; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void follow(const ExecutionInfo &info);
    void refresh();
    void stop(int row);

    Inventory &m_inventory;
    PersonCalls &m_calls;
    ActivityModel *m_model;
    RowTable *m_table;
    QLabel *m_empty;
    std::deque<ExecutionInfo> m_ended; ///< newest first
    QTimer m_soon, m_clock;
    static constexpr size_t mostEnded = 30;
};
