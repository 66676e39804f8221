#include "simulator/RecordedCluster.h"
#include <QCryptographicHash>

namespace
{
constexpr qint64 firstNumbers = 1796030340;
constexpr double usualPace = 0.05;

QString text(const char *words)
{
    return QString::fromUtf8(words);
}

Guest &vm(World &world, int vmid, const char *name, const char *memory)
{
    Guest guest;
    guest.vmid = vmid;
    guest.node = text("pve1");
    guest.plainMonitor = true;
    guest.knownSince = firstNumbers;
    if (*name)
        guest.config[text("name")] = text(name);
    if (*memory)
        guest.config[text("memory")] = text(memory);
    guest.config[text("meta")] = text("creation-qemu=10.0.13,ctime=1796030555");
    guest.config[text("vmgenid")] = text("00000000-0000-4000-8000-000000000000");
    guest.config[text("smbios1")] = text("uuid=00000000-0000-4000-8000-000000000000");
    guest.stops.append({firstNumbers, 0});
    return world.add(guest);
}

Guest &web1(World &world)
{
    auto &guest = vm(world, 100, "web1", "256");
    guest.knownSince = 1796030640;
    guest.config.insert({{text("cores"), text("1")},
                         {text("serial0"), text("socket")},
                         {text("args"), text("-kernel /var/lib/vz/ga-vmlinuz -append \"console=ttyS0 panic=5\"")},
                         {text("agent"), text("1")},
                         {text("boot"), text("order=scsi0;net0")},
                         {text("parent"), text("s1")},
                         {text("ostype"), text("l26")},
                         {text("kvm"), text("0")},
                         {text("net0"), text("virtio=BC:24:11:82:7F:D0,bridge=vmbr0")},
                         {text("scsi0"), text("local-dir:100/vm-100-disk-0.qcow2,size=1G")},
                         {text("onboot"), text("0")},
                         {text("scsihw"), text("virtio-scsi-pci")}});
    guest.stops = {{1796030640, 1796030700}};
    guest.run = Guest::Run::Running;
    guest.startedAt = 1796032040;
    guest.pid = 23383;
    // Its agent answers, but the guest did not go down within a minute.
    guest.ignoresShutdown = true;
    GuestSnapshot snapshot;
    snapshot.name = text("s1");
    snapshot.config = guest.config;
    snapshot.config[text("snaptime")] = text("1796031000");
    guest.snapshots.append(snapshot);
    return guest;
}

Guest &container(World &world, int vmid, const char *name, const char *memory)
{
    Guest guest;
    guest.vmid = vmid;
    guest.kind = GuestKind::Lxc;
    guest.node = text("pve1");
    guest.knownSince = 1796031420;
    guest.hostCpus = 2;
    guest.config = {{text("hostname"), text(name)},
                    {text("memory"), text(memory)},
                    {text("swap"), text("0")},
                    {text("ostype"), text("debian")},
                    {text("arch"), text("amd64")},
                    {text("rootfs"), text("local-dir:%1/subvol-%1-disk-0.subvol,size=0T").arg(vmid)},
                    {text("net0"), text("name=eth0,bridge=vmbr0,hwaddr=BC:24:11:7F:C8:06,type=veth")}};
    guest.stops = {{1796031420, 1796031480}};
    return world.add(guest);
}

void joinCluster(World &world)
{
    world.clusterName = text("scratch");
    auto second = *world.node(text("pve1"));
    second.name = text("pve2");
    second.address = text("10.0.0.3");
    second.id = 2;
    world.node(text("pve1"))->id = 1;
    world.nodes.push_back(second);
}

void addVolume(World &world, const char *id, const char *content, const char *format, qint64 size, int vmid)
{
    Volume volume;
    volume.id = text(id);
    volume.storage = volume.id.section(u':', 0, 0);
    volume.node = text("pve1");
    volume.content = text(content);
    volume.format = text(format);
    volume.size = size;
    volume.used = size / 3;
    volume.created = 1796032575;
    volume.vmid = vmid;
    world.volumes.push_back(volume);
}

void addStrangers(World &world)
{
    const auto nowhere = [](const char *name) {
        return std::pair(500, QStringLiteral("address lookup for '%1' did not find any IP address").arg(text(name)));
    };
    world.strangers = {{text("pve2"), {595, text("No route to host")}},
                       {text("pve3"), nowhere("pve3")},
                       {text("pve4"), nowhere("pve4")},
                       {text("pve5"), nowhere("pve5")}};
}

void interrupt(World &world, const char *type)
{
    for (const auto *task : world.tasks())
        if (task->isRunning() && task->type == text(type))
            world.interrupt(task->upid);
}

void addFirstVolumes(World &world)
{
    addVolume(world, "local:vztmpl/debian-13-busybox_13.0-1_amd64.tar.zst", "vztmpl", "tzst", 48277589, 0);
    addVolume(world, "local-dir:100/vm-100-disk-0.qcow2", "images", "qcow2", 1 << 30, 100);
    addVolume(world, "local-dir:200/subvol-200-disk-0.subvol", "rootdir", "subvol", 0, 200);
}

/// One disk and one device.
void addHardware(ClusterNode &node)
{
    QJsonObject disk{{text("size"), qint64(274877906944)},
                     {text("rpm"), -1},
                     {text("gpt"), 0},
                     {text("mounted"), 1},
                     {text("osdid"), -1},
                     {text("osdid-list"), QJsonValue()}};
    for (const auto *key : {"devpath", "health", "model", "serial", "type", "used", "vendor", "wearout", "wwn"})
        disk.insert(text(key), text("unknown"));
    node.disks = {disk};
    QJsonObject device{{text("iommugroup"), -1}};
    for (const auto *key : {"id", "class", "vendor", "device", "subsystem_vendor", "subsystem_device"})
        device.insert(text(key), text("0x1af4"));
    for (const auto *key : {"vendor_name", "subsystem_vendor_name", "device_name"})
        device.insert(text(key), text("Red Hat, Inc."));
    node.pciDevices = {device};
}

void startTried(World &world)
{
    TaskPlan plan;
    plan.node = text("pve1");
    plan.type = text("qmstart");
    plan.id = text("100");
    plan.user = text("root@pam");
    world.addFinished(plan, world.now(), text("VM 100 already running"));
}

void bringBack205(World &world)
{
    world.guest(205)->node = text("pve1");
    for (auto &volume : world.volumes)
        if (volume.vmid == 205)
            volume.node = text("pve1");
}

void partition(World &world, bool apart)
{
    world.quorate = !apart;
    world.setOnline(text("pve2"), !apart);
}

QString recreated(World &world, const QString &upid)
{
    const auto parts = upid.split(u':');
    TaskPlan plan;
    plan.node = parts.value(1);
    plan.type = parts.value(5);
    plan.id = parts.value(6);
    plan.user = parts.value(7);
    world.addFinished(plan, world.now(), text("OK"));
    return world.tasks().first()->upid;
}

using Change = void (*)(World &);

const QHash<int, Change> outside{
    // Uploads that were recorded again later had been there before.
    {204, [](World &w) { recreated(w, text("UPID:pve1:0:0:0:imgcopy::root@pam!ci:")); }},
    {233, [](World &w) { addVolume(w, "local:iso/first.iso", "iso", "iso", 5000, 0); }},
    // The first clone hung, and was given up.
    {347, [](World &w) { w.taskPace = 1000; }},
    {348, [](World &w) { w.taskPace = usualPace; }},
    {352, [](World &w) { interrupt(w, "qmclone"); }},
    {474, [](World &w) { addVolume(w, "local-dir:102/vm-102-extra.qcow2", "images", "qcow2", 64 << 20, 102); }},
    // There was no program that saves a virtual machine: that backup failed.
    {482, [](World &w) { w.setConfig(101, text("lock"), text("backup")); }},
    {483, [](World &w) { w.setConfig(101, text("lock"), {}); }},
    // Somebody tried to start what runs.
    {501, startTried},
    {583, addStrangers},
    {588,
     [](World &w) {
         AccessUser tina;
         tina.id = text("tina@pve");
         tina.email = text("tina@example.test");
         tina.password = text("a-password");
         w.access.users.push_back(tina);
     }},
    {602,
     [](World &w) {
         w.strangers[text("pve3")] = {595, text("Connection refused")};
     }},
    {603,
     [](World &w) {
         w.strangers[text("pve4")] = {596, text("error:0A00010B:SSL routines::wrong version number")};
     }},
    {605,
     [](World &w) {
         w.strangers[text("pve5")] = {596, text("Connection timed out")};
     }},
    {701, joinCluster},
    {741, [](World &w) { partition(w, true); }},
    {759, [](World &w) { partition(w, false); }},
    {736, bringBack205},
};

}

