#pragma once
#include "model/GuestRef.h"
#include "model/Upid.h"
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

/// A node as last heard of. Absent numbers are unknown, never 0.
struct NodeState {
    enum class Status { Online, Offline, Unknown };
    NodeName name;
    Status status = Status::Unknown;
    std::optional<double> cpu;                                            ///< 0 … 1
    std::optional<qint64> cpus, memory, maxMemory, disk, maxDisk, uptime; ///< bytes, seconds
    std::optional<qint64> lastSeenMs; ///< of one that is not online: wall time when it last was; absent = never seen
    bool operator==(const NodeState &) const = default;
};

/// The load of those nodes of a cluster that tell it.
struct ClusterLoad {
    std::optional<double> cpu; ///< 0 … 1 of the cores of the nodes that count; absent if none does
    int counted = 0;           ///< nodes whose load is in it
    int nodes = 0;             ///< all that are known
};

/// A guest as last heard of.
struct GuestState {
    enum class Power { Running, Stopped, Paused, Suspended, Unknown };
    Vmid vmid;
    GuestKind kind = GuestKind::Qemu;
    NodeName node;
    QString name; ///< text from outside
    Power power = Power::Unknown;
    bool isTemplate = false;
    QStringList tags;
    QString pool, lock, haState; ///< empty = none
    std::optional<double> cpu;
    std::optional<qint64> cpus, memory, maxMemory, disk, maxDisk, uptime;
    std::optional<qint64> netIn, netOut, diskRead, diskWrite; ///< bytes since the guest started
    bool operator==(const GuestState &) const = default;
};

/// A storage on one node; a shared one appears once per node that sees it.
struct StorageState {
    StorageName name;
    NodeName node;
    bool isShared = false, isAvailable = false;
    QString type, content;
    std::optional<qint64> used, size;
    bool operator==(const StorageState &) const = default;
};

/// A task of anybody on the cluster, from /cluster/tasks.
struct TaskState {
    Upid upid;
    QString user;                  ///< user@realm or user@realm!token
    qint64 startTime = 0;          ///< seconds, the server's clock
    std::optional<qint64> endTime; ///< absent while it runs
    QString status;                ///< "OK", "WARNINGS: 1" or the error text; empty while it runs
    bool isRunning() const { return !endTime && status.isEmpty(); }
    bool operator==(const TaskState &) const = default;
};

/// What is known about one remote at one moment; immutable once published.
struct InventorySnapshot {
    /// How far this can be believed now.
    enum class Reach { Live, Stale, Cached, Never };
    QString remoteId, remoteName, clusterName; ///< clusterName empty: not clustered
    Reach reach = Reach::Never;
    qint64 takenAtMs = 0; ///< wall time of the last good answer; 0 = never
    QString problem;      ///< why it is not live, or what of the last answer could not be read, in words
    QString hidden;       ///< what this sign-in may not see, in words; empty = nothing, or not known
    std::optional<bool> quorate;
    QString version; ///< "9.1.6"
    std::optional<int> latencyMs;
    std::vector<NodeState> nodes;
    std::vector<GuestState> guests; ///< by vmid
    std::vector<StorageState> storages;
    std::vector<TaskState> tasks; ///< newest first
    QStringList pools;            ///< sorted, also those without a guest

    /// Null if there is none; guests are found by halving.
    const GuestState *guest(Vmid vmid) const;
    const NodeState *node(const NodeName &name) const;
    GuestRef ref(const GuestState &guest) const;
    /// Nodes of which nothing can be known now: offline, or of unknown state. What runs there is unknown.
    std::vector<const NodeState *> missingNodes() const;
    /// A node that is away counts neither as 0 nor at all.
    ClusterLoad load() const;
    /// "pve1" if it is called so here, exactly.
    bool hasNode(const QString &nodeName) const;
};
using InventoryPtr = std::shared_ptr<const InventorySnapshot>;

QString powerName(GuestState::Power power);       ///< "running", "stopped", "paused", "suspended", "unknown"
QString nodeStatusName(NodeState::Status status); ///< "online", "offline", "unknown"
