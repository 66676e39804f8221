#pragma once
#include "inventory/InventorySnapshot.h"
#include "pages/inventory/TreeEntry.h"

/// What guests are put under.
enum class Grouping { Nodes, Pools, Tags };

/// How the tree should look for these states: a pure function, on any thread; keys are unique among siblings. `filter`
/// is words that must all occur in a thing's name, id, node, state, pool or tags; the groups of what fits stay. `nowMs`
/// is wall time, for ages.
std::vector<TreeEntry> treeShape(const std::vector<InventoryPtr> &remotes, Grouping grouping, const QString &filter,
                                 qint64 nowMs);
