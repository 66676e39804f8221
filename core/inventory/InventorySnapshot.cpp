#include "inventory/InventorySnapshot.h"
#include <algorithm>

const GuestState *InventorySnapshot::guest(Vmid vmid) const
{
    const auto found = std::lower_bound(guests.begin(), guests.end(), vmid,
                                        [](const GuestState &guest, Vmid wanted) { return guest.vmid < wanted; });
    return found != guests.end() && found->vmid == vmid ? &*found : nullptr;
}

const NodeState *InventorySnapshot::node(const NodeName &name) const
{
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const NodeState &node) { return node.name == name; });
    return found == nodes.end() ? nullptr : &*found;
}

bool InventorySnapshot::hasNode(const QString &nodeName) const
{
    return std::any_of(nodes.begin(), nodes.end(), [&](const NodeState &node) { return node.name.text() == nodeName; });
}

GuestRef InventorySnapshot::ref(const GuestState &guest) const
{
    GuestRef ref;
    ref.asked = guest.vmid.text();
    ref.remote = remoteId;
    ref.node = guest.node;
    ref.vmid = guest.vmid;
    ref.kind = guest.kind;
    ref.name = guest.name;
    ref.isTemplate = guest.isTemplate;
    return ref;
}

QString powerName(GuestState::Power power)
{
    switch (power) {
    case GuestState::Power::Running: return QStringLiteral("running");
    case GuestState::Power::Stopped: return QStringLiteral("stopped");
    case GuestState::Power::Paused: return QStringLiteral("paused");
    case GuestState::Power::Suspended: return QStringLiteral("suspended");
    case GuestState::Power::Unknown: return QStringLiteral("unknown");
    }
    Q_UNREACHABLE();
}

QString nodeStatusName(NodeState::Status status)
{
    switch (status) {
    case NodeState::Status::Online: return QStringLiteral("online");
    case NodeState::Status::Offline: return QStringLiteral("offline");
    case NodeState::Status::Unknown: return QStringLiteral("unknown");
    }
    Q_UNREACHABLE();
}
