#include "pages/inventory/TreeChange.h"
#include <QHash>
#include <algorithm>

using Entries = std::vector<TreeEntry>;

static bool haveSameKeys(const Entries &before, const Entries &now)
{
    return std::equal(before.begin(), before.end(), now.begin(), now.end(),
                      [](const TreeEntry &one, const TreeEntry &other) { return one.key == other.key; });
}

/// Marks what is the same as before; true if all of it is, in the same order.
static bool mark(const Entries &before, Entries &now)
{
    static const Entries nothing;
    const bool isInOrder = haveSameKeys(before, now);
    QHash<QString, const TreeEntry *> known;
    if (!isInOrder)
        for (const auto &entry : before)
            known.insert(entry.key, &entry);
    bool isSame = isInOrder;
    for (size_t at = 0; at < now.size(); ++at) {
        auto &entry = now[at];
        const auto *old = isInOrder ? &before[at] : known.value(entry.key);
        const bool isSameBelow = mark(old ? old->children : nothing, entry.children);
        entry.isSame = old && isSameBelow && entry.looksLike(*old);
        isSame = isSame && entry.isSame;
    }
    return isSame;
}

static Entries prunedOf(const Entries &whole)
{
    Entries pruned;
    pruned.reserve(whole.size());
    for (const auto &entry : whole) {
        auto &made = pruned.emplace_back(entry.withoutChildren());
        if (!entry.isSame)
            made.children = prunedOf(entry.children);
    }
    return pruned;
}

TreeChange TreeChange::from(const Shape &before, Entries now)
{
    static const Entries nothing;
    TreeChange change;
    change.isNothing = mark(before ? *before : nothing, now);
    if (!change.isNothing)
        change.wanted = prunedOf(now);
    change.whole = std::make_shared<const Entries>(std::move(now));
    return change;
}
