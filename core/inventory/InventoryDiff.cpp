#include "inventory/InventoryDiff.h"
#include <algorithm>

namespace
{
bool isSameAsAWhole(const InventorySnapshot &one, const InventorySnapshot &other)
{
    return one.reach == other.reach && one.problem == other.problem && one.hidden == other.hidden &&
           one.remoteName == other.remoteName && one.clusterName == other.clusterName && one.quorate == other.quorate &&
           one.version == other.version && one.pools == other.pools;
}

/// Whether nothing but load differs.
bool isSameButLoad(const GuestState &one, const GuestState &other)
{
    return one.power == other.power && one.name == other.name && one.node == other.node && one.lock == other.lock &&
           one.kind == other.kind && one.isTemplate == other.isTemplate && one.tags == other.tags &&
           one.pool == other.pool && one.haState == other.haState && one.cpus == other.cpus &&
           one.maxMemory == other.maxMemory && one.maxDisk == other.maxDisk;
}
bool isSameButLoad(const NodeState &one, const NodeState &other)
{
    return one.name == other.name && one.status == other.status;
}
bool isSameButLoad(const StorageState &one, const StorageState &other)
{
    return one.name == other.name && one.node == other.node && one.isAvailable == other.isAvailable;
}

template <class Row>
bool areSameButLoad(const std::vector<Row> &some, const std::vector<Row> &others)
{
    return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                      [](const Row &one, const Row &other) { return isSameButLoad(one, other); });
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
            if (!(*old == *now)) {
                diff.changed.push_back(now->vmid);
                diff.isEventful = diff.isEventful || !isSameButLoad(*old, *now);
            }
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
    diff.isEventful = diff.isEventful || !diff.added.empty() || !diff.removed.empty() || diff.tasksChanged ||
                      diff.reachChanged || !areSameButLoad(old.nodes, now.nodes) ||
                      !areSameButLoad(old.storages, now.storages);
    return diff;
}
