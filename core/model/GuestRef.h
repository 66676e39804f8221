#pragma once
#include "model/Ids.h"

/// Virtual machine or container.
enum class GuestKind { Qemu, Lxc };

/// "qemu" or "lxc": the segment of the API path.
QString guestKindName(GuestKind kind);

/// A guest as a caller named it ("101", "web", "pve1/web", "homelab:101") and, once resolved from the inventory, what
/// it is.
struct GuestRef {
    QString asked = {}; ///< the caller's words
    // filled by Inventory::resolve
    QString remote = {}; ///< id of the connection
    NodeName node = {};
    Vmid vmid = {};
    GuestKind kind = GuestKind::Qemu;
    QString name = {}; ///< as last seen; text from outside
    bool isTemplate = false;

    bool isResolved() const { return !vmid.isEmpty() && !remote.isEmpty(); }
    /// "remote:vmid", which names the same guest wherever it moves.
    QString key() const { return remote + u':' + vmid.text(); }
    /// "jellyfin 104": the name beside the id, made safe to show.
    QString label() const;
};

/// A node as named by a caller ("pve1", "homelab:pve1").
struct NodeRef {
    QString asked = {};
    QString remote = {};
    NodeName node = {};
    bool isResolved() const { return !node.isEmpty() && !remote.isEmpty(); }
    QString key() const { return remote + QLatin1String(":node/") + node.text(); }
};
