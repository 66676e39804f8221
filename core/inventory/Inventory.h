#pragma once
#include "base/Background.h"
#include "base/Result.h"
#include "inventory/InventoryDiff.h"
#include <QHash>
#include <QObject>

struct PollAnswers;

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

    /// Publishes a newer state; emits changed() if anything differs, and refreshed() in any case.
    void publish(InventorySnapshot next);
    void publish(InventoryPtr next);
    /// The same with the differences from `before` already found, as on another thread; if that is not the state known
    /// now they are found again.
    void publish(InventoryPtr next, const InventoryPtr &before, InventoryDiff diff);
    /// Reads answers on another thread, with what is known now for comparison; publishes nothing.
    Future<InventoryPtr> read(std::shared_ptr<const PollAnswers> answers);
    /// Emits changed() with everything removed if anything was known, then forgotten(); snapshot() is null in both.
    void forget(const QString &remoteId);

    /// Finds the guest a caller means: "101", "web", "pve1/web", "homelab:101". No request is made.
    /// A number is an id first and a name only if there is no such id. Names match exactly first, then without regard
    /// to case; nodes match exactly. NotFound or Ambiguous, with the candidates named. A guest that was seen keeps its
    /// node even if the node is offline.
    Result<GuestRef> resolveGuest(const QString &asked) const;
    /// "pve1", "homelab:pve1".
    Result<NodeRef> resolveNode(const QString &asked) const;
    /// The remote whose cluster has this node; for tasks, which name only a node.
    Result<QString> remoteOfNode(const QString &node) const;

Q_SIGNALS:
    void changed(const QString &remoteId, const InventoryDiff &diff);
    /// A state was published; perhaps nothing but its time differs (takenAtMs, latencyMs).
    void refreshed(const QString &remoteId);
    void forgotten(const QString &remoteId);

private:
    QHash<QString, InventoryPtr> m_snapshots;
    QStringList m_order;
    Background m_reader;
};
