#pragma once
#include "simulator/api/Call.h"

/// Which calls the simulator can answer, by "METHOD /path/{placeholder}" as the API table names them.
class Routes
{
public:
    using Handler = ApiAnswer (*)(Call &);
    static const Routes &all();

    Handler find(const Endpoint &endpoint) const { return m_handlers.value(endpoint.method + u' ' + endpoint.path); }
    void add(const char *call, Handler handler) { m_handlers.insert(QLatin1String(call), handler); }
    /// The same handler for virtual machines and containers: "{kind}" in the path stands for qemu and lxc.
    void addForGuests(const char *call, Handler handler);
    QStringList calls() const { return m_handlers.keys(); }

private:
    QHash<QString, Handler> m_handlers;
};

/// Each family of endpoints adds its own.
namespace calls
{
void addAccess(Routes &routes);
void addUsers(Routes &routes);
void addTokens(Routes &routes);
void addGroups(Routes &routes);
void addRights(Routes &routes);
void addRealms(Routes &routes);
void addTfa(Routes &routes);
void addCluster(Routes &routes);
void addResources(Routes &routes);
void addPools(Routes &routes);
void addFirewallRules(Routes &routes);
void addFirewallSets(Routes &routes);
void addHa(Routes &routes);
void addHaRules(Routes &routes);
void addSettings(Routes &routes);
void addNetwork(Routes &routes);
void addConsoles(Routes &routes);
void addNodes(Routes &routes);
void addStorage(Routes &routes);
void addTasks(Routes &routes);
void addGuestStatus(Routes &routes);
void addGuestPower(Routes &routes);
void addGuestConfig(Routes &routes);
void addGuestRemoval(Routes &routes);
void addGuestCreate(Routes &routes);
void addGuestClone(Routes &routes);
void addGuestDisks(Routes &routes);
void addMigration(Routes &routes);
void addCloudInit(Routes &routes);
void addMonitor(Routes &routes);
void addSnapshots(Routes &routes);
void addAgent(Routes &routes);
void addAgentExec(Routes &routes);
void addAgentInfo(Routes &routes);
void addSchedules(Routes &routes);
void addReplication(Routes &routes);
void addNodeServices(Routes &routes);
void addNodeHardware(Routes &routes);
void addNodeSoftware(Routes &routes);
void addGuestBulk(Routes &routes);
void addBackup(Routes &routes);
void addBackupJobs(Routes &routes);
void addUploads(Routes &routes);
void addVolumes(Routes &routes);
void addStorageDefinitions(Routes &routes);
} // namespace calls
