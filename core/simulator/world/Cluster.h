#pragma once
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>
#include <optional>

/// A node of the simulated cluster.
struct ClusterNode {
    QString name;
    QString address;
    QString fingerprint; ///< SHA-256 with colons
    int id = 0;
    bool online = true;
    qint64 changedAt = 0; ///< when it went on or off, seconds since the epoch
    qint64 bootedAt = 0;
    qint64 knownSince = 0; ///< numbers are kept since then
    int cpus = 8;
    int cgroupMode = 2; ///< with 1 there are no pressure numbers of containers
    qint64 memory = 0;
    qint64 disk = 0;
    qint64 diskUsed = 0;
    bool hasKvm = true;              ///< without, virtual machines start only with kvm: 0
    QMap<QString, QString> services; ///< name → "running" or "dead"; what is not listed is installed and runs
    QList<QJsonObject> disks;        ///< as disks/list tells them
    QList<QJsonObject> pciDevices;   ///< as hardware/pci tells them
    QList<QJsonObject> certificates; ///< as certificates/info tells them
};

/// A storage as configured for the whole cluster.
struct StorageDefinition {
    QString name;
    QString type; ///< dir, zfspool, nfs …
    QStringList content;
    bool shared = false;
    bool enabled = true;
    QStringList nodes; ///< empty = all
    QMap<QString, QString> options;
    qint64 total = 0;
    qint64 used = 0; ///< at the start, beside what volumes add

    bool keepsBranches() const { return type != QLatin1String("zfspool"); }
    /// Volumes are files with a format, in a folder a guest.
    bool isFileBased() const
    {
        static const QStringList types{QStringLiteral("dir"), QStringLiteral("nfs"), QStringLiteral("cifs"),
                                       QStringLiteral("btrfs"), QStringLiteral("cephfs")};
        return types.contains(type);
    }
    bool isOn(const QString &node) const { return enabled && (nodes.isEmpty() || nodes.contains(node)); }
};

/// A volume on a storage.
struct Volume {
    QString id; ///< storage:path
    QString storage;
    QString node; ///< empty on shared storages
    QString content;
    QString format;
    qint64 size = 0;
    qint64 used = 0;
    qint64 created = 0;
    qint64 vmid = 0;
    QString notes;
    bool isProtected = false;
    QString parent;               ///< the base volume of a linked clone
    QMap<QString, QString> saved; ///< of a backup: the configuration in it
};

/// A pool with its members.
struct Pool {
    QString name;
    QString comment;
    QStringList guests;
    QStringList storages;
};

/// A guest that the HA manager looks after.
struct HaResource {
    QString sid; ///< vm:101
    QString state = QStringLiteral("started");
    QString comment;
    std::optional<int> maxRestart;
    std::optional<int> maxRelocate;
    bool saysState = true; ///< false when nobody said it and "started" is meant
    QString group = {};    ///< of release 8
    std::optional<bool> failback = {};
};
