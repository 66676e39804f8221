#include "simulator/api/Routes.h"
#include "simulator/schema/PropertyString.h"
#include "simulator/world/Metrics.h"
#include <QJsonArray>

namespace
{
void insertPressure(QJsonObject &row, const World &world, const Guest &guest, double cpu)
{
    const auto *node = world.node(guest.node);
    const bool known = guest.isQemu() || !node || node->cgroupMode == 2;
    for (const auto *key : {"pressurecpusome", "pressurecpufull", "pressureiosome", "pressureiofull",
                            "pressurememorysome", "pressurememoryfull"})
        row.insert(QLatin1String(key), known ? QJsonValue(0) : QJsonValue());
    if (known)
        row.insert(QLatin1String("pressurecpusome"), cpu > 0.5 ? (cpu - 0.5) * 10 : 0);
}

/// What only one kind of guest has.
void insertOwn(QJsonObject &row, const Guest &guest, qint64 memory)
{
    if (!guest.isQemu()) {
        row.insert(QLatin1String("type"), QLatin1String("lxc"));
        row.insert(QLatin1String("swap"), 0);
        row.insert(QLatin1String("maxswap"), guest.swapBytes());
        return;
    }
    row.insert(QLatin1String("memhost"), guest.isRunning() ? memory + (memory >> 5) : 0);
    if (guest.config.contains(QStringLiteral("serial0")) && guest.isRunning())
        row.insert(QLatin1String("serial"), 1);
}

/// What the list and the status of one guest have in common.
QJsonObject basics(const World &world, const Guest &guest)
{
    const Metrics metrics(world);
    const auto numbers = metrics.of(guest, world.now() / 10 * 10);
    const bool runs = guest.isRunning();
    const auto cpu = guest.run == Guest::Run::Running ? numbers.cpu : 0.0;
    QJsonObject row{{QLatin1String("vmid"), guest.vmid},
                    {QLatin1String("name"), guest.name()},
                    {QLatin1String("status"), runs ? QStringLiteral("running") : QStringLiteral("stopped")},
                    {QLatin1String("uptime"), runs ? world.now() - guest.startedAt : 0},
                    {QLatin1String("cpu"), cpu},
                    {QLatin1String("cpus"), guest.cpus()},
                    {QLatin1String("mem"), runs ? numbers.memory : 0},
                    {QLatin1String("maxmem"), guest.memoryBytes()},
                    {QLatin1String("disk"), guest.isQemu() || !runs ? 0 : metrics.rootDiskUsed(guest)},
                    {QLatin1String("maxdisk"), guest.diskBytes()},
                    {QLatin1String("netin"), metrics.sinceStart(guest, &Metrics::Guest::netIn)},
                    {QLatin1String("netout"), metrics.sinceStart(guest, &Metrics::Guest::netOut)}};
    if (!guest.plainMonitor) {
        row.insert(QLatin1String("diskread"), metrics.sinceStart(guest, &Metrics::Guest::diskRead));
        row.insert(QLatin1String("diskwrite"), metrics.sinceStart(guest, &Metrics::Guest::diskWrite));
    }
    if (guest.isTemplate())
        row.insert(QLatin1String("template"), 1);
    for (const auto *key : {"lock", "tags"})
        if (const auto value = guest.config.value(QLatin1String(key)); !value.isEmpty())
            row.insert(QLatin1String(key), value);
    if (runs) {
        row.insert(QLatin1String("pid"), guest.pid);
        insertPressure(row, world, guest, cpu);
    }
    insertOwn(row, guest, numbers.memory);
    return row;
}

void insertMonitor(QJsonObject &row, const World &world, const Guest &guest)
{
    static const char *words[] = {"stopped", "running", "paused"};
    row.insert(QLatin1String("qmpstatus"), QLatin1String(words[int(guest.run)]));
    if (!guest.isRunning())
        return;
    const Metrics metrics(world);
    QJsonObject nics;
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it)
        if (it.key().startsWith(QLatin1String("net")) && it.key().size() <= 5 && it.key().at(3).isDigit())
            nics.insert(QStringLiteral("tap%1i%2").arg(guest.vmid).arg(it.key().mid(3)),
                        QJsonObject{{QLatin1String("netin"), metrics.sinceStart(guest, &Metrics::Guest::netIn)},
                                    {QLatin1String("netout"), metrics.sinceStart(guest, &Metrics::Guest::netOut)}});
    row.insert(QLatin1String("nics"), nics);
    if (guest.plainMonitor)
        return;
    row.insert(QLatin1String("balloon"), guest.memoryBytes());
    row.insert(QLatin1String("running-qemu"), QStringLiteral("10.0.2"));
    row.insert(QLatin1String("running-machine"), QStringLiteral("pc-i440fx-10.0+pve0"));
}

QJsonObject haState(const World &world, const Guest &guest)
{
    const auto *resource = world.haOf(guest);
    if (!resource)
        return {{QLatin1String("managed"), 0}};
    return {{QLatin1String("managed"), 1},
            {QLatin1String("state"), world.haManagerRuns ? QJsonValue(resource->state) : QJsonValue()}};
}

ApiAnswer list(Call &call)
{
    QJsonArray data;
    for (const auto *guest : std::as_const(call.world).guests()) {
        if (guest->node != call.node() || guest->kind != call.kind() ||
            !call.may(QStringLiteral("/vms/") + QString::number(guest->vmid), "VM.Audit"))
            continue;
        auto row = basics(call.world, *guest);
        if (call.flag("full") && guest->isQemu())
            insertMonitor(row, call.world, *guest);
        data.append(row);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer current(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    auto row = basics(call.world, *guest);
    row.insert(QLatin1String("ha"), haState(call.world, *guest));
    if (guest->isQemu()) {
        insertMonitor(row, call.world, *guest);
        if (guest->hasAgent())
            row.insert(QLatin1String("agent"), 1);
    }
    return ApiAnswer::ok(row);
}

ApiAnswer rows(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    return ApiAnswer::ok(
        Metrics(call.world).guestRows(*guest, call.text("timeframe"), call.text("cf") == QLatin1String("MAX")));
}

ApiAnswer index(Call &call)
{
    static const QString qemu =
        QStringLiteral("config cloudinit pending status unlink vncproxy termproxy migrate resize move rrd rrddata "
                       "monitor agent snapshot spiceproxy sendkey firewall mtunnel remote_migrate");
    static const QString lxc =
        QStringLiteral("config pending status vncproxy termproxy vncwebsocket spiceproxy migrate clone rrd rrddata "
                       "firewall snapshot resize interfaces");
    QJsonArray data;
    for (const auto &name : (call.kind() == GuestKind::Qemu ? qemu : lxc).split(u' '))
        data.append(QJsonObject{{QLatin1String("subdir"), name}});
    return ApiAnswer::ok(data);
}

ApiAnswer statusIndex(Call &call)
{
    QJsonArray data;
    const auto names = call.kind() == GuestKind::Qemu
                           ? QStringLiteral("current start stop reset shutdown suspend reboot")
                           : QStringLiteral("current start stop shutdown reboot migrate");
    for (const auto &name : names.split(u' '))
        data.append(QJsonObject{{QLatin1String("subdir"), name}});
    return ApiAnswer::ok(data);
}
} // namespace

void calls::addGuestStatus(Routes &routes)
{
    routes.addForGuests("GET /nodes/{node}/{kind}", list);
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}", index);
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/status", statusIndex);
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/status/current", current);
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/rrddata", rows);
}
