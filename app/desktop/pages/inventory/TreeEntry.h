#pragma once
#include "pages/Selection.h"
#include "widgets/Mark.h"
#include <vector>

/// One line of the inventory tree, as it should look.
struct TreeEntry {
    QString key; ///< unique among its siblings, stable over time
    Selection selection = {};
    QString title = {}, aside = {};    ///< safe to show
    QString spoken = {}, toolTip = {}; ///< title, kind and state in one sentence; plain text
    Mark mark = Mark::None;
    bool isFaded = false;   ///< known from an earlier time only
    bool isHeading = false; ///< groups others and cannot be selected
    bool isSame = false;    ///< nothing of it and below it differs from what is shown: see TreeChange
    std::vector<TreeEntry> children = {};

    TreeEntry withoutChildren() const
    {
        return {.key = key,
                .selection = selection,
                .title = title,
                .aside = aside,
                .spoken = spoken,
                .toolTip = toolTip,
                .mark = mark,
                .isFaded = isFaded,
                .isHeading = isHeading,
                .isSame = isSame};
    }
    bool looksLike(const TreeEntry &other) const
    {
        return selection == other.selection && title == other.title && aside == other.aside && spoken == other.spoken &&
               toolTip == other.toolTip && mark == other.mark && isFaded == other.isFaded &&
               isHeading == other.isHeading;
    }
};
