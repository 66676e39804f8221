#include "simulator/api/Routes.h"

void Routes::addForGuests(const char *call, Handler handler)
{
    for (const auto *kind : {"qemu", "lxc"}) {
        auto concrete = QByteArray(call);
        concrete.replace("{kind}", kind);
        add(concrete.constData(), handler);
    }
}

static void addAccessFamilies(Routes &made)
{
    calls::addAccess(made);
    calls::addUsers(made);
    calls::addTokens(made);
    calls::addGroups(made);
    calls::addRights(made);
    calls::addRealms(made);
    calls::addTfa(made);
}

static void addClusterFamilies(Routes &made)
{
    calls::addCluster(made);
    calls::addResources(made);
    calls::addPools(made);
    calls::addFirewallRules(made);
    calls::addFirewallSets(made);
    calls::addHa(made);
    calls::addHaRules(made);
}

const Routes &Routes::all()
{
    static const Routes routes = [] {
        Routes made;
        addAccessFamilies(made);
        addClusterFamilies(made);
        calls::addNodes(made);
        calls::addStorage(made);
        calls::addTasks(made);
        calls::addGuestStatus(made);
        calls::addGuestPower(made);
        calls::addGuestConfig(made);
        calls::addGuestRemoval(made);
        calls::addGuestCreate(made);
        calls::addGuestClone(made);
        calls::addGuestDisks(made);
        calls::addMigration(made);
        calls::addCloudInit(made);
        calls::addMonitor(made);
        calls::addSnapshots(made);
        calls::addAgent(made);
        calls::addBackup(made);
        calls::addBackupJobs(made);
        calls::addUploads(made);
        calls::addVolumes(made);
        calls::addStorageDefinitions(made);
        return made;
    }();
    return routes;
}
