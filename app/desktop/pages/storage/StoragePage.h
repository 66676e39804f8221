#pragma once
#include "pages/Selection.h"

class Facts;
class Inventory;
class QLabel;

/// One storage: how full it is, what it may hold, which nodes see it.
class StoragePage : public DetailPage
{
    Q_OBJECT
public:
    /// `inventory` is borrowed.
    explicit StoragePage(Inventory &inventory, QWidget *parent = nullptr);
    void show(const Selection &selection) override;
    using QWidget::show;

private:
    void refresh();
    Inventory &m_inventory;
    Selection m_selection;
    QLabel *m_name, *m_aside;
    Facts *m_facts;
};
