#include "simulator/world/HomelabParts.h"
#include <QCryptographicHash>

namespace
{
constexpr qint64 day = 86400;

enum class State { Running, Stopped, Paused, Suspended, Template };

struct Row {
    int vmid;
    GuestKind kind;
    const char *node;
    const char *name;
    State state;
    int cores;
    int memoryMiB;
    int diskGiB;
    double load;
    double upDays;
    const char *tags;
    const char *more; ///< further lines "key=value|key=value"
};

constexpr auto vm = GuestKind::Qemu;
constexpr auto ct = GuestKind::Lxc;

// clang-format off
const Row rows[]{
    {101, vm, "pve1", "nextcloud", State::Running, 4, 8192, 120, 0.18, 31.2, "prod;web", "onboot=1|startup=order=3|description=Files and calendars of the family.\n\nUpdates: first Sunday of the month."},
    {102, vm, "pve1", "homeassistant", State::Running, 2, 4096, 32, 0.12, 46.8, "prod;iot", "onboot=1|bios=ovmf|machine=q35|usb0=host=10c4:ea60"},
    {103, ct, "pve1", "unifi", State::Running, 2, 2048, 16, 0.08, 46.8, "net", "onboot=1"},
    {104, ct, "pve1", "jellyfin", State::Running, 4, 4096, 16, 0.23, 18.1, "media", "onboot=1|startup=order=3|dev0=/dev/dri/renderD128,gid=104|mp0=/mnt/pve/media,mp=/media|description=GPU passthrough to /dev/dri. Library on `nas:/media`."},
    {105, ct, "pve1", "pihole", State::Running, 1, 512, 4, 0.03, 46.8, "dns;net", "onboot=1|startup=order=1"},
    {106, ct, "pve1", "sonarr", State::Running, 2, 1024, 8, 0.05, 18.1, "media", "onboot=1"},
    {107, ct, "pve1", "radarr", State::Stopped, 2, 1024, 8, 0.05, 3, "media", ""},
    {108, ct, "pve1", "mqtt", State::Running, 1, 256, 2, 0.02, 46.8, "iot", "onboot=1"},
    {109, ct, "pve1", "wireguard", State::Running, 1, 256, 2, 0.02, 46.8, "net", "onboot=1|protection=1|features=nesting=1"},
    {110, vm, "pve1", "paperless", State::Running, 2, 4096, 64, 0.06, 9.4, "prod", "onboot=1"},
    {111, vm, "pve1", "minecraft", State::Paused, 4, 8192, 40, 0.3, 2.2, "games", ""},
    {112, vm, "pve1", "backup-client", State::Running, 2, 2048, 20, 0.04, 1.5, "infra", "lock=backup"},
    {113, ct, "pve1", "scratch", State::Stopped, 1, 512, 4, 0.02, 40, "", "lock=snapshot-delete"},
    {114, ct, "pve1", "vaultwarden", State::Running, 1, 512, 4, 0.02, 46.8, "prod;web", "onboot=1|protection=1|description=Passwords of the family. **Never** delete."},
    {115, vm, "pve1", "stubborn", State::Running, 1, 1024, 10, 0.02, 5, "lab", "description=Ignores the power button."},
    {120, vm, "pve1", "win11-test", State::Stopped, 4, 8192, 64, 0.1, 12, "lab;windows", "bios=ovmf|machine=pc-q35-9.2+pve1|ostype=win11|tpmstate0=local-zfs:vm-120-disk-2,size=4M,version=v2.0"},
    {121, vm, "pve1", "haos-dev", State::Suspended, 2, 2048, 32, 0.05, 4, "lab", "lock=suspended"},
    {130, vm, "pve1", "opnsense", State::Running, 4, 4096, 20, 0.15, 46.8, "net;prod", "onboot=1|startup=order=1,up=30|protection=1"},
    {9000, vm, "pve2", "debian-12-tpl", State::Template, 2, 2048, 8, 0, 0, "template", "ide2=local-zfs:vm-9000-cloudinit,media=cdrom|ciuser=debian|ipconfig0=ip=dhcp"},
    {9001, vm, "pve1", "ubuntu-2404-tpl", State::Template, 2, 2048, 8, 0, 0, "template", ""},
    {9010, ct, "pve1", "alpine-tpl", State::Template, 1, 256, 1, 0, 0, "template", ""},
    {201, vm, "pve2", "postgres", State::Running, 4, 8192, 100, 0.21, 11.9, "db;prod", "onboot=1|startup=order=2"},
    {202, ct, "pve2", "gitea", State::Running, 2, 2048, 32, 0.07, 11.9, "dev;prod", "onboot=1"},
    {203, ct, "pve2", "nginx-proxy", State::Running, 1, 512, 4, 0.05, 11.9, "net;prod;web", "onboot=1|startup=order=2"},
    {204, ct, "pve2", "grafana", State::Running, 2, 1024, 16, 0.06, 11.9, "infra", "onboot=1"},
    {205, ct, "pve2", "immich", State::Running, 4, 6144, 60, 0.2, 7.7, "media", "onboot=1"},
    {206, ct, "pve2", "prometheus", State::Running, 2, 2048, 40, 0.14, 11.9, "infra", "onboot=1"},
    {207, ct, "pve2", "loki", State::Stopped, 2, 2048, 40, 0.1, 20, "infra", ""},
    {208, vm, "pve2", "mail", State::Running, 2, 4096, 60, 0.05, 11.9, "prod", "onboot=1"},
    {209, vm, "pve2", "ci-runner", State::Running, 4, 4096, 80, 0.35, 0.8, "dev", ""},
    {210, vm, "pve2", "k3s-a", State::Running, 2, 4096, 40, 0.22, 11.9, "k3s", "onboot=1"},
    {211, vm, "pve2", "k3s-b", State::Running, 2, 4096, 40, 0.2, 11.9, "k3s", "onboot=1"},
    {212, vm, "pve2", "k3s-c", State::Stopped, 2, 4096, 40, 0.2, 1, "k3s", ""},
    {213, vm, "pve2", "old-erp", State::Stopped, 2, 4096, 80, 0.1, 200, "archive", "protection=1"},
    {214, vm, "pve2", "fedora-test", State::Stopped, 2, 2048, 20, 0.1, 9, "", ""},
    {301, vm, "pve3", "offsite-dns", State::Running, 1, 1024, 10, 0.03, 60, "net", "onboot=1"},
    {302, vm, "pve3", "cameras", State::Running, 4, 8192, 200, 0.4, 60, "iot", "onboot=1"},
    {303, ct, "pve3", "ntp", State::Running, 1, 256, 2, 0.01, 60, "net", "onboot=1"},
    {304, ct, "pve3", "syncthing", State::Running, 1, 1024, 100, 0.05, 60, "", "onboot=1"},
    {305, vm, "pve3", "spare", State::Stopped, 2, 2048, 32, 0.1, 60, "", ""},
    {306, ct, "pve3", "rsync", State::Stopped, 1, 512, 50, 0.02, 60, "", ""},
};
// clang-format on

QString mac(int vmid)
{
    const auto hash = QCryptographicHash::hash(QByteArray::number(vmid), QCryptographicHash::Md5).toHex().toUpper();
    return QStringLiteral("BC:24:11:%1:%2:%3")
        .arg(QString::fromLatin1(hash.mid(0, 2)), QString::fromLatin1(hash.mid(2, 2)),
             QString::fromLatin1(hash.mid(4, 2)));
}

QString uuid(int vmid, const char *what)
{
    const auto hash = QCryptographicHash::hash(QByteArray::number(vmid) + what, QCryptographicHash::Md5).toHex();
    return QString::fromLatin1(hash.mid(0, 8) + '-' + hash.mid(8, 4) + "-4" + hash.mid(13, 3) + "-a" + hash.mid(17, 3) +
                               '-' + hash.mid(20, 12));
}

void fillQemu(Guest &guest, const Row &row, qint64 now)
{
    // Branches of snapshots need qcow2; ZFS keeps a line only.
    const bool branches = row.vmid == 101 || row.vmid == 209 || row.vmid == 115;
    const auto id = QString::number(row.vmid);
    const auto base = row.state == State::Template ? QStringLiteral("base-") : QStringLiteral("vm-");
    const auto volume = branches ? QStringLiteral("nas-images:%1/vm-%1-disk-0.qcow2").arg(id)
                                 : QStringLiteral("local-zfs:%1%2-disk-0").arg(base, id);
    const auto size = QString::number(row.diskGiB) + u'G';
    auto &config = guest.config;
    config[QStringLiteral("name")] = QLatin1String(row.name);
    config[QStringLiteral("cores")] = QString::number(row.cores);
    config[QStringLiteral("sockets")] = QStringLiteral("1");
    config[QStringLiteral("memory")] = QString::number(row.memoryMiB);
    config[QStringLiteral("ostype")] = QStringLiteral("l26");
    config[QStringLiteral("scsihw")] = QStringLiteral("virtio-scsi-single");
    config[QStringLiteral("scsi0")] = volume + QStringLiteral(",discard=on,iothread=1,size=") + size;
    config[QStringLiteral("net0")] =
        QStringLiteral("virtio=") + mac(row.vmid) + QStringLiteral(",bridge=vmbr0,firewall=1");
    config[QStringLiteral("boot")] = QStringLiteral("order=scsi0;net0");
    config[QStringLiteral("agent")] = QStringLiteral("1");
    config[QStringLiteral("smbios1")] = QStringLiteral("uuid=") + uuid(row.vmid, "smbios");
    config[QStringLiteral("vmgenid")] = uuid(row.vmid, "generation");
    config[QStringLiteral("meta")] =
        QStringLiteral("creation-qemu=10.0.2,ctime=%1").arg(now - 400 * day - row.vmid * 3600);
}

void fillLxc(Guest &guest, const Row &row)
{
    const auto id = QString::number(row.vmid);
    const auto base = row.state == State::Template ? QStringLiteral("basevol-") : QStringLiteral("subvol-");
    auto &config = guest.config;
    config[QStringLiteral("hostname")] = QLatin1String(row.name);
    config[QStringLiteral("arch")] = QStringLiteral("amd64");
    config[QStringLiteral("ostype")] = row.vmid % 2 ? QStringLiteral("alpine") : QStringLiteral("debian");
    config[QStringLiteral("cores")] = QString::number(row.cores);
    config[QStringLiteral("memory")] = QString::number(row.memoryMiB);
    config[QStringLiteral("swap")] = QStringLiteral("512");
    config[QStringLiteral("unprivileged")] = QStringLiteral("1");
    config[QStringLiteral("rootfs")] = QStringLiteral("local-zfs:%1%2-disk-0,size=%3G").arg(base, id).arg(row.diskGiB);
    config[QStringLiteral("net0")] = QStringLiteral("name=eth0,bridge=vmbr0,firewall=1,hwaddr=") + mac(row.vmid) +
                                     QStringLiteral(",ip=192.168.1.%1/24,gw=192.168.1.1,type=veth")
                                         .arg(row.vmid % 250 - 70 + (row.vmid % 250 < 75 ? 150 : 0));
}

void setRun(Guest &guest, const Row &row, qint64 now, int pid)
{
    const auto since = now - qint64(row.upDays * day);
    const bool runs = row.state == State::Running || row.state == State::Paused;
    if (!runs) {
        guest.stops.append({row.state == State::Template ? 1 : since, 0});
        return;
    }
    guest.run = row.state == State::Paused ? Guest::Run::Paused : Guest::Run::Running;
    guest.startedAt = since;
    guest.pid = pid;
    guest.stops.append({since - 180, since});
}

Guest made(const Row &row, World &world)
{
    Guest guest;
    guest.vmid = row.vmid;
    guest.kind = row.kind;
    guest.node = QLatin1String(row.node);
    guest.load = row.load;
    if (guest.isQemu())
        fillQemu(guest, row, world.now());
    else
        fillLxc(guest, row);
    if (row.state == State::Template)
        guest.config[QStringLiteral("template")] = QStringLiteral("1");
    if (*row.tags)
        guest.config[QStringLiteral("tags")] = QLatin1String(row.tags);
    for (const auto &line : QString::fromUtf8(row.more).split(u'|', Qt::SkipEmptyParts))
        guest.config[line.section(u'=', 0, 0)] = line.section(u'=', 1);
    guest.ignoresShutdown = guest.silentAgent = row.vmid == 115;
    setRun(guest, row, world.now(), world.nextPid());
    return guest;
}
}

void HomelabParts::addGuests(World &world)
{
    for (const auto &row : rows)
        world.add(made(row, world));
    // One value that waits for the next start.
    world.guest(110)->pending[QStringLiteral("memory")] = QStringLiteral("6144");
}

void HomelabParts::addMore(World &world, int guests)
{
    const auto missing = guests - int(world.guests().size());
    for (int i = 0; i < missing; ++i) {
        const bool machine = i % 3 != 0;
        const auto name = QByteArray(machine ? "vm-" : "ct-") + QByteArray::number(20000 + i);
        const Row row{20000 + i,
                      machine ? vm : ct,
                      i % 5 < 3 ? "pve1" : "pve2",
                      name.constData(),
                      i % 7 == 0 ? State::Stopped : State::Running,
                      1 + i % 4,
                      512 << (i % 4),
                      8 + i % 64,
                      0.02 + 0.01 * (i % 20),
                      1.0 + i % 90,
                      i % 4 == 0 ? "fleet" : "",
                      ""};
        world.add(made(row, world));
    }
}
