#include "inventory/Inventory.h"
#include "inventory/PollAnswers.h"
#include "inventory/Resolver.h"
#include <algorithm>

namespace
{
bool byVmid(const GuestState &one, const GuestState &other)
{
    return one.vmid < other.vmid;
}
}

InventoryPtr Inventory::snapshot(const QString &remoteId) const
{
    return m_snapshots.value(remoteId);
}

std::vector<InventoryPtr> Inventory::snapshots() const
{
    std::vector<InventoryPtr> all;
    all.reserve(static_cast<size_t>(m_order.size()));
    for (const auto &remoteId : m_order)
        all.push_back(m_snapshots.value(remoteId));
    return all;
}

void Inventory::publish(InventorySnapshot next)
{
    if (!std::is_sorted(next.guests.begin(), next.guests.end(), byVmid))
        std::sort(next.guests.begin(), next.guests.end(), byVmid);
    publish(std::make_shared<const InventorySnapshot>(std::move(next)));
}

void Inventory::publish(InventoryPtr next)
{
    const auto before = m_snapshots.value(next->remoteId);
    const auto diff = differences(before.get(), next.get());
    publish(std::move(next), before, diff);
}

void Inventory::publish(InventoryPtr next, const InventoryPtr &before, InventoryDiff diff)
{
    const auto remoteId = next->remoteId;
    const auto known = std::exchange(m_snapshots[remoteId], next);
    if (!known)
        m_order << remoteId;
    if (known != before)
        diff = differences(known.get(), next.get());
    if (!diff.isEmpty())
        Q_EMIT changed(remoteId, diff);
    Q_EMIT refreshed(remoteId);
}

Future<InventoryPtr> Inventory::read(std::shared_ptr<const PollAnswers> answers)
{
    const auto known = snapshot(answers->remoteId);
    return m_reader.run<InventoryPtr>([answers = std::move(answers), known]() -> Result<InventoryPtr> {
        auto state = readAnswers(*answers, known.get());
        if (!state)
            return state.error();
        return InventoryPtr(std::make_shared<const InventorySnapshot>(std::move(*state)));
    });
}

void Inventory::forget(const QString &remoteId)
{
    const auto gone = remoteId; // the caller's text may live in what goes away
    const auto before = m_snapshots.take(gone);
    m_order.removeAll(gone);
    if (before)
        Q_EMIT changed(gone, differences(before.get(), nullptr));
    Q_EMIT forgotten(gone);
}

Result<GuestRef> Inventory::resolveGuest(const QString &asked) const
{
    return Resolver(snapshots()).guest(asked);
}
Result<NodeRef> Inventory::resolveNode(const QString &asked) const
{
    return Resolver(snapshots()).node(asked);
}
Result<QString> Inventory::remoteOfNode(const QString &node) const
{
    return Resolver(snapshots()).remoteOfNode(node);
}
