#include "pages/inventory/InventoryDelegate.h"
#include "pages/inventory/InventoryTreeModel.h"
#include "widgets/Mark.h"
#include "widgets/Words.h"
#include <QPainter>

static constexpr int markSize = 8;
static constexpr int markGap = 6;

QSize InventoryDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {60, option.fontMetrics.height() + 8};
}

/// The font of a line: roots and headings are strong.
static QFont fontOf(const QStyleOptionViewItem &option, const QModelIndex &index)
{
    if (!index.parent().isValid())
        return Words::scaled(option.font, 1.0, QFont::Bold);
    if (index.data(InventoryTreeModel::HeadingRole).toBool())
        return Words::scaled(option.font, 0.95, QFont::DemiBold);
    return option.font;
}

void InventoryDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto &tones = Tones::of(option.palette);
    const bool isSelected = option.state & QStyle::State_Selected;
    const auto mark = static_cast<Mark>(index.data(InventoryTreeModel::MarkRole).toInt());
    const bool isFaded = index.data(InventoryTreeModel::FadedRole).toBool();
    const auto strong = isSelected                                                        ? QColor(Qt::white)
                        : isFaded || index.data(InventoryTreeModel::HeadingRole).toBool() ? tones.muted
                                                                                          : tones.text;
    const auto weak = isSelected ? QColor(255, 255, 255, 205) : tones.muted;
    painter->save();
    auto room = option.rect.adjusted(2, 0, -6, 0);
    if (mark != Mark::None) {
        const QRectF box(room.left(), room.center().y() - markSize / 2.0 + 0.5, markSize, markSize);
        painter->setOpacity(isFaded && !isSelected ? 0.55 : 1.0);
        paintMark(*painter, box, mark, option.palette, isSelected);
        painter->setOpacity(1.0);
        room.setLeft(room.left() + markSize + markGap);
    }
    const auto font = fontOf(option, index);
    const QFontMetrics metrics(font);
    const auto aside = index.data(InventoryTreeModel::AsideRole).toString();
    const auto asideWidth = aside.isEmpty() ? 0 : option.fontMetrics.horizontalAdvance(aside) + markGap;
    const auto title = metrics.elidedText(index.data().toString(), Qt::ElideRight, room.width() - asideWidth);
    painter->setFont(font);
    painter->setPen(strong);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, title);
    room.setLeft(room.left() + metrics.horizontalAdvance(title) + markGap);
    painter->setFont(option.font);
    painter->setPen(weak);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, aside);
    painter->restore();
}
