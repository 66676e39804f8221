#include "widgets/RowDelegate.h"
#include "widgets/Pill.h"
#include <QPainter>
#include <QTreeView>

QSize RowDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    auto width = option.fontMetrics.horizontalAdvance(index.data().toString()) + 16;
    if (index.data(PillRole).isValid())
        width = Pill::widthOf(index.data().toString(), option.font) + 16;
    return {width, option.fontMetrics.height() + 14};
}

/// A bar as in the picture; where the share is unknown, stripes say that something goes on.
static void paintProgress(QPainter *painter, const QRect &room, double part, const Tones &tones)
{
    const QRectF track(room.left(), room.center().y() - 2, room.width(), 5);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(tones.track);
    painter->drawRoundedRect(track, 2.5, 2.5);
    if (part >= 0) {
        painter->setBrush(tones.accent);
        painter->drawRoundedRect(
            QRectF(track.left(), track.top(), std::max(5.0, track.width() * std::min(part, 1.0)), 5), 2.5, 2.5);
        return;
    }
    painter->setBrush(QBrush(tones.accent, Qt::BDiagPattern));
    painter->drawRoundedRect(track, 2.5, 2.5);
}

void RowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto &tones = Tones::of(option.palette);
    const auto room = option.rect.adjusted(8, 0, -8, 0);
    const auto text = index.data().toString();
    painter->save();
    if (const auto progress = index.data(ProgressRole); progress.isValid()) {
        paintProgress(painter, room, progress.toDouble(), tones);
    } else if (const auto tone = index.data(PillRole); tone.isValid() && !text.isEmpty()) {
        Pill::paint(*painter, room, text, static_cast<Tone>(tone.toInt()), option.palette, option.font);
    } else {
        const bool isLink = index.data(LinkRole).toBool();
        painter->setFont(option.font);
        painter->setPen(index.data(StopRole).toBool()    ? tones.red.text
                        : isLink                         ? tones.accentText
                        : index.data(MutedRole).toBool() ? tones.muted
                                                         : tones.text);
        const auto alignment = index.data(Qt::TextAlignmentRole).isValid()
                                   ? static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt())
                                   : Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter);
        painter->drawText(room, alignment | Qt::TextSingleLine,
                          option.fontMetrics.elidedText(text, Qt::ElideRight, room.width()));
    }
    painter->restore();
}
