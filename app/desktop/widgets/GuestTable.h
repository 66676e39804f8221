#pragma once
#include "inventory/InventorySnapshot.h"
#include "widgets/RowTable.h"

class QStandardItemModel;

/// Guests with their state and load, one line each.
class GuestTable : public RowTable
{
    Q_OBJECT
public:
    explicit GuestTable(QWidget *parent = nullptr);
    void show(const std::vector<GuestState> &guests);
    using QWidget::show;

Q_SIGNALS:
    void chosen(Vmid vmid);

private:
    QStandardItemModel *m_rows;
    std::vector<GuestState> m_shown;
};
