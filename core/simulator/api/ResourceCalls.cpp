#include "simulator/api/ResourceRows.h"
#include "simulator/api/Routes.h"
#include "simulator/world/Metrics.h"
#include <QJsonArray>

QJsonObject ResourceRows::guest(const World &world, const Guest &guest)
{
    QJsonObject row{{QLatin1String("id"), QString(guestKindName(guest.kind) + u'/' + QString::number(guest.vmid))},
                    {QLatin1String("type"), guestKindName(guest.kind)},
                    {QLatin1String("vmid"), guest.vmid},
                    {QLatin1String("node"), guest.node},
                    {QLatin1String("status"), QStringLiteral("unknown")}};
    if (world.hasFreshNumbers(guest.node)) {
        const bool runs = guest.isRunning();
        const Metrics metrics(world);
        const auto numbers = metrics.of(guest, world.now() / 10 * 10);
        const auto total = [&](double Metrics::Guest::*rate) { return metrics.sinceStart(guest, rate); };
        row.insert(QLatin1String("name"), guest.name());
        row.insert(QLatin1String("status"), runs ? QStringLiteral("running") : QStringLiteral("stopped"));
        row.insert(QLatin1String("template"), guest.isTemplate() ? 1 : 0);
        row.insert(QLatin1String("uptime"), runs ? world.now() - guest.startedAt : 0);
        row.insert(QLatin1String("cpu"), guest.run == Guest::Run::Running ? numbers.cpu : 0);
        row.insert(QLatin1String("maxcpu"), guest.cpus());
        row.insert(QLatin1String("mem"), runs ? numbers.memory : 0);
        row.insert(QLatin1String("maxmem"), guest.memoryBytes());
        row.insert(QLatin1String("memhost"), runs && guest.isQemu() ? numbers.memory + (numbers.memory >> 5) : 0);
        row.insert(QLatin1String("disk"), guest.isQemu() || !runs ? 0 : metrics.rootDiskUsed(guest));
        row.insert(QLatin1String("maxdisk"), guest.diskBytes());
        row.insert(QLatin1String("netin"), total(&Metrics::Guest::netIn));
        row.insert(QLatin1String("netout"), total(&Metrics::Guest::netOut));
        row.insert(QLatin1String("diskread"), guest.plainMonitor ? 0 : total(&Metrics::Guest::diskRead));
        row.insert(QLatin1String("diskwrite"), guest.plainMonitor ? 0 : total(&Metrics::Guest::diskWrite));
    }
    for (const auto *key : {"lock", "tags"})
        if (const auto value = guest.config.value(QLatin1String(key)); !value.isEmpty())
            row.insert(QLatin1String(key), value);
    if (const auto pool = world.poolOf(guest.vmid); !pool.isEmpty())
        row.insert(QLatin1String("pool"), pool);
    if (const auto *resource = world.haOf(guest); resource && world.haManagerRuns)
        row.insert(QLatin1String("hastate"), resource->state);
    return row;
}

QJsonObject ResourceRows::node(const World &world, const ClusterNode &node, bool withNumbers, Caller caller)
{
    QJsonObject row{{QLatin1String("id"), QString(QLatin1String("node/") + node.name)},
                    {QLatin1String("type"), QLatin1String("node")},
                    {QLatin1String("node"), node.name},
                    {QLatin1String("status"), node.online ? QLatin1String("online") : QLatin1String("offline")}};
    const bool fresh = world.hasFreshNumbers(node.name);
    if (caller == Caller::Nodes)
        row.insert(QLatin1String("ssl_fingerprint"), node.fingerprint);
    else if (fresh)
        row.insert(QLatin1String("cgroup-mode"), node.cgroupMode);
    if (!fresh)
        return row;
    row.insert(QLatin1String("level"), QString());
    if (!withNumbers)
        return row;
    row.insert(QLatin1String("maxcpu"), node.cpus);
    row.insert(QLatin1String("maxmem"), node.memory);
    row.insert(QLatin1String("maxdisk"), node.disk);
    if (!node.online)
        return row;
    const auto numbers = Metrics(world).of(node, world.now() / 10 * 10);
    row.insert(QLatin1String("cpu"), numbers.cpu);
    row.insert(QLatin1String("mem"), numbers.memory);
    row.insert(QLatin1String("disk"), node.diskUsed);
    row.insert(QLatin1String("uptime"), world.now() - node.bootedAt);
    return row;
}

