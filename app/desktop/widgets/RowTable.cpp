#include "widgets/RowTable.h"
#include "widgets/Tones.h"
#include "widgets/Words.h"
#include <QHeaderView>
#include <QPainter>

RowTable::RowTable(QWidget *parent) : QTreeView(parent)
{
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setFrameShape(QFrame::NoFrame);
    setAllColumnsShowFocus(true);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    header()->setFont(Words::scaled(font(), 0.92, QFont::DemiBold));
    header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header()->setHighlightSections(false);
    header()->setStretchLastSection(true);
}

void RowTable::drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto &tones = Tones::of(palette());
    const QRect whole(0, option.rect.top(), viewport()->width(), option.rect.height());
    if (selectionModel()->isRowSelected(index.row(), index.parent()))
        painter->fillRect(whole, tones.accentFill);
    QTreeView::drawRow(painter, option, index);
    painter->setPen(tones.hairline);
    painter->drawLine(whole.bottomLeft(), whole.bottomRight());
    if (hasFocus() && currentIndex().siblingAtColumn(0) == index.siblingAtColumn(0)) {
        painter->setPen(tones.accent);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(whole.adjusted(0, 0, -1, -1));
    }
}
