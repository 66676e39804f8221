#include "pages/inventory/InventoryTree.h"
#include "pages/inventory/InventoryDelegate.h"
#include "widgets/Tones.h"
#include <QPainter>

InventoryTree::InventoryTree(QWidget *parent) : QTreeView(parent)
{
    setObjectName(QStringLiteral("inventory"));
    setAccessibleName(tr("Inventory"));
    setHeaderHidden(true);
    setIndentation(16);
    setRootIsDecorated(true);
    setUniformRowHeights(true);
    setAnimated(false);
    setExpandsOnDoubleClick(true);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setItemDelegate(new InventoryDelegate(this));
    setFrameShape(QFrame::NoFrame);
}

void InventoryTree::drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto &tones = Tones::of(palette());
    const QRect whole(0, option.rect.top(), viewport()->width(), option.rect.height());
    if (selectionModel()->isSelected(index))
        painter->fillRect(whole, tones.accent);
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(whole, tones.track.lighter(tones.isDark ? 90 : 104));
    QTreeView::drawRow(painter, option, index);
    if (hasFocus() && currentIndex() == index) {
        painter->setPen(selectionModel()->isSelected(index) ? QColor(255, 255, 255, 160) : tones.accent);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(whole.adjusted(1, 1, -2, -2));
    }
}

/// A small arrow before what can be folded; nothing else.
void InventoryTree::drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const
{
    if (!model()->hasChildren(index))
        return;
    const auto &tones = Tones::of(palette());
    const QPointF middle(rect.right() - indentation() / 2.0 + 1.5, rect.center().y() + 0.5);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const auto isSelected = selectionModel()->isSelected(index);
    painter->setPen(
        QPen(isSelected ? QColor(Qt::white) : tones.muted, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (isExpanded(index))
        painter->drawPolyline(
            QPolygonF{{middle + QPointF(-3, -1.5), middle + QPointF(0, 1.5), middle + QPointF(3, -1.5)}});
    else if (isRightToLeft())
        painter->drawPolyline(
            QPolygonF{{middle + QPointF(1.5, -3), middle + QPointF(-1.5, 0), middle + QPointF(1.5, 3)}});
    else
        painter->drawPolyline(
            QPolygonF{{middle + QPointF(-1.5, -3), middle + QPointF(1.5, 0), middle + QPointF(-1.5, 3)}});
    painter->restore();
}
