#pragma once
#include "simulator/api/Call.h"
#include <memory>

/// Moves a guest to another node: what is found out at once, and what only the task says.
class GuestMigration
{
public:
    GuestMigration(World &world, const Guest &guest, const QString &target);
    void read(const Call &call);
    /// What keeps it from moving, as PVE says it while it prepares; empty when nothing does.
    QString blocked() const;
    /// The task that does it.
    TaskPlan plan(const QString &user) const;

    struct Disk {
        QString key; ///< scsi0 …
        QString volume;
        bool isCdrom = false;
        bool isUnused = false;
        bool isShared = false;
        qint64 size = 0;
    };
    /// Volumes that the configuration refers to; others stay behind.
    static QList<Disk> disks(const World &world, const Guest &guest);
    /// Storages that the guest needs and the node does not have.
    static QStringList missingStorages(const World &world, const Guest &guest, const QString &node);
    /// usb0, hostpci0: what is part of this node.
    static QStringList localDevices(const Guest &guest);

private:
    QString mapped(const QString &storage) const;
    QList<TaskPlan::Line> lines(std::chrono::milliseconds &end) const;
    static void arrive(World &world, const GuestMigration &move);

    World &m_world;
    qint64 m_vmid;
    QString m_target;
    QStringList m_storageMap; ///< "from:to", or one name for all
    bool m_restart = false;
    bool m_withLocalDisks = false;
    bool m_force = false;
};
