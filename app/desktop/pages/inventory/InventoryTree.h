#pragma once
#include <QTreeView>

/// The tree itself: the selection reaches over the whole line.
class InventoryTree : public QTreeView
{
    Q_OBJECT
public:
    explicit InventoryTree(QWidget *parent = nullptr);

protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const override;
};
