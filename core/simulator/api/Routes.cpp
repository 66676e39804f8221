#include "simulator/api/Routes.h"

void Routes::addForGuests(const char *call, Handler handler)
{
    for (const auto *kind : {"qemu", "lxc"}) {
        auto concrete = QByteArray(call);
        concrete.replace("{kind}", kind);
        add(concrete.constData(), handler);
    }
}

static constexpr void (*families[])(Routes &){
    calls::addAccess,       calls::addUsers,         calls::addTokens,
    calls::addGroups,       calls::addRights,        calls::addRealms,
    calls::addTfa,          calls::addCluster,       calls::addResources,
    calls::addPools,        calls::addFirewallRules, calls::addFirewallSets,
    calls::addHa,           calls::addHaRules,       calls::addSettings,
    calls::addNetwork,      calls::addConsoles,      calls::addNodes,
    calls::addStorage,      calls::addTasks,         calls::addGuestStatus,
    calls::addGuestPower,   calls::addGuestConfig,   calls::addGuestRemoval,
    calls::addGuestCreate,  calls::addGuestClone,    calls::addGuestDisks,
    calls::addMigration,    calls::addCloudInit,     calls::addMonitor,
    calls::addSnapshots,    calls::addAgent,         calls::addAgentExec,
    calls::addAgentInfo,    calls::addSchedules,     calls::addReplication,
    calls::addNodeServices, calls::addNodeHardware,  calls::addNodeSoftware,
    calls::addGuestBulk,    calls::addBackup,        calls::addBackupJobs,
    calls::addUploads,      calls::addVolumes,       calls::addStorageDefinitions,
};

const Routes &Routes::all()
{
    static const Routes routes = [] {
        Routes made;
        for (const auto add : families)
            add(made);
        return made;
    }();
    return routes;
}
