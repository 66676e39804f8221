#include "simulator/schema/PropertyString.h"
#include "simulator/world/HomelabParts.h"
#include <QDateTime>

namespace
{
constexpr qint64 day = 86400;

void take(World &world, qint64 vmid, const char *name, const char *parent, double daysAgo, const char *description,
          bool memory = false)
{
    auto *guest = world.guest(vmid);
    GuestSnapshot snapshot;
    snapshot.name = QLatin1String(name);
    snapshot.config = guest->config;
    for (const auto *key : {"parent", "lock"})
        snapshot.config.remove(QLatin1String(key));
    snapshot.config[QStringLiteral("snaptime")] = QString::number(world.now() - qint64(daysAgo * day));
    snapshot.config[QStringLiteral("description")] = QString::fromUtf8(description);
    if (*parent)
        snapshot.config[QStringLiteral("parent")] = QLatin1String(parent);
    if (memory) {
        snapshot.config[QStringLiteral("vmstate")] =
            QStringLiteral("local-zfs:vm-%1-state-%2").arg(vmid).arg(QLatin1String(name));
        snapshot.config[QStringLiteral("runningmachine")] = QStringLiteral("pc-i440fx-10.0+pve0");
        snapshot.config[QStringLiteral("runningcpu")] =
            QStringLiteral("kvm64,enforce,+kvm_pv_eoi,+kvm_pv_unhalt,+lahf_lm,+sep");
    }
    guest->snapshots.append(snapshot);
    guest->config[QStringLiteral("parent")] = QLatin1String(name);
}

void addVolume(World &world, const QString &id, const QString &node, const char *content, const char *format,
               qint64 size, qint64 vmid, qint64 created, const QString &notes = {})
{
    Volume volume;
    volume.id = id;
    volume.storage = id.section(u':', 0, 0);
    volume.node = node;
    volume.content = QLatin1String(content);
    volume.format = QLatin1String(format);
    volume.size = size;
    volume.used = qint64(double(size) * 0.4);
    volume.vmid = vmid;
    volume.created = created;
    volume.notes = notes;
    world.volumes.push_back(volume);
}

void addGuestDisks(World &world)
{
    for (const auto *guest : world.guests()) {
        for (auto it = guest->config.begin(); it != guest->config.end(); ++it) {
            const auto id = PropertyString::first(it.value());
            const auto *storage = world.storage(id.section(u':', 0, 0));
            if (!Guest::isDiskKey(it.key()) || !storage)
                continue;
            const auto size = Guest::bytesOfSize(PropertyString::value(it.value(), QStringLiteral("size")));
            const auto *format = id.endsWith(QLatin1String(".qcow2"))   ? "qcow2"
                                 : id.contains(QLatin1String("subvol")) ? "subvol"
                                                                        : "raw";
            addVolume(world, id, storage->shared ? QString() : guest->node, guest->isQemu() ? "images" : "rootdir",
                      format, size, guest->vmid, world.now() - 400 * day);
        }
    }
}

/// What is not ours on a storage, so that it is this full on pve1.
void fillTo(World &world, const char *name, double share)
{
    auto *storage = world.storage(QLatin1String(name));
    qint64 ours = 0;
    for (const auto &volume : world.volumes)
        if (volume.storage == storage->name && (volume.node.isEmpty() || volume.node == QLatin1String("pve1")))
            ours += volume.used;
    storage->used = std::max<qint64>(0, qint64(double(storage->total) * share) - ours);
}

void addBackups(World &world)
{
    for (const auto vmid : {101, 104, 105, 201, 202}) {
        const auto *guest = world.guest(vmid);
        for (int age = 0; age < 7; ++age) {
            // Every night at three.
            const auto at = world.now() / day * day + 3 * 3600 - age * day;
            if (at > world.now())
                continue;
            const auto stamp =
                QDateTime::fromSecsSinceEpoch(at, Qt::UTC).toString(QStringLiteral("yyyy_MM_dd-HH_mm_ss"));
            const auto kind = guestKindName(guest->kind);
            const auto suffix = guest->isQemu() ? QStringLiteral("vma.zst") : QStringLiteral("tar.zst");
            addVolume(world,
                      QStringLiteral("nas-backup:backup/vzdump-%1-%2-%3.%4").arg(kind).arg(vmid).arg(stamp, suffix), {},
                      "backup", guest->isQemu() ? "vma.zst" : "tar.zst", guest->diskBytes() / 5 + age * 1'000'000, vmid,
                      at, guest->name());
            world.volumes.back().isProtected = age == 6;
            world.volumes.back().saved = guest->config;
            world.volumes.back().saved.remove(QStringLiteral("parent"));
        }
    }
}
} // namespace

void HomelabParts::addSnapshots(World &world)
{
    // nextcloud: a line with a branch that was left again.
    take(world, 101, "installed", "", 200, "fresh installation");
    take(world, 101, "before-28", "installed", 90, "before the upgrade to 28");
    take(world, 101, "broken-28", "before-28", 89, "upgrade went wrong, kept for the logs");
    take(world, 101, "after-28", "before-28", 88, "second try worked");
    take(world, 101, "before-29", "after-28", 6, "before the upgrade to 29", true);
    take(world, 104, "before-gpu", "", 60, "before the GPU");
    take(world, 104, "weekly", "before-gpu", 6, "");
    take(world, 202, "pre-1-22", "", 33, "before Gitea 1.22");
    take(world, 201, "pre-16", "", 120, "PostgreSQL 15, last state");
    for (int i = 12; i >= 1; --i) {
        const auto name = QStringLiteral("nightly-%1").arg(13 - i, 2, 10, QLatin1Char('0')).toLatin1();
        const auto parent =
            i == 12 ? QByteArray() : QStringLiteral("nightly-%1").arg(12 - i, 2, 10, QLatin1Char('0')).toLatin1();
        take(world, 209, name.constData(), parent.constData(), i - 0.4, "taken by cron");
    }
    take(world, 213, "last-working", "", 300, "do not delete: \xC3\xA4lteste Buchhaltung");
    take(world, 115, "clean", "", 5, "");
}

void HomelabParts::addVolumes(World &world)
{
    const auto now = world.now();
    addGuestDisks(world);
    for (const auto &node : {QStringLiteral("pve1"), QStringLiteral("pve2")}) {
        addVolume(world, QStringLiteral("local:iso/debian-12.7.0-amd64-netinst.iso"), node, "iso", "iso", 662'700'032,
                  0, now - 80 * day);
        addVolume(world, QStringLiteral("local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst"), node, "vztmpl", "tzst",
                  126'515'062, 0, now - 70 * day);
    }
    addVolume(world, QStringLiteral("local:vztmpl/alpine-3.20-default_20240908_amd64.tar.xz"), QStringLiteral("pve1"),
              "vztmpl", "txz", 3'066'148, 0, now - 60 * day);
    addVolume(world, QStringLiteral("nas-images:iso/Win11_24H2_English_x64.iso"), {}, "iso", "iso", 5'819'484'160, 0,
              now - 30 * day);
    addVolume(world, QStringLiteral("nas-images:iso/virtio-win-0.1.262.iso"), {}, "iso", "iso", 728'762'368, 0,
              now - 30 * day);
    addBackups(world);
    fillTo(world, "local-zfs", 0.71);
    fillTo(world, "nas-backup", 0.38);
}
