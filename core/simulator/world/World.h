#pragma once
#include "base/Clock.h"
#include "base/Result.h"
#include "simulator/access/Access.h"
#include "simulator/world/Cluster.h"
#include "simulator/world/Consoles.h"
#include "simulator/world/Firewall.h"
#include "simulator/world/Guest.h"
#include "simulator/world/Settings.h"
#include "simulator/world/Task.h"
#include <QHash>
#include <map>
#include <memory>
#include <vector>

/// Everything that is true in the simulated cluster. Knows nothing of HTTP. Time comes from the clock: nothing happens
/// by itself, settle() lets happen what is due. One thread.
class World
{
public:
    explicit World(const Clock &clock, quint64 seed);

    const Clock &clock() const { return m_clock; }
    quint64 seed() const { return m_seed; }
    /// Milliseconds since the epoch; while something due runs, the moment it was due.
    qint64 nowMs() const { return m_at ? m_at : m_clock.wallMs(); }
    qint64 now() const { return nowMs() / 1000; }
    /// Lets everything happen that is due by now, in order.
    void settle();
    /// Does something later.
    void after(std::chrono::milliseconds delay, std::function<void()> what);

    // the cluster
    QString clusterName;
    QString localNode; ///< the node that answers
    bool quorate = true;
    std::vector<ClusterNode> nodes;
    std::vector<StorageDefinition> storages;
    std::vector<Volume> volumes;
    std::vector<Pool> pools;
    std::vector<HaResource> ha;
    bool haManagerRuns = true;
    QList<QJsonObject> haRules;
    QList<QJsonObject> haGroups;   ///< of release 8
    QList<QJsonObject> backupJobs; ///< without next-run
    QList<QJsonObject> replicationJobs;
    QMap<QString, QByteArray> webFiles; ///< by URL: what downloads find; other addresses have a file nobody knows
    /// Names that resolve but are no members: what asking them ends in, as status and text.
    QMap<QString, std::pair<int, QString>> strangers;
    Access access;
    /// By "cluster", "node/NAME" and "guest/VMID".
    std::map<QString, Firewall> firewalls;
    Consoles consoles;
    ClusterSettings settings;
    /// Of a node that exists; as it was installed when nothing was set.
    NodeSettings &settingsOf(const QString &node);
    ClusterNode *node(const QString &name);
    const ClusterNode *node(const QString &name) const { return const_cast<World *>(this)->node(name); }
    StorageDefinition *storage(const QString &name);
    const StorageDefinition *storage(const QString &name) const { return const_cast<World *>(this)->storage(name); }
    QString poolOf(qint64 vmid) const;
    /// To be called after pools or their members changed: access rights follow them.
    void poolsChanged();
    const HaResource *haOf(const Guest &guest) const;
    void setOnline(const QString &node, bool online);
    /// For five minutes after a node fell silent its last numbers are still shown; then its guests are "unknown".
    bool hasFreshNumbers(const QString &node) const;

    // guests
    Guest *guest(qint64 vmid);
    const Guest *guest(qint64 vmid) const { return const_cast<World *>(this)->guest(vmid); }
    /// In the order of their numbers. Pointers stay valid until the guest is removed.
    QList<Guest *> guests();
    QList<const Guest *> guests() const;
    Guest &add(Guest guest);
    void remove(qint64 vmid);
    /// Takes over pending values and runs.
    void start(Guest &guest);
    void stop(Guest &guest);
    /// Changes a guest's configuration past the API, as somebody at the node's shell would; an empty value removes the
    /// key.
    void setConfig(qint64 vmid, const QString &key, const QString &value);

    /// Makes a new volume for a guest and returns its id; `format` empty = what the storage usually has.
    QString allocate(const QString &storage, const Guest &guest, qint64 bytes, const QString &format = {});
    /// The volume as a node sees it; nullptr when there is none.
    Volume *volume(const QString &id, const QString &node);
    void removeVolume(const QString &id, const QString &node);

    // tasks
    /// Starts a task; it ends by itself when its time has come. Returns the UPID.
    QString run(TaskPlan plan);
    /// A task that is over already.
    void addFinished(TaskPlan plan, qint64 startedAt, const QString &exitStatus);
    const Task *task(const QString &upid) const;
    /// Newest first.
    QList<const Task *> tasks() const;
    /// Ends a running task with "received interrupt"; a finished one stays as it is.
    void interrupt(const QString &upid);
    /// All tasks last `factor` times as long; 0 ends them at once.
    double taskPace = 1.0;

    int nextPid() { return ++m_lastPid; }

    /// The cluster's log, oldest first; it keeps the last thousand.
    struct LogLine {
        int number = 0;
        qint64 time = 0; ///< seconds since the epoch
        QString node;
        QString user;
        QString text;
        int pid = 0;
    };
    QList<LogLine> clusterLog;
    void log(const QString &node, const QString &user, const QString &text);

private:
    Task &newTask(const TaskPlan &plan, qint64 startMs);
    void end(Task &task, const QString &outcome);

    const Clock &m_clock;
    quint64 m_seed;
    qint64 m_at = 0;
    int m_lastPid = 20000;
    std::map<QString, NodeSettings> m_nodeSettings;
    std::map<qint64, std::unique_ptr<Guest>> m_guests;
    std::vector<std::unique_ptr<Task>> m_tasks;
    QHash<QString, Task *> m_byUpid;
    std::multimap<qint64, std::function<void()>> m_due;
};
