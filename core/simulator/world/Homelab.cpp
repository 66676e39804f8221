#include "simulator/world/Homelab.h"
#include "simulator/world/HomelabParts.h"
#include <QCryptographicHash>
#include <QJsonValue>

namespace
{
constexpr qint64 day = 86400;

QString fingerprintOf(const QString &node)
{
    const auto hash =
        QCryptographicHash::hash(QByteArrayLiteral("certificate of ") + node.toUtf8(), QCryptographicHash::Sha256);
    return QString::fromLatin1(hash.toHex(':').toUpper());
}

/// Two mirrored drives, a graphics card and a network card.
void addHardware(ClusterNode &node)
{
    const auto text = [](const char *words) { return QString::fromLatin1(words); };
    for (int i = 0; i < 2; ++i)
        node.disks.append({{text("devpath"), QStringLiteral("/dev/nvme%1n1").arg(i)},
                           {text("model"), text("Samsung SSD 980 PRO 2TB")},
                           {text("serial"), QStringLiteral("S69ENX0T%1000%2").arg(node.id).arg(i)},
                           {text("vendor"), text("unknown")},
                           {text("wwn"), QStringLiteral("eui.002538b%1215e%2").arg(node.id).arg(i)},
                           {text("size"), qint64(2000398934016)},
                           {text("type"), text("nvme")},
                           {text("used"), text("ZFS")},
                           {text("health"), text("PASSED")},
                           {text("wearout"), 97 - i},
                           {text("rpm"), 0},
                           {text("gpt"), 1},
                           {text("osdid"), -1},
                           {text("osdid-list"), QJsonValue()}});
    node.pciDevices = {{{text("id"), text("0000:01:00.0")},
                        {text("class"), text("0x030000")},
                        {text("vendor"), text("0x8086")},
                        {text("device"), text("0x56a5")},
                        {text("vendor_name"), text("Intel Corporation")},
                        {text("device_name"), text("DG2 [Arc A380]")},
                        {text("iommugroup"), 14}},
                       {{text("id"), text("0000:02:00.0")},
                        {text("class"), text("0x020000")},
                        {text("vendor"), text("0x8086")},
                        {text("device"), text("0x15f3")},
                        {text("vendor_name"), text("Intel Corporation")},
                        {text("device_name"), text("Ethernet Controller I225-V")},
                        {text("iommugroup"), 15}}};
}

void addNodes(World &world)
{
    const auto now = world.now();
    const auto add = [&](const char *name, int id, const char *address, int cpus, int memoryGiB, qint64 upSince) {
        ClusterNode node;
        node.name = QLatin1String(name);
        node.id = id;
        node.address = QLatin1String(address);
        node.fingerprint = fingerprintOf(node.name);
        node.cpus = cpus;
        node.memory = qint64(memoryGiB) << 30;
        node.disk = 100LL << 30;
        node.diskUsed = (14LL + id * 3) << 30;
        node.bootedAt = upSince;
        node.changedAt = upSince;
        addHardware(node);
        world.nodes.push_back(node);
    };
    add("pve1", 1, "192.168.1.11", 16, 64, now - 47 * day);
    add("pve2", 2, "192.168.1.12", 8, 32, now - 12 * day);
    add("pve3", 3, "192.168.1.13", 4, 16, now - 90 * day);
    auto *off = world.node(QStringLiteral("pve3"));
    off->online = false;
    off->changedAt = now - 2 * day;
}

void addStorages(World &world)
{
    const auto add = [&](const char *name, const char *type, const char *content, int totalGiB,
                         int usedGiB) -> StorageDefinition & {
        StorageDefinition storage;
        storage.name = QLatin1String(name);
        storage.type = QLatin1String(type);
        storage.content = QString::fromLatin1(content).split(u',');
        storage.total = qint64(totalGiB) << 30;
        storage.used = qint64(usedGiB) << 30;
        return world.storages.emplace_back(storage);
    };
    add("local", "dir", "iso,vztmpl,backup,snippets,import", 100, 12).options = {
        {QStringLiteral("path"), QStringLiteral("/var/lib/vz")}};
    add("local-zfs", "zfspool", "images,rootdir", 1800, 620).options = {
        {QStringLiteral("pool"), QStringLiteral("rpool/data")}, {QStringLiteral("sparse"), QStringLiteral("1")}};
    auto &backup = add("nas-backup", "nfs", "backup", 8000, 1900);
    backup.shared = true;
    backup.options = {{QStringLiteral("server"), QStringLiteral("192.168.1.5")},
                      {QStringLiteral("export"), QStringLiteral("/volume1/pve-backup")},
                      {QStringLiteral("path"), QStringLiteral("/mnt/pve/nas-backup")}};
    auto &images = add("nas-images", "nfs", "images,iso", 4000, 900);
    images.shared = true;
    images.options = {{QStringLiteral("server"), QStringLiteral("192.168.1.5")},
                      {QStringLiteral("export"), QStringLiteral("/volume1/pve-images")},
                      {QStringLiteral("path"), QStringLiteral("/mnt/pve/nas-images")}};
    auto &old = add("usb-old", "dir", "backup", 0, 0);
    old.enabled = false;
    old.options = {{QStringLiteral("path"), QStringLiteral("/mnt/usb")},
                   {QStringLiteral("disable"), QStringLiteral("1")}};
}

void addPoolsAndHa(World &world)
{
    const auto pool = [&](const char *name, const char *comment, const QStringList &guests,
                          const QStringList &storages) {
        world.pools.push_back({QLatin1String(name), QLatin1String(comment), guests, storages});
    };
    pool("media", "Films, music and what feeds them",
         {QStringLiteral("104"), QStringLiteral("106"), QStringLiteral("107"), QStringLiteral("205")}, {});
    pool("prod", "Do not touch on weekdays",
         {QStringLiteral("101"), QStringLiteral("201"), QStringLiteral("202"), QStringLiteral("203")},
         {QStringLiteral("nas-images")});
    pool("lab", "",
         {QStringLiteral("120"), QStringLiteral("121"), QStringLiteral("210"), QStringLiteral("211"),
          QStringLiteral("212")},
         {});
    world.poolsChanged();
    world.ha.push_back(
        {QStringLiteral("vm:201"), QStringLiteral("started"), QStringLiteral("the database of everything"), 2, 1});
    world.ha.push_back({QStringLiteral("ct:203"), QStringLiteral("started"), QString(), 1, 1});
    world.ha.push_back({QStringLiteral("vm:213"), QStringLiteral("stopped"), QString(), 1, 1});
}

void addBackupJob(World &world)
{
    const auto text = [](const char *words) { return QString::fromLatin1(words); };
    world.backupJobs.append({{text("id"), text("nightly")},
                             {text("type"), text("vzdump")},
                             {text("schedule"), text("03:00")},
                             {text("storage"), text("nas-backup")},
                             {text("mode"), text("snapshot")},
                             {text("enabled"), 1},
                             {text("vmid"), text("101,104,105,201,202")},
                             {text("comment"), text("every night")}});
}

void addAccounts(World &world)
{
    auto &access = world.access;
    const auto user = [&](const char *id, const QString &password, const char *comment) -> AccessUser & {
        AccessUser added;
        added.id = QLatin1String(id);
        added.password = password;
        added.comment = QLatin1String(comment);
        return access.users.emplace_back(added);
    };
    const auto token = [](AccessUser &owner, const char *name, bool separated) {
        const auto full = owner.id + u'!' + QLatin1String(name);
        owner.tokens.push_back({QLatin1String(name), Homelab::tokenSecret(full), {}, separated, 0});
    };
    user("root@pam", Homelab::rootPassword, "").email = QStringLiteral("root@homelab.test");
    token(access.users.back(), "ci", false);
    user("labhelm@pve", {}, "Labhelm");
    token(access.users.back(), "desktop", false);
    token(access.users.back(), "bare", true);
    user("auditor@pve", {}, "Looks only");
    token(access.users.back(), "view", true);
    user("media@pve", {}, "The children's films");
    token(access.users.back(), "pool", true);
    user("operator@pve", Homelab::operatorPassword, "Starts and stops");
    user("former@pve", QStringLiteral("former-password"), "Left in spring").enabled = false;
    access.roles.insert(QStringLiteral("PowerOp"), {QStringLiteral("VM.Audit"), QStringLiteral("VM.PowerMgmt")});
    const auto grant = [&](const char *path, const char *who, const char *role) {
        access.grants.push_back({QLatin1String(path), QLatin1String(who), QLatin1String(role), true});
    };
    grant("/", "labhelm@pve", "Administrator");
    grant("/", "auditor@pve", "PVEAuditor");
    grant("/", "auditor@pve!view", "PVEAuditor");
    grant("/pool/media", "media@pve", "PVEVMUser");
    grant("/pool/media", "media@pve!pool", "PVEVMUser");
    grant("/vms", "operator@pve", "PowerOp");
}
} // namespace

QString Homelab::tokenSecret(const QString &fullTokenId)
{
    const auto hash = QCryptographicHash::hash(QByteArrayLiteral("simulated token ") + fullTokenId.toUtf8(),
                                               QCryptographicHash::Sha1);
    const auto hex = QString::fromLatin1(hash.toHex());
    return QStringLiteral("%1-%2-4%3-a%4-%5")
        .arg(hex.mid(0, 8), hex.mid(8, 4), hex.mid(12, 3), hex.mid(15, 3), hex.mid(18, 12));
}

QByteArray Homelab::authorization(const QString &fullTokenId)
{
    return "PVEAPIToken=" + fullTokenId.toUtf8() + '=' + tokenSecret(fullTokenId).toUtf8();
}

void Homelab::build(World &world, int guests)
{
    world.clusterName = QStringLiteral("homelab");
    world.localNode = QStringLiteral("pve1");
    addNodes(world);
    addStorages(world);
    HomelabParts::addGuests(world);
    HomelabParts::addMore(world, guests);
    HomelabParts::addSnapshots(world);
    HomelabParts::addVolumes(world);
    addPoolsAndHa(world);
    addBackupJob(world);
    addAccounts(world);
    HomelabParts::addHistory(world);
}
