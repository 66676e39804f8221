#pragma once
#include "inventory/InventorySnapshot.h"
#include "pages/Selection.h"
#include <QJsonObject>
#include <QTimer>

class Facts;
class GuestTable;
class Inventory;
class PersonCalls;
class Pill;
class QLabel;
class TaskTable;

/// One node: its load, its guests, its tasks.
class NodePage : public DetailPage
{
    Q_OBJECT
public:
    /// Both are borrowed.
    NodePage(Inventory &inventory, PersonCalls &calls, QWidget *parent = nullptr);
    void show(const Selection &selection) override;
    using QWidget::show;

Q_SIGNALS:
    void guestChosen(const Selection &guest);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeHead();
    void refresh();
    void ask();
    void showFacts(const NodeState &node);
    void showStatus();

    Inventory &m_inventory;
    PersonCalls &m_calls;
    Selection m_selection;
    QJsonObject m_status; ///< of node.status
    QLabel *m_name, *m_aside, *m_age;
    Pill *m_state;
    Facts *m_load, *m_about;
    GuestTable *m_guests;
    TaskTable *m_tasks;
    QTimer m_again;
};
