#include "simulator/api/GuestMigration.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"
#include "simulator/world/Metrics.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
using What = QString (*)(World &, Guest &, const QString &target);

QString start(World &world, Guest &guest, const QString &)
{
    if (guest.isRunning())
        return {};
    const auto problem = GuestTasks::startProblem(world, guest);
    if (problem.isEmpty())
        world.start(guest);
    return problem;
}

QString shutdown(World &world, Guest &guest, const QString &)
{
    if (!guest.isRunning())
        return {};
    if (guest.ignoresShutdown)
        return u"VM quit/powerdown failed - got timeout"_s;
    world.stop(guest);
    return {};
}

QString suspend(World &, Guest &guest, const QString &)
{
    if (guest.run == Guest::Run::Running && guest.isQemu())
        guest.run = Guest::Run::Paused;
    return {};
}

QString migrate(World &world, Guest &guest, const QString &target)
{
    if (guest.node == target)
        return {};
    const GuestMigration move(world, guest, target);
    const auto problem = move.blocked();
    if (problem.isEmpty())
        world.run(move.plan(u"root@pam"_s));
    return problem;
}

/// Guests that the call speaks of: named, or all of the node.
QList<qint64> selected(const Call &call, bool onNode)
{
    QList<qint64> found;
    QStringList named;
    for (const auto &value : call.given.values(u"vms"_s))
        for (const auto &vmid : value.split(u',', Qt::SkipEmptyParts))
            named.append(vmid.trimmed());
    for (const auto *guest : std::as_const(call.world).guests()) {
        const bool wanted = named.isEmpty() ? onNode : named.contains(QString::number(guest->vmid));
        if (wanted && (!onNode || guest->node == call.node()) && !guest->isTemplate())
            found.append(guest->vmid);
    }
    return found;
}

/// One after the other; who fails is named at the end, unless it is a node's own affair.
ApiAnswer run(Call &call, const QString &type, What what, const QString &failure, QList<qint64> guests)
{
    for (const auto vmid : std::as_const(guests))
        if (const auto path = u"/vms/%1"_s.arg(vmid); !call.may(path, "VM.PowerMgmt"))
            return ApiAnswer::refused(path + ", VM.PowerMgmt"_L1);
    auto &world = call.world;
    TaskPlan plan;
    plan.node = failure.isEmpty() ? call.node() : world.localNode;
    plan.type = type;
    plan.user = call.user();
    plan.duration = 500ms + int(guests.size()) * 1s;
    plan.finish = [&world, what, failure, guests, target = call.text("target")] {
        QStringList failed;
        for (const auto vmid : guests)
            if (auto *guest = world.guest(vmid); guest && !what(world, *guest, target).isEmpty())
                failed.append(QString::number(vmid));
        return failed.isEmpty() || failure.isEmpty() ? QString() : failure + failed.join(", "_L1);
    };
    return GuestTasks::run(call, plan);
}

/// Without names and without force, only what starts with the node.
ApiAnswer startAll(Call &call)
{
    if (!call.world.quorate)
        return ApiAnswer::failed(u"cluster not ready - no quorum?"_s);
    auto guests = selected(call, true);
    if (!call.has("vms") && !call.flag("force"))
        guests.removeIf([&](qint64 vmid) { return call.world.guest(vmid)->config.value(u"onboot"_s) != u'1'; });
    return run(call, u"startall"_s, start, {}, guests);
}

ApiAnswer stopAll(Call &call)
{
    return run(call, u"stopall"_s, shutdown, {}, selected(call, true));
}

ApiAnswer suspendAll(Call &call)
{
    return run(call, u"suspendall"_s, suspend, {}, selected(call, true));
}

ApiAnswer migrateAll(Call &call)
{
    if (!call.world.node(call.text("target")))
        return ApiAnswer::failed(u"no such cluster node '%1'"_s.arg(call.text("target")));
    if (call.text("target") == call.node())
        return ApiAnswer::invalid(u"target"_s, u"target is local node."_s);
    return run(call, u"migrateall"_s, migrate, {}, selected(call, true));
}

ApiAnswer bulkStart(Call &call)
{
    return run(call, u"bulk-start"_s, start, u"Some guests failed to start: "_s, selected(call, false));
}

ApiAnswer bulkShutdown(Call &call)
{
    return run(call, u"bulk-shutdown"_s, shutdown, u"Some guests failed to shutdown: "_s, selected(call, false));
}

ApiAnswer bulkSuspend(Call &call)
{
    return run(call, u"bulk-suspend"_s, suspend, u"Some guests failed to suspend: "_s, selected(call, false));
}

/// The node goes down after its guests; asked to come back, it does after a minute, with what starts by itself.
ApiAnswer power(Call &call)
{
    auto &world = call.world;
    const auto name = call.node();
    // The node that answers would have to fall silent.
    if (name == world.localNode)
        return call.notAnswered();
    world.after(10s, [&world, name] {
        for (auto *guest : world.guests())
            if (guest->node == name && guest->isRunning())
                world.stop(*guest);
        world.setOnline(name, false);
    });
    if (call.text("command") == "shutdown"_L1)
        return ApiAnswer::ok();
    world.after(70s, [&world, name] {
        world.setOnline(name, true);
        for (auto *guest : world.guests())
            if (guest->node == name && guest->config.value(u"onboot"_s) == u'1')
                start(world, *guest, {});
    });
    return ApiAnswer::ok();
}

/// Traffic of every card, as text.
ApiAnswer netstat(Call &call)
{
    const Metrics metrics(call.world);
    QJsonArray rows;
    for (const auto *guest : std::as_const(call.world).guests()) {
        if (guest->node != call.node() || !guest->isRunning())
            continue;
        for (auto it = guest->config.begin(); it != guest->config.end(); ++it)
            if (it.key().startsWith("net"_L1) && it.key().size() <= 5)
                rows.append(
                    QJsonObject{{"vmid"_L1, QString::number(guest->vmid)},
                                {"dev"_L1, it.key()},
                                {"in"_L1, QString::number(metrics.sinceStart(*guest, &Metrics::Guest::netIn))},
                                {"out"_L1, QString::number(metrics.sinceStart(*guest, &Metrics::Guest::netOut))}});
    }
    return ApiAnswer::ok(rows);
}
} // namespace

void calls::addGuestBulk(Routes &routes)
{
    routes.add("POST /nodes/{node}/startall", startAll);
    routes.add("POST /nodes/{node}/stopall", stopAll);
    routes.add("POST /nodes/{node}/suspendall", suspendAll);
    routes.add("POST /nodes/{node}/migrateall", migrateAll);
    routes.add("POST /cluster/bulk-action/guest/start", bulkStart);
    routes.add("POST /cluster/bulk-action/guest/shutdown", bulkShutdown);
    routes.add("POST /cluster/bulk-action/guest/suspend", bulkSuspend);
    routes.add("POST /nodes/{node}/status", power);
    routes.add("GET /nodes/{node}/netstat", netstat);
}
