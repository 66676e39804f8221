#include "simulator/world/World.h"
#include <algorithm>

namespace
{
/// "subvol" for a container's folder or dataset, "raw" where nothing else was asked for.
QString usualFormat(const StorageDefinition *storage, const Guest &guest, qint64 bytes)
{
    const bool zfs = storage && storage->type == QLatin1String("zfspool");
    return !guest.isQemu() && (zfs || bytes == 0) ? QStringLiteral("subvol") : QStringLiteral("raw");
}
} // namespace

QString World::allocate(const QString &storageName, const Guest &guest, qint64 bytes, const QString &wanted)
{
    const auto *kept = storage(storageName);
    const bool files = !kept || kept->isFileBased();
    const auto format = wanted.isEmpty() || !files ? usualFormat(kept, guest, bytes) : wanted;
    const auto stem = format == QLatin1String("subvol") ? QStringLiteral("subvol") : QStringLiteral("vm");
    const auto isTaken = [&](int number) {
        const auto name = QStringLiteral("-%1-disk-%2").arg(guest.vmid).arg(number);
        return std::any_of(volumes.begin(), volumes.end(), [&](const auto &volume) {
            return volume.storage == storageName && (volume.id.endsWith(name) || volume.id.contains(name + u'.'));
        });
    };
    int number = 0;
    while (isTaken(number))
        ++number;
    const auto name = QStringLiteral("%1-%2-disk-%3").arg(stem).arg(guest.vmid).arg(number);
    Volume volume;
    volume.id = storageName + u':' + (files ? QStringLiteral("%1/%2.%3").arg(guest.vmid).arg(name, format) : name);
    volume.storage = storageName;
    volume.node = kept && kept->shared ? QString() : guest.node;
    volume.content = guest.isQemu() ? QStringLiteral("images") : QStringLiteral("rootdir");
    volume.format = format;
    volume.size = bytes;
    volume.created = now();
    volume.vmid = guest.vmid;
    volumes.push_back(volume);
    return volume.id;
}

Volume *World::volume(const QString &id, const QString &node)
{
    const auto found = std::find_if(volumes.begin(), volumes.end(), [&](const auto &volume) {
        return volume.id == id && (volume.node.isEmpty() || volume.node == node);
    });
    return found == volumes.end() ? nullptr : &*found;
}

void World::removeVolume(const QString &id, const QString &node)
{
    std::erase_if(
        volumes, [&](const auto &volume) { return volume.id == id && (volume.node.isEmpty() || volume.node == node); });
}
