#pragma once
#include "inventory/InventorySnapshot.h"
#include "widgets/RowTable.h"

class GuestModel;

/// Guests with their state and load, one line each.
class GuestTable : public RowTable
{
    Q_OBJECT
public:
    explicit GuestTable(QWidget *parent = nullptr);
    /// Of all nodes if `node` is empty.
    void show(const InventoryPtr &cluster, const NodeName &node = {});
    using QWidget::show;

Q_SIGNALS:
    void chosen(Vmid vmid);

private:
    GuestModel *m_rows;
};
