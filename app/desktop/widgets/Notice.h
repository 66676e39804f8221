#pragma once
#include "widgets/Tones.h"
#include <QString>

/// Something worth a short word in the corner of the window. All text is safe to show.
struct Notice {
    QString text;
    QString detail = {};
    Tone tone = Tone::Neutral;
    QString undoes = {};    ///< the entry that its Undo button takes back; empty = no button
    QString reviews = {};   ///< the request that its Review button opens; empty = no button
    bool staysOpen = false; ///< until a person closes it: what went wrong must not slip by
};
