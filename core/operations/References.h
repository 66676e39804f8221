#pragma once
#include "inventory/Inventory.h"
#include "operations/Operation.h"

/// A storage as a caller names it ("nas-backup", "pve1/local", "homelab:pve1/local") and, once resolved, where it is.
/// A local storage that several nodes have needs its node; of a shared one a node that can be asked is chosen.
struct StorageRef {
    QString asked = {};
    QString remote = {};
    NodeName node = {};
    StorageName storage = {};
    bool isShared = false;

    bool isResolved() const { return !storage.isEmpty() && !remote.isEmpty(); }
    /// "remote:nas-backup", "remote:pve1/local": it resolves to the same storage again.
    QString text() const;
    QString key() const; ///< "remote:storage/pve1/local"
    QString label() const;
};

/// A volume as a caller names it: its id, with the place before it where the storage needs one ("local:iso/a.iso",
/// "pve1/local:iso/a.iso"). That it exists is not known from the inventory.
struct VolumeRef {
    QString asked = {};
    StorageRef on = {};
    VolumeId volume = {};

    bool isResolved() const { return !volume.isEmpty() && on.isResolved(); }
    QString text() const; ///< "remote:pve1/local:iso/a.iso"
};

/// A pool as a caller names it ("media", "homelab:media"); it need not exist.
struct PoolRef {
    QString asked = {};
    QString remote = {};
    QString pool = {};
};

/// What a firewall stands before: "datacenter", a node ("pve1", "node/pve1") or a guest ("101", "web").
struct PlaceRef {
    QString asked = QStringLiteral("datacenter");
    QString remote = {};
    NodeName node = {}; ///< of a node or the guest's; empty for the datacenter
    std::optional<GuestRef> guest = {};

    bool isDatacenter() const { return node.isEmpty(); }
    bool isGuest() const { return guest.has_value(); }
    QString text() const; ///< resolves to the same place again
    QString label() const;
};

/// Finds what callers name in the last known states, and says what a call aims at. No request is made. NotFound or
/// Ambiguous with the candidates named; nothing is guessed.
namespace References
{
Result<> resolve(GuestRef &guest, const Inventory &inventory);
Result<> resolve(NodeRef &node, const Inventory &inventory);
Result<> resolve(TaskRef &task, const Inventory &inventory);
/// An empty name means the only connection there is.
Result<> resolve(RemoteRef &remote, const Inventory &inventory);
/// Absent stays absent: all connections.
Result<> resolve(std::optional<RemoteRef> &remote, const Inventory &inventory);
Result<> resolve(StorageRef &storage, const Inventory &inventory);
Result<> resolve(VolumeRef &volume, const Inventory &inventory);
Result<> resolve(PoolRef &pool, const Inventory &inventory);
Result<> resolve(PlaceRef &place, const Inventory &inventory);

Target target(const GuestRef &guest);
Target target(const NodeRef &node);
Target target(const TaskRef &task);
Target target(const RemoteRef &remote);
Target target(const std::optional<RemoteRef> &remote);
Target target(const StorageRef &storage);
Target target(const VolumeRef &volume);
Target target(const PoolRef &pool);
Target target(const PlaceRef &place);
}

template <>
struct JsonField<StorageRef> {
    static constexpr auto type = "string";
    static Result<StorageRef> read(const QJsonValue &json);
    static QJsonValue json(const StorageRef &value) { return value.isResolved() ? value.text() : value.asked; }
};
template <>
struct JsonField<VolumeRef> {
    static constexpr auto type = "string";
    static Result<VolumeRef> read(const QJsonValue &json);
    static QJsonValue json(const VolumeRef &value) { return value.isResolved() ? value.text() : value.asked; }
};
template <>
struct JsonField<PoolRef> {
    static constexpr auto type = "string";
    static Result<PoolRef> read(const QJsonValue &json);
    static QJsonValue json(const PoolRef &value);
};
template <>
struct JsonField<PlaceRef> {
    static constexpr auto type = "string";
    /// A guest's number is accepted too.
    static Result<PlaceRef> read(const QJsonValue &json);
    static QJsonValue json(const PlaceRef &value) { return value.remote.isEmpty() ? value.asked : value.text(); }
};
