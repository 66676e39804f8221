#pragma once
#include <QTreeView>

/// A table of rows without a grid: hairlines between rows, whole rows selected, columns that keep their widths.
class RowTable : public QTreeView
{
    Q_OBJECT
public:
    explicit RowTable(QWidget *parent = nullptr);

protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};
