#include "widgets/GuestTable.h"
#include "widgets/GuestModel.h"
#include "widgets/RowDelegate.h"

GuestTable::GuestTable(QWidget *parent) : RowTable(parent), m_rows(new GuestModel(this))
{
    setModel(m_rows);
    setItemDelegate(new RowDelegate(this));
    setAccessibleName(tr("Guests"));
    const std::array<int, 5> widths{200, 80, 110, 80, 150};
    for (int column = 0; column < static_cast<int>(widths.size()); ++column)
        setColumnWidth(column, widths[static_cast<size_t>(column)]);
    connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        if (const auto vmid = m_rows->vmid(index.row()); !vmid.isEmpty())
            Q_EMIT chosen(vmid);
    });
}

void GuestTable::show(const InventoryPtr &cluster, const NodeName &node)
{
    m_rows->show(cluster, node);
}
