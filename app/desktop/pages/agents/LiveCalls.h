#pragma once
#include "execution/Execution.h"
#include <QAbstractTableModel>
#include <deque>

class Executor;

/// What programs call, newest first, as it happens; the last hundred calls of this run.
class LiveCalls : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Time, Who, What, State, Columns };
    static constexpr int most = 100;
    explicit LiveCalls(Executor &executor, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void take(const ExecutionInfo &info);
    QString text(const ExecutionInfo &info, int column) const;
    std::deque<ExecutionInfo> m_calls; ///< newest first
};
