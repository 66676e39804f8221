#include "operations/Catalogue.h"
#include "operations/Families.h"
#include <algorithm>
#include <array>

static constexpr std::array families{inventoryOverview,
                                     nodeReads,
                                     guestReads,
                                     guestAddresses,
                                     guestPower,
                                     guestConfig,
                                     guestLifecycle,
                                     snapshots,
                                     snapshotRollback,
                                     tasks,
                                     undos,
                                     plans,
                                     audits,
                                     remoteReads,
                                     clusters,
                                     networks,
                                     highAvailability,
                                     replications,
                                     pools,
                                     poolMembers,
                                     accessReads,
                                     accessRules,
                                     storageReads,
                                     storageImages,
                                     backupReads,
                                     backupArchives,
                                     backupRuns,
                                     backupRestores,
                                     firewallReads,
                                     firewallRules,
                                     firewallOrder,
                                     firewallOptions,
                                     retries,
                                     insightsOnLoad,
                                     insightsOnStorage};

static Operations everything()
{
    Operations all;
    for (const auto family : families)
        for (auto &operation : family())
            all.push_back(std::move(operation));
    return all;
}

Catalogue::Catalogue() : Catalogue(everything()) {}

Catalogue::Catalogue(std::vector<OperationPtr> operations) : m_operations(std::move(operations))
{
    std::sort(m_operations.begin(), m_operations.end(), [](const auto &a, const auto &b) { return a->id < b->id; });
}

const Operation *Catalogue::find(const QString &id) const
{
    const auto found =
        std::find_if(m_operations.begin(), m_operations.end(), [&](const auto &o) { return o->id == id; });
    return found == m_operations.end() ? nullptr : found->get();
}

const Operation *Catalogue::findByMcpName(const QString &name) const
{
    const auto found =
        std::find_if(m_operations.begin(), m_operations.end(), [&](const auto &o) { return o->mcpName() == name; });
    return found == m_operations.end() ? nullptr : found->get();
}
