#pragma once
#include "inventory/InventorySnapshot.h"
#include <QAbstractTableModel>

/// The guests of a cluster, or of one of its nodes, for a table. Cells are worded when they are painted, and an update
/// touches only the rows that differ, so that ten thousand guests cost what is seen of them.
class GuestModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, Id, State, Cpu, Memory, Uptime, Columns };
    using QAbstractTableModel::QAbstractTableModel;
    /// Of all nodes if `node` is empty.
    void show(InventoryPtr cluster, const NodeName &node = {});
    Vmid vmid(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &) const override { return Columns; }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    using Rows = std::vector<const GuestState *>; ///< by vmid, in m_cluster
    void merge(Rows next);
    void tellChanges(const Rows &before);
    static QString text(const GuestState &guest, int column);

    InventoryPtr m_cluster;
    NodeName m_node;
    Rows m_rows;
};
