#include "inventory/InventoryDiff.h"

namespace
{
bool isSameAsAWhole(const InventorySnapshot &one, const InventorySnapshot &other)
{
    return one.reach == other.reach && one.problem == other.problem && one.hidden == other.hidden &&
           one.remoteName == other.remoteName && one.clusterName == other.clusterName && one.quorate == other.quorate &&
           one.version == other.version && one.pools == other.pools;
}

/// Both are sorted by vmid, so that one walk is enough.
void compareGuests(const std::vector<GuestState> &before, const std::vector<GuestState> &after, InventoryDiff &diff)
{
    auto old = before.begin();
    auto now = after.begin();
    while (old != before.end() || now != after.end()) {
        if (now == after.end() || (old != before.end() && old->vmid < now->vmid)) {
            diff.removed.push_back((old++)->vmid);
        } else if (old == before.end() || now->vmid < old->vmid) {
            diff.added.push_back((now++)->vmid);
        } else {
            if (!(*old == *now))
                diff.changed.push_back(now->vmid);
            ++old;
            ++now;
        }
    }
}
}

bool InventoryDiff::isEmpty() const
{
    return added.empty() && removed.empty() && changed.empty() && !nodesChanged && !storagesChanged && !tasksChanged &&
           !reachChanged;
}

InventoryDiff differences(const InventorySnapshot *before, const InventorySnapshot *after)
{
    static const InventorySnapshot nothing;
    const auto &old = before ? *before : nothing;
    const auto &now = after ? *after : nothing;
    InventoryDiff diff;
    compareGuests(old.guests, now.guests, diff);
    diff.nodesChanged = old.nodes != now.nodes;
    diff.storagesChanged = old.storages != now.storages;
    diff.tasksChanged = old.tasks != now.tasks;
    diff.reachChanged = (before == nullptr) != (after == nullptr) || !isSameAsAWhole(old, now);
    return diff;
}