void RecordedCluster::before(World &world, int recording)
{
    if (const auto change = outside.value(recording))
        change(world);
    // Whatever came about since: its monitor tells as little as the others', and it counts two processors.
    for (auto *guest : world.guests()) {
        guest->plainMonitor = guest->isQemu();
        guest->hostCpus = 2;
    }
    world.poolsChanged();
}

QString RecordedCluster::finish(World &world, const QString &upid)
{
    return recreated(world, upid);
}

QByteArray RecordedCluster::upload(int recording)
{
    static const QHash<int, QByteArray> names{{453, "test.iso"},  {454, "test2.iso"}, {455, "test3.iso"},
                                              {456, "test4.iso"}, {457, "bad.iso"},   {458, "test.iso"}};
    const QByteArray mark = "------qtBoundary1\r\nContent-Disposition: form-data; name=\"";
    const QByteArray file(recording == 458 ? 5000 : 1'000'000, 'x');
    auto body = mark + "content\"\r\n\r\niso\r\n";
    if (recording == 456 || recording == 457)
        body += mark + "checksum-algorithm\"\r\n\r\nsha256\r\n" + mark + "checksum\"\r\n\r\n" +
                (recording == 456 ? QCryptographicHash::hash(file, QCryptographicHash::Sha256).toHex()
                                  : QByteArray(64, '0')) +
                "\r\n";
    return body + mark + "filename\"; filename=\"" + names.value(recording) +
           "\"\r\nContent-Type: application/octet-stream\r\n\r\n" + file + "\r\n------qtBoundary1--\r\n";
}

