#pragma once
#include "inventory/InventorySnapshot.h"
#include <QRandomGenerator>

/// States for tests, made from a few words or from a seed.
namespace InventoryMaking
{
inline Vmid vmid(qint64 number)
{
    return *Vmid::from(number);
}
inline NodeName node(const char *name)
{
    return *NodeName::from(QString::fromLatin1(name));
}

inline GuestState guest(qint64 id, const char *name, const char *onNode)
{
    GuestState state;
    state.vmid = vmid(id);
    state.name = QString::fromUtf8(name);
    state.node = node(onNode);
    state.power = GuestState::Power::Running;
    return state;
}

inline NodeState nodeState(const char *name)
{
    NodeState state;
    state.name = node(name);
    state.status = NodeState::Status::Online;
    return state;
}

inline InventorySnapshot remote(const char *id, std::vector<GuestState> guests, const QStringList &nodes)
{
    InventorySnapshot made;
    made.remoteId = QString::fromLatin1(id) + QLatin1String("-id");
    made.remoteName = QString::fromLatin1(id);
    made.reach = InventorySnapshot::Reach::Live;
    made.guests = std::move(guests);
    for (const auto &name : nodes)
        made.nodes.push_back(nodeState(name.toLatin1().constData()));
    return made;
}

/// Another state of the same remote: some guests gone, some new, some changed, at random.
inline InventorySnapshot shaken(InventorySnapshot from, QRandomGenerator &dice)
{
    std::erase_if(from.guests, [&](const GuestState &) { return dice.bounded(8) == 0; });
    for (auto &each : from.guests) {
        if (dice.bounded(3) != 0)
            continue;
        switch (dice.bounded(6)) {
        case 0: each.power = static_cast<GuestState::Power>(dice.bounded(5)); break;
        case 1: each.cpu = dice.bounded(2) ? std::optional(dice.generateDouble()) : std::nullopt; break;
        case 2: each.memory = dice.bounded(2) ? std::optional<qint64>(dice.bounded(100)) : std::nullopt; break;
        case 3: each.tags = dice.bounded(2) ? QStringList{QStringLiteral("prod")} : QStringList(); break;
        case 4: each.name += u'x'; break;
        default: each.node = node(dice.bounded(2) ? "pve1" : "pve2");
        }
    }
    for (int i = dice.bounded(4); i > 0; --i)
        if (const auto id = vmid(100 + dice.bounded(60)); !from.guest(id)) {
            from.guests.push_back(guest(id.number(), "new", "pve1"));
            std::sort(from.guests.begin(), from.guests.end(),
                      [](const GuestState &a, const GuestState &b) { return a.vmid < b.vmid; });
        }
    if (dice.bounded(4) == 0 && !from.nodes.empty())
        from.nodes.front().status = static_cast<NodeState::Status>(dice.bounded(3));
    if (dice.bounded(4) == 0)
        from.problem = dice.bounded(2) ? QStringLiteral("cut") : QString();
    from.takenAtMs += 2000;
    return from;
}
}
