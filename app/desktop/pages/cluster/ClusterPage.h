#pragma once
#include "pages/Selection.h"

class Facts;
class GuestTable;
class Inventory;
class QLabel;
struct InventorySnapshot;

/// One connection as a whole: how well it is reached, its nodes in numbers, all its guests.
class ClusterPage : public DetailPage
{
    Q_OBJECT
public:
    /// `inventory` is borrowed.
    explicit ClusterPage(Inventory &inventory, QWidget *parent = nullptr);
    void show(const Selection &selection) override;
    using QWidget::show;

Q_SIGNALS:
    void guestChosen(const Selection &guest);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void refresh();
    void showNodes(const InventorySnapshot &cluster);
    Inventory &m_inventory;
    Selection m_selection;
    QLabel *m_name, *m_aside, *m_age;
    Facts *m_facts, *m_numbers;
    GuestTable *m_guests;
    bool m_isOutdated = false; ///< something changed that is not shown yet
};
