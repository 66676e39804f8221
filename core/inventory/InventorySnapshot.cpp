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

std::vector<const NodeState *> InventorySnapshot::missingNodes() const
{
    std::vector<const NodeState *> missing;
    for (const auto &node : nodes)
        if (node.status != NodeState::Status::Online)
            missing.push_back(&node);
    return missing;
}

ClusterLoad InventorySnapshot::load() const
{
    ClusterLoad load;
    load.nodes = static_cast<int>(nodes.size());
    double busy = 0, cores = 0;
    for (const auto &node : nodes) {
        if (node.status != NodeState::Status::Online || !node.cpu)
            continue;
        const auto weight = static_cast<double>(node.cpus.value_or(1));
        ++load.counted;
        busy += *node.cpu * weight;
        cores += weight;
    }
    if (cores > 0)
        load.cpu = busy / cores;
    return load;
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
