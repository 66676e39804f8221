#pragma once
#include "simulator/api/Call.h"

/// Disks and mount points of guests: how their lines come about and what stands behind them.
namespace GuestVolumes
{
/// The volume in a line of the configuration; empty for none, CD-ROM drives without a medium and paths.
QString in(const QString &line);
/// The storage in a line or volume id.
QString storageOf(const QString &volume);
/// True for "storage:32", "storage:cloudinit" and lines with import-from: a volume is to be made.
bool isWish(const QString &line);

/// A line as it stands in the configuration, or why it cannot.
struct Line {
    QString text;
    QString problem; ///< why it could not be made, as the task says it
};
/// Makes the volume that the line wishes for, and puts it and its size into the line; other lines stay as they are.
Line made(World &world, const Guest &guest, const QString &key, const QString &line);
/// A copy of a line's volume for another guest, on `storage` or where the source is, in `format` or the source's.
QString copied(World &world, const Guest &source, const QString &line, const Guest &target, const QString &storage,
               const QString &format);
/// A line whose volume grows out of the source's template volume.
QString linked(World &world, const Guest &source, const QString &line, const Guest &target);
/// The line with its volume made a base: "vm-100-disk-0" becomes "base-100-disk-0".
QString based(World &world, const Guest &guest, const QString &line);
/// The first free "unused" key.
QString unusedKey(const Guest &guest);
/// Whether a new disk of a guest may lie there: the storage exists, takes such content, and the caller may use it.
std::optional<ApiAnswer> refusedStorage(const Call &call, GuestKind kind, const QString &storage);
/// The caller's right to take space.
std::optional<ApiAnswer> refusedSpace(const Call &call, const QString &storage);
/// ZFS and qcow2 keep snapshots; every disk of the guest must.
bool canSnapshot(const World &world, const Guest &guest);
/// "/var/lib/vz/images/100/vm-100-disk-0.qcow2": where a volume is on its node.
QString path(const World &world, const QString &volume);
} // namespace GuestVolumes
