#include "widgets/GuestTable.h"
#include "widgets/GuestWords.h"
#include "widgets/Quantity.h"
#include "widgets/RowDelegate.h"
#include <QStandardItemModel>

GuestTable::GuestTable(QWidget *parent) : RowTable(parent), m_rows(new QStandardItemModel(this))
{
    m_rows->setHorizontalHeaderLabels({tr("Name"), tr("Id"), tr("State"), tr("CPU"), tr("Memory"), tr("Up for")});
    setModel(m_rows);
    setItemDelegate(new RowDelegate(this));
    setAccessibleName(tr("Guests"));
    const std::array<int, 5> widths{200, 80, 110, 80, 150};
    for (int column = 0; column < static_cast<int>(widths.size()); ++column)
        setColumnWidth(column, widths[static_cast<size_t>(column)]);
    connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        if (index.row() < static_cast<int>(m_shown.size()))
            Q_EMIT chosen(m_shown[static_cast<size_t>(index.row())].vmid);
    });
}

void GuestTable::show(const std::vector<GuestState> &guests)
{
    if (guests == m_shown)
        return;
    m_shown = guests;
    m_rows->setRowCount(static_cast<int>(guests.size()));
    const auto put = [this](int row, int column, const QString &text, bool isMuted = false) {
        auto *item = m_rows->item(row, column);
        if (!item) {
            item = new QStandardItem;
            m_rows->setItem(row, column, item);
        }
        if (item->text() != text)
            item->setText(text);
        if (isMuted)
            item->setData(true, RowDelegate::MutedRole);
        return item;
    };
    for (int row = 0; row < static_cast<int>(guests.size()); ++row) {
        const auto &guest = guests[static_cast<size_t>(row)];
        const bool isRunning = guest.power == GuestState::Power::Running;
        put(row, 0, GuestWords::name(guest));
        put(row, 1, guest.vmid.text(), true);
        put(row, 2, GuestWords::state(guest))
            ->setData(static_cast<int>(GuestWords::tone(guest)), RowDelegate::PillRole);
        put(row, 3, isRunning && guest.cpu ? Quantity::share(*guest.cpu) : QString());
        put(row, 4,
            isRunning && guest.memory && guest.maxMemory ? Quantity::bytesOf(*guest.memory, *guest.maxMemory)
                                                         : Quantity::bytes(guest.maxMemory),
            !isRunning);
        put(row, 5, isRunning && guest.uptime ? Quantity::duration(*guest.uptime) : QString(), true);
    }
}
