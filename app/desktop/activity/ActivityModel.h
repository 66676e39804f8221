#pragma once
#include "activity/ActivityRow.h"
#include <QAbstractTableModel>

/// The activity list for a view. Rows that only moved on are repainted, not replaced.
class ActivityModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { What, Target, By, Progress, Time, Stop, Columns };
    using QAbstractTableModel::QAbstractTableModel;
    void show(std::vector<ActivityRow> rows);
    const ActivityRow &row(int at) const { return m_rows[static_cast<size_t>(at)]; }
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &) const override { return Columns; }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant text(const ActivityRow &row, int column) const;
    std::vector<ActivityRow> m_rows;
};
