#pragma once
#include "base/Result.h"
#include "inventory/InventorySnapshot.h"
#include <QHash>
#include <QObject>

/// What an update changed, so that views touch only that.
struct InventoryDiff {
    std::vector<Vmid> added, removed, changed;
    bool nodesChanged = false, storagesChanged = false, tasksChanged = false, reachChanged = false;
    bool isEmpty() const;
};

/// The last known state of every remote. Owner's thread only; readers keep the InventoryPtr as long as they like.
class Inventory : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    /// Null for an unknown remote.
    InventoryPtr snapshot(const QString &remoteId) const;
    /// In the order in which the remotes were added.
    std::vector<InventoryPtr> snapshots() const;

    /// Publishes a newer state; emits changed() if anything differs.
    void publish(InventorySnapshot next);
    void forget(const QString &remoteId);

    /// Finds the guest a caller means: "101", "web", "pve1/web", "homelab:101". No request is made.
    /// NotFound or Ambiguous, with the candidates named. A guest that was seen keeps its node even if the node is offline.
    Result<GuestRef> resolveGuest(const QString &asked) const;
    /// "pve1", "homelab:pve1".
    Result<NodeRef> resolveNode(const QString &asked) const;
    /// The remote whose cluster has this node; for tasks, which name only a node.
    Result<QString> remoteOfNode(const QString &node) const;

Q_SIGNALS:
    void changed(const QString &remoteId, const InventoryDiff &diff);

private:
    QHash<QString, InventoryPtr> m_snapshots;
    QStringList m_order;
};
