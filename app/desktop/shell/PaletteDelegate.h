#pragma once
#include <QStyledItemDelegate>

/// Paints a line of the palette: mark, title, and to the right what kind of thing it is.
class PaletteDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    enum Role { AsideRole = Qt::UserRole + 200, MarkRole };
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};
