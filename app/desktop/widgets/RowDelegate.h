#pragma once
#include <QStyledItemDelegate>

/// Paints a cell of a RowTable: text in its colour, a pill, or a bar of progress.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    enum Role {
        PillRole = Qt::UserRole + 100, ///< Tone as int: the text is shown as a pill
        MutedRole,                     ///< bool
        ProgressRole,                  ///< double, 0 … 1; negative = runs, but nobody knows how far
        LinkRole,                      ///< bool: the text is something to click
        StopRole                       ///< bool: the same, and it stops something
    };
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};
