#pragma once
#include "operations/Clusters.h"
#include "operations/Volumes.h"

// What the operations on backups and the insight on them share.

/// Which backups are wanted; empty = all.
struct BackupWish {
    QString vmid, storage;
};

/// Adds the backups of one cluster, each with its "remote", "time" and "kind": every storage that takes backups is
/// asked, a shared one once. What could not be asked is missing there, and returned.
QCoro::Task<std::vector<StorageRef>> gatherBackups(OperationContext context, QString remote, BackupWish wish,
                                                   Gathered *into);

/// How an archive is made.
struct BackupForm {
    QString mode = QStringLiteral("snapshot");
    QString compress = QStringLiteral("zstd");
    QString notes = {};
    bool isProtected = false;
};
/// POST vzdump of one guest. Nothing older is removed: without remove=0 PVE prunes as the storage is set up.
ApiRequest backupRequest(const GuestRef &guest, const StorageRef &storage, const BackupForm &form);
/// The storage that was named, as the guest's node sees it, or the only one that takes backups there.
Result<StorageRef> chooseBackupStorage(const OperationContext &context, const GuestRef &guest,
                                       const std::optional<StorageRef> &asked);
/// The ids of a guest's backups on one storage, sorted.
QCoro::Task<Result<QStringList>> backupsOf(OperationContext context, GuestRef guest, StorageRef storage);
/// The one that came since the plan, whose `before` has "storage" and "backups"; as VolumeRef takes it. Unknown if it
/// cannot be told.
QCoro::Task<Result<QString>> newBackup(OperationContext context, GuestRef guest);
