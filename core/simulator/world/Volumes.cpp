#include "simulator/world/World.h"
#include <algorithm>

QString World::allocate(const QString &storageName, const Guest &guest, qint64 bytes, const QString &wanted)
{
    const auto *kept = storage(storageName);
    const bool zfs = kept && kept->type == QLatin1String("zfspool");
    const auto stem = zfs && !guest.isQemu() ? QStringLiteral("subvol") : QStringLiteral("vm");
    const auto usual = zfs && !guest.isQemu() ? QStringLiteral("subvol") : QStringLiteral("raw");
    const auto format = wanted.isEmpty() ? usual : wanted;
    const auto nameOf = [&](int number) {
        return QStringLiteral("%1-%2-disk-%3").arg(stem).arg(guest.vmid).arg(number);
    };
    const auto isTaken = [&](const QString &name) {
        return std::any_of(volumes.begin(), volumes.end(), [&](const auto &volume) {
            return volume.storage == storageName && volume.id.contains(name);
        });
    };
    int number = 0;
    while (isTaken(nameOf(number)))
        ++number;
    Volume volume;
    volume.id = storageName + u':' +
                (zfs ? nameOf(number) : QStringLiteral("%1/%2.%3").arg(guest.vmid).arg(nameOf(number), format));
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