QJsonObject ResourceRows::storage(const World &world, const StorageDefinition &storage, const ClusterNode &node)
{
    QJsonObject row{{QLatin1String("id"), QString(QLatin1String("storage/") + node.name + u'/' + storage.name)},
                    {QLatin1String("type"), QLatin1String("storage")},
                    {QLatin1String("storage"), storage.name},
                    {QLatin1String("node"), node.name},
                    {QLatin1String("content"), storage.content.join(u',')},
                    {QLatin1String("plugintype"), storage.type},
                    {QLatin1String("shared"), storage.shared ? 1 : 0},
                    {QLatin1String("status"), QStringLiteral("unknown")}};
    if (!world.hasFreshNumbers(node.name))
        return row;
    row.insert(QLatin1String("status"), QStringLiteral("available"));
    row.insert(QLatin1String("disk"), Metrics(world).storageUsed(storage, node.name, world.now() / 10 * 10));
    row.insert(QLatin1String("maxdisk"), storage.total);
    return row;
}

namespace
{
void appendGuests(const Call &call, QJsonArray &data)
{
    for (const auto *guest : std::as_const(call.world).guests())
        if (call.may(QStringLiteral("/vms/") + QString::number(guest->vmid), "VM.Audit"))
            data.append(ResourceRows::guest(call.world, *guest));
}

void appendStorages(const Call &call, QJsonArray &data)
{
    for (const auto &storage : call.world.storages)
        for (const auto &node : call.world.nodes)
            if (storage.isOn(node.name) && call.may(QStringLiteral("/storage/") + storage.name, "Datastore.Audit"))
                data.append(ResourceRows::storage(call.world, storage, node));
}

void appendNetworks(const Call &call, QJsonArray &data)
{
    const auto name = QStringLiteral("localnetwork");
    if (!call.may(QStringLiteral("/sdn/zones/") + name, "SDN.Audit"))
        return;
    for (const auto &node : call.world.nodes) {
        if (!call.world.hasFreshNumbers(node.name))
            continue;
        QJsonObject row{{QLatin1String("node"), node.name}, {QLatin1String("status"), QLatin1String("ok")}};
        if (!call.release().listsNetworks) {
            row.insert(QLatin1String("id"), QString(QLatin1String("sdn/") + node.name + u'/' + name));
            row.insert(QLatin1String("type"), QLatin1String("sdn"));
            row.insert(QLatin1String("sdn"), name);
        } else {
            row.insert(QLatin1String("id"),
                       QString(QLatin1String("network/") + node.name + QLatin1String("/zone/") + name));
            row.insert(QLatin1String("type"), QLatin1String("network"));
            row.insert(QLatin1String("network"), name);
            row.insert(QLatin1String("network-type"), QLatin1String("zone"));
        }
        data.append(row);
    }
}

ApiAnswer resources(Call &call)
{
    const auto type = call.text("type");
    QJsonArray data;
    if (type.isEmpty())
        for (const auto &pool : call.world.pools)
            if (call.may(QStringLiteral("/pool/") + pool.name, "Pool.Audit"))
                data.append(QJsonObject{{QLatin1String("id"), QString(QLatin1String("/pool/") + pool.name)},
                                        {QLatin1String("type"), QLatin1String("pool")},
                                        {QLatin1String("pool"), pool.name}});
    if (type.isEmpty() || type == QLatin1String("vm"))
        appendGuests(call, data);
    if (type.isEmpty() || type == QLatin1String("node"))
        for (const auto &node : call.world.nodes)
            data.append(ResourceRows::node(call.world, node,
                                           call.may(QStringLiteral("/nodes/") + node.name, "Sys.Audit"),
                                           ResourceRows::Caller::Resources));
    if (type.isEmpty() || type == QLatin1String("storage"))
        appendStorages(call, data);
    if (type.isEmpty() || type == QLatin1String("sdn"))
        appendNetworks(call, data);
    return ApiAnswer::ok(data);
}
} // namespace

void calls::addResources(Routes &routes)
{
    routes.add("GET /cluster/resources", resources);
}
