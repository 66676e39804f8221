#pragma once
#include "simulator/world/World.h"

/// Which backups of a storage are kept, by keep-last, keep-daily … as PVE counts them.
class BackupPrune
{
public:
    struct Mark {
        Volume volume;
        QString mark; ///< keep, remove, protected
    };
    BackupPrune(World &world, const QString &node, const StorageDefinition &storage)
        : m_world(world), m_node(node), m_storage(storage)
    {
    }
    /// Marks of all backups there, or of one kind or guest; `keep` empty = what the storage says.
    QList<Mark> marks(const QString &keep, std::optional<GuestKind> kind = {}, qint64 vmid = 0) const;
    void removeBeyond(const QString &keep, std::optional<GuestKind> kind, qint64 vmid);

private:
    static void markGroup(QList<Mark *> &group, const QString &keep);

    World &m_world;
    QString m_node;
    const StorageDefinition &m_storage;
};
