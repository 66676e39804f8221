#pragma once
#include "operations/References.h"
#include "operations/Requests.h"

// What the operations on storages, backups and images share.

inline const Text storageHelp{
    QT_TRANSLATE_NOOP("operation", "Storage: nas-backup; a local one with its node: pve1/local, homelab:pve1/local")};

/// "nodes", node, "storage", storage, then the rest.
ApiRequest storageRequest(Method method, const StorageRef &storage, const QStringList &rest);
/// "…/content/local:iso/a.iso".
ApiRequest volumeRequest(Method method, const VolumeRef &volume);

/// What lies on a storage; of one kind ("iso", "backup") if it is named, and of one guest.
QCoro::Task<Result<QJsonArray>> readContent(OperationContext context, StorageRef storage, QString kind = {},
                                            QString vmid = {});
/// The row of exactly this volume. NotFound names what is there of the kind.
QCoro::Task<Result<QJsonObject>> readVolume(OperationContext context, VolumeRef volume);
/// The same, refused unless it is a backup: what is deleted, protected or restored as one must be one.
QCoro::Task<Result<QJsonObject>> readBackup(OperationContext context, VolumeRef volume);

/// Size, time and whose it is, for a plan.
void sayVolume(Plan &plan, const QJsonObject &row);
/// Conflict if the storage does not take this kind of content.
Result<> takesContent(const OperationContext &context, const StorageRef &storage, const QString &kind);
/// "web 101" of a backup's row, as far as it is known.
QString guestOf(const OperationContext &context, const QString &remote, const QJsonObject &row);
/// "qemu" or "lxc": what a backup is of; empty = not told.
QString backupKind(const QJsonObject &row);
