#pragma once
#include "pages/inventory/TreeEntry.h"
#include <memory>

/// How the tree should look now, and what of it is new: made on a worker so that the window applies differences only.
struct TreeChange {
    using Shape = std::shared_ptr<const std::vector<TreeEntry>>;
    Shape whole;                   ///< the tree as it should look; the next change is made from it
    std::vector<TreeEntry> wanted; ///< for the model: without what lies below lines that are the same in every way
    bool isNothing = false;        ///< the tree looks like that already

    /// From the shape that the model shows; null: it shows nothing yet. Any thread.
    static TreeChange from(const Shape &before, std::vector<TreeEntry> now);
};
