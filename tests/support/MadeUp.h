#pragma once
#include "inventory/InventorySnapshot.h"

/// Compares what was read from broken answers with the truth.
namespace MadeUp
{
template <class T>
bool isMadeUp(const std::optional<T> &was, const std::optional<T> &is)
{
    // A fraction that stands where there was one is a number like any other; a whole number has to be the one that was
    // sent.
    if constexpr (std::is_same_v<T, double>)
        return is && *is == 0 && was && *was != 0;
    else
        return is && was != is;
}

inline QString madeUpOf(const GuestState &was, const GuestState &is)
{
    using Power = GuestState::Power;
    if (is.power != was.power && is.power != Power::Unknown)
        return QStringLiteral("guest %1 is %2").arg(is.vmid.text(), powerName(is.power));
    if (isMadeUp(was.cpu, is.cpu))
        return QStringLiteral("cpu");
    const std::pair<std::optional<qint64>, std::optional<qint64>> numbers[] = {
        {was.cpus, is.cpus},          {was.memory, is.memory},   {was.maxMemory, is.maxMemory},
        {was.disk, is.disk},          {was.maxDisk, is.maxDisk}, {was.uptime, is.uptime},
        {was.netIn, is.netIn},        {was.netOut, is.netOut},   {was.diskRead, is.diskRead},
        {was.diskWrite, is.diskWrite}};
    int at = 0;
    for (const auto &[before, after] : numbers) {
        ++at;
        if (isMadeUp(before, after))
            return QStringLiteral("number %1 of guest %2").arg(at).arg(is.vmid.text());
    }
    return {};
}

/// What `is` claims though `whole`, the truth, does not say it; empty: nothing.
inline QString claims(const InventorySnapshot &whole, const InventorySnapshot &is)
{
    for (const auto &guest : is.guests)
        if (const auto *was = whole.guest(guest.vmid))
            if (const auto fault = madeUpOf(*was, guest); !fault.isEmpty())
                return fault;
    for (const auto &node : is.nodes) {
        const auto *was = whole.node(node.name);
        if (was && node.status != was->status && node.status != NodeState::Status::Unknown)
            return QStringLiteral("node %1 is %2").arg(node.name.text(), nodeStatusName(node.status));
        if (was && (isMadeUp(was->cpu, node.cpu) || isMadeUp(was->memory, node.memory) ||
                    isMadeUp(was->maxMemory, node.maxMemory)))
            return QStringLiteral("number of node ") + node.name.text();
    }
    for (const auto &storage : is.storages)
        for (const auto &was : whole.storages)
            if (was.name == storage.name && was.node == storage.node &&
                ((storage.isAvailable && !was.isAvailable) || isMadeUp(was.used, storage.used) ||
                 isMadeUp(was.size, storage.size)))
                return QStringLiteral("storage on ") + storage.node.text();
    for (const auto &task : is.tasks)
        for (const auto &was : whole.tasks)
            if (was.upid == task.upid && task.status == QLatin1String("OK") && was.status != task.status)
                return QStringLiteral("success of ") + task.upid.text;
    if (is.quorate && is.quorate != whole.quorate)
        return QStringLiteral("quorum");
    return {};
}
}
