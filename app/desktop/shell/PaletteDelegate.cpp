#include "shell/PaletteDelegate.h"
#include "widgets/Mark.h"
#include <QPainter>

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {100, option.fontMetrics.height() + 12};
}

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto &tones = Tones::of(option.palette);
    painter->save();
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, tones.accentFill);
    auto room = option.rect.adjusted(12, 0, -12, 0);
    const QRectF box(room.left(), room.center().y() - 3.5, 8, 8);
    paintMark(*painter, box, static_cast<Mark>(index.data(MarkRole).toInt()), option.palette);
    room.setLeft(room.left() + 16);
    const auto aside = index.data(AsideRole).toString();
    const auto asideWidth = option.fontMetrics.horizontalAdvance(aside);
    painter->setFont(option.font);
    painter->setPen(tones.muted);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, aside);
    room.setRight(room.right() - asideWidth - 12);
    painter->setPen(tones.text);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    painter->restore();
}