void RecordedCluster::build(World &world)
{
    world.localNode = text("pve1");
    ClusterNode node;
    node.name = text("pve1");
    node.address = text("10.0.0.2");
    node.fingerprint = text("00:11");
    node.cpus = 2;
    node.cgroupMode = 1;
    node.hasKvm = false;
    addHardware(node);
    node.memory = 25276026880;
    node.disk = 270553174016;
    node.diskUsed = 27252994048;
    node.bootedAt = node.knownSince = firstNumbers;
    world.nodes.push_back(node);
    for (const auto *name : {"local", "local-dir"}) {
        StorageDefinition storage;
        storage.name = text(name);
        storage.type = text("dir");
        storage.content = text(name) == text("local") ? text("snippets,iso,vztmpl,backup,import").split(u',')
                                                      : text("images,rootdir").split(u',');
        storage.options = {{text("path"), text(name) == text("local") ? text("/var/lib/vz") : text("/var/lib/vz2")}};
        storage.total = node.disk;
        storage.used = node.diskUsed;
        world.storages.push_back(storage);
    }
    AccessUser root;
    root.id = text("root@pam");
    root.password = text("a-password");
    root.email = text("root@example.test");
    world.access.users.push_back(root);
    addFirstVolumes(world);
    web1(world);
    auto &ct = container(world, 200, "ct200", "128");
    ct.run = Guest::Run::Running;
    ct.startedAt = 1796031400;
    world.haManagerRuns = false;
    world.taskPace = usualPace;
}
