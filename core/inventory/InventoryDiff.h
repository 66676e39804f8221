#pragma once
#include "inventory/InventorySnapshot.h"

/// What an update changed, so that views touch only that.
struct InventoryDiff {
    std::vector<Vmid> added, removed, changed; ///< by vmid
    bool nodesChanged = false, storagesChanged = false, tasksChanged = false;
    /// What is said about the remote as a whole: reach, problem, what is hidden, names, quorum, version, pools. The
    /// time of the answer and its latency do not count, since they differ every time.
    bool reachChanged = false;
    /// Something happened: more than load, fill and time differs. Then more is likely to follow soon.
    bool isEventful = false;
    bool isEmpty() const;
};

/// From one state of a remote to a later one; null is "nothing known". Any thread.
InventoryDiff differences(const InventorySnapshot *before, const InventorySnapshot *after);
