#pragma once
#include "pages/Selection.h"
#include <QTimer>
#include <map>

class Inventory;
class InventoryTree;
class InventoryTreeModel;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;
class QSplitter;
class QStackedWidget;
class SegmentedControl;
class TreeFeed;

/// The tree of everything on the left, the selected thing on the right, what is going on below it.
class InventoryPage : public QWidget
{
    Q_OBJECT
public:
    /// `inventory` is borrowed.
    explicit InventoryPage(Inventory &inventory, QWidget *parent = nullptr);
    /// Shows things of this kind from now on.
    void setDetail(Selection::Kind kind, DetailPage *page);
    void setDock(QWidget *dock);
    /// Offers to connect another cluster below the tree.
    void setConnectable(bool connectable);
    void select(const Selection &selection);
    Selection selection() const { return m_selection; }
    void save(QSettings &settings) const;
    void restore(const QSettings &settings);

Q_SIGNALS:
    void selected(const Selection &selection);
    void connectAsked();
    void connectionsAsked();

private:
    QWidget *makeSidebar();
    void refresh();
    void settle(bool isNews);
    bool selectWanted();
    void showDetail(Selection selection);
    void expandAtFirst();
    void keepExpansion();

    Inventory &m_inventory;
    InventoryTreeModel *m_model;
    TreeFeed *m_feed;
    InventoryTree *m_tree;
    QLineEdit *m_filter;
    SegmentedControl *m_grouping;
    QSplitter *m_columns, *m_rows;
    QStackedWidget *m_details;
    QLabel *m_empty;
    QPushButton *m_connect, *m_manage;
    std::map<Selection::Kind, DetailPage *> m_pages;
    Selection m_selection, m_wanted; ///< wanted: to be selected as soon as it appears
    QStringList m_folded;            ///< what a person folded; survives filtering
    QTimer m_soon, m_ages;
    bool m_isRefreshing = false;
};
