#pragma once
#include "pages/Selection.h"
#include "pages/guest/GuestView.h"
#include <QTimer>

class GuestActions;
class GuestHeader;
class GuestSummary;
class Inventory;
class PersonCalls;
class QLabel;
class QTabWidget;
class SnapshotsTab;
class TaskTable;

/// One guest: what it is, what it does, what can be done with it.
class GuestPage : public DetailPage
{
    Q_OBJECT
public:
    /// Both are borrowed.
    GuestPage(Inventory &inventory, PersonCalls &calls, QWidget *parent = nullptr);
    /// Adds a tab made elsewhere; `showTarget` hears the guest's key and label whenever another is shown.
    void addTab(const QString &title, QWidget *tab, std::function<void(const QString &, const QString &)> showTarget);
    void show(const Selection &selection) override;
    using QWidget::show;
    const GuestView &view() const { return m_view; }
    /// What can be done with the guest now.
    QList<QAction *> actionsNow() const;

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void refresh();
    void ask();
    void spread();
    std::vector<TaskState> tasksOfGuest() const;

    Inventory &m_inventory;
    PersonCalls &m_calls;
    Selection m_selection;
    GuestView m_view;
    GuestHeader *m_header;
    GuestActions *m_actions;
    QTabWidget *m_tabs;
    GuestSummary *m_summary;
    SnapshotsTab *m_snapshots;
    TaskTable *m_tasks;
    QLabel *m_gone;
    std::vector<std::function<void(const QString &, const QString &)>> m_others;
    QString m_toldKey;
    QTimer m_again;
    bool m_isAsking = false;
};
