#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"
#include <QDateTime>
#include <QLocale>

using namespace std::chrono_literals;

namespace
{
/// How often the manager looks.
constexpr auto round = 10s;

Guest *guestOf(World &world, const QString &sid)
{
    auto *guest = world.guest(sid.section(u':', -1).toLongLong());
    const QString kind = guest && guest->isQemu() ? "vm" : "ct";
    return guest && (!sid.contains(u':') || sid.section(u':', 0, 0) == kind) ? guest : nullptr;
}

/// "vm:101", of a bare number too.
QString sidOf(const Call &call)
{
    const auto given = call.text("sid");
    if (given.contains(u':'))
        return given;
    const auto *guest = guestOf(call.world, given);
    return guest ? (guest->isQemu() ? "vm:" : "ct:") + given : given;
}

HaResource *resourceOf(const Call &call)
{
    auto &all = call.world.ha;
    const auto sid = sidOf(call);
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto &resource) { return resource.sid == sid; });
    return found == all.end() ? nullptr : &*found;
}

QJsonObject row(const HaResource &resource)
{
    QJsonObject data{{"sid", resource.sid}, {"type", resource.sid.section(u':', 0, 0)}};
    if (resource.saysState)
        data.insert("state", resource.state);
    if (!resource.comment.isEmpty())
        data.insert("comment", resource.comment);
    if (!resource.group.isEmpty())
        data.insert("group", resource.group);
    if (resource.maxRestart)
        data.insert("max_restart", *resource.maxRestart);
    if (resource.maxRelocate)
        data.insert("max_relocate", *resource.maxRelocate);
    if (resource.failback)
        data.insert("failback", *resource.failback ? 1 : 0);
    return data;
}

QList<QJsonObject> rows(const World &world)
{
    QList<QJsonObject> all;
    for (const auto &resource : world.ha)
        all.append(row(resource));
    return all;
}

QString digest(const World &world)
{
    const auto all = ClusterFile::withDigest(rows(world));
    return all.isEmpty() ? ClusterFile::digest(QByteArray()) : all[0].toObject().value("digest").toString();
}

ApiAnswer list(Call &call)
{
    QJsonArray data;
    for (const auto &each : ClusterFile::withDigest(rows(call.world)))
        if (!call.has("type") || each.toObject().value("type").toString() == call.text("type"))
            data.append(each);
    return ApiAnswer::ok(data);
}

ApiAnswer noSuchResource(const Call &call)
{
    return ApiAnswer::failed(QStringLiteral("no such resource '%1'").arg(sidOf(call)));
}

ApiAnswer get(Call &call)
{
    const auto *resource = resourceOf(call);
    if (!resource)
        return noSuchResource(call);
    auto data = row(*resource);
    data.insert("digest", digest(call.world));
    return ApiAnswer::ok(data);
}

/// The manager brings a guest to where it shall be, by a task of its own.
void bringTo(World &world, const QString &sid)
{
    world.after(round, [&world, sid] {
        const auto found =
            std::find_if(world.ha.begin(), world.ha.end(), [&](const auto &resource) { return resource.sid == sid; });
        auto *guest = guestOf(world, sid);
        if (found == world.ha.end() || !guest || !world.haManagerRuns || !world.quorate)
            return;
        const bool shallRun = found->state == "started" || found->state == "enabled";
        if (found->state == "ignored" || shallRun == guest->isRunning())
            return;
        TaskPlan plan;
        plan.node = guest->node;
        plan.type = QString(guest->isQemu() ? "qm" : "vz") + (shallRun ? "start" : "shutdown");
        plan.id = QString::number(guest->vmid);
        plan.user = "root@pam";
        plan.finish = [&world, vmid = guest->vmid, shallRun] {
            auto *moved = world.guest(vmid);
            if (moved && shallRun != moved->isRunning())
                shallRun ? world.start(*moved) : world.stop(*moved);
            return QString();
        };
        world.run(plan);
    });
}

void takeOver(const Call &call, HaResource &resource)
{
    if (call.has("state")) {
        resource.state = call.text("state");
        resource.saysState = true;
    }
    if (call.has("comment"))
        resource.comment = call.text("comment");
    if (call.has("group"))
        resource.group = call.text("group");
    if (call.has("max_restart"))
        resource.maxRestart = int(*call.given.integer("max_restart"));
    if (call.has("max_relocate"))
        resource.maxRelocate = int(*call.given.integer("max_relocate"));
    if (call.has("failback"))
        resource.failback = call.flag("failback");
}

std::optional<ApiAnswer> refusedGroup(const Call &call)
{
    if (!call.has("group"))
        return std::nullopt;
    if (call.release().hasHaRules)
        return ApiAnswer::failed("invalid parameter 'group': ha groups have been migrated to rules");
    for (const auto &group : call.world.haGroups)
        if (group.value("group").toString() == call.text("group"))
            return std::nullopt;
    return ApiAnswer::failed(QStringLiteral("HA group '%1' does not exist").arg(call.text("group")));
}

ApiAnswer create(Call &call)
{
    if (!call.world.quorate)
        return ApiAnswer::failed("cluster not ready - no quorum?");
    const auto sid = sidOf(call);
    if (!guestOf(call.world, sid))
        return ApiAnswer::failed(QStringLiteral("resource '%1' does not exist in cluster").arg(sid));
    if (auto refusal = refusedGroup(call))
        return *refusal;
    if (resourceOf(call))
        return ClusterFile(call, "domain-ha", "create resource failed")
            .failed(QStringLiteral("resource ID '%1' already defined").arg(sid));
    HaResource resource;
    resource.sid = sid;
    resource.saysState = false;
    takeOver(call, resource);
    call.world.ha.push_back(resource);
    bringTo(call.world, sid);
    return ApiAnswer::ok();
}

ApiAnswer update(Call &call)
{
    if (auto refusal = refusedGroup(call))
        return *refusal;
    const ClusterFile file(call, "domain-ha", "update resource failed");
    if (auto refusal = file.refusal())
        return *refusal;
    if (ClusterFile::isStale(call, digest(call.world)))
        return file.failed("detected modified configuration - file changed by other user? Try again.");
    auto *resource = resourceOf(call);
    if (!resource)
        return file.failed(QStringLiteral("no such resource '%1'").arg(sidOf(call)));
    takeOver(call, *resource);
    const auto gone = call.given.list("delete");
    if (gone.contains("comment"))
        resource->comment.clear();
    if (gone.contains("group"))
        resource->group.clear();
    if (gone.contains("max_restart"))
        resource->maxRestart.reset();
    if (gone.contains("max_relocate"))
        resource->maxRelocate.reset();
    if (gone.contains("failback"))
        resource->failback.reset();
    bringTo(call.world, resource->sid);
    return ApiAnswer::ok();
}

/// Rules forget a guest that is no longer looked after; a rule about it alone goes.
void purge(World &world, const QString &sid)
{
    QList<QJsonObject> left;
    for (auto rule : std::as_const(world.haRules)) {
        auto resources = rule.value("resources").toString().split(u',');
        resources.removeAll(sid);
        rule.insert("resources", resources.join(u','));
        if (!resources.isEmpty())
            left.append(rule);
    }
    world.haRules = left;
}

ApiAnswer remove(Call &call)
{
    const auto sid = sidOf(call);
    const ClusterFile file(call, "domain-ha", "delete resource failed");
    if (auto refusal = file.refusal())
        return *refusal;
    if (!resourceOf(call))
        return ApiAnswer::failed(QStringLiteral("resource '%1' is not HA managed").arg(sid));
    std::erase_if(call.world.ha, [&](const auto &resource) { return resource.sid == sid; });
    if (call.release().hasHaRules && call.flag("purge", true))
        purge(call.world, sid);
    return ApiAnswer::ok();
}

/// Asks the manager to take a guest elsewhere; that happens later, by a task.
ApiAnswer relocate(Call &call)
{
    const auto sid = sidOf(call);
    if (!resourceOf(call))
        return ApiAnswer::failed(QStringLiteral("resource '%1' is not HA managed").arg(sid));
    const auto target = call.text("node");
    auto &world = call.world;
    world.after(round, [&world, sid, target] {
        const auto *guest = guestOf(world, sid);
        const auto *node = world.node(target);
        if (!guest || !node || !node->online || !world.haManagerRuns || guest->node == target)
            return;
        TaskPlan plan;
        plan.node = guest->node;
        plan.type = guest->isQemu() ? "qmigrate" : "vzmigrate";
        plan.id = QString::number(guest->vmid);
        plan.user = "root@pam";
        plan.duration = 20s;
        plan.finish = [&world, vmid = guest->vmid, target] {
            if (auto *moved = world.guest(vmid))
                moved->node = target;
            return QString();
        };
        world.run(plan);
    });
    return call.release().hasHaRules ? ApiAnswer::ok(QJsonObject{{"sid", sid}, {"requested-node", target}})
                                     : ApiAnswer::ok();
}

QString stateOf(const World &world, const HaResource &resource)
{
    if (!world.haManagerRuns)
        return "queued";
    if (resource.state == "ignored" || resource.state == "disabled")
        return resource.state;
    const auto *guest = world.guest(resource.sid.section(u':', 1).toLongLong());
    return guest && guest->isRunning() ? "started" : "stopped";
}

QJsonObject quorum(const World &world)
{
    return {{"id", "quorum"},
            {"type", "quorum"},
            {"node", world.localNode},
            {"quorate", world.quorate ? 1 : 0},
            {"status", world.quorate ? QString("OK") : QStringLiteral("No quorum on node '%1'!").arg(world.localNode)}};
}

/// The master and what runs on each node, as they say of themselves.
void appendManagers(const World &world, QJsonArray &data)
{
    const auto seen = world.now() - world.now() % 10;
    const auto when = QLocale::c().toString(QDateTime::fromSecsSinceEpoch(seen, Qt::UTC), "ddd MMM d hh:mm:ss yyyy");
    const auto append = [&](const QString &id, const QString &type, const QString &node, const QString &state) {
        data.append(QJsonObject{{"id", id},
                                {"type", type},
                                {"node", node},
                                {"timestamp", seen},
                                {"status", QStringLiteral("%1 (%2, %3)").arg(node, state, when)}});
    };
    append("master", "master", world.localNode, "active");
    for (const auto &node : world.nodes)
        append("lrm:" + node.name, "lrm", node.name, node.online ? "active" : "old timestamp - dead?");
}

ApiAnswer status(Call &call)
{
    const auto &world = call.world;
    QJsonArray data{quorum(world)};
    if (world.haManagerRuns && !world.ha.empty())
        appendManagers(world, data);
    for (const auto &resource : world.ha) {
        const auto *guest = std::as_const(world).guest(resource.sid.section(u':', 1).toLongLong());
        const auto node = guest ? guest->node : QString();
        const auto state = stateOf(world, resource);
        QJsonObject entry{{"id", "service:" + resource.sid},
                          {"sid", resource.sid},
                          {"type", "service"},
                          {"node", node},
                          {"state", state},
                          {"request_state", resource.state},
                          {"max_restart", resource.maxRestart.value_or(1)},
                          {"max_relocate", resource.maxRelocate.value_or(1)},
                          {"status", QStringLiteral("%1 (%2, %3)").arg(resource.sid, node, state)}};
        if (call.release().hasFailback)
            entry.insert("failback", resource.failback.value_or(true) ? 1 : 0);
        data.append(entry);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer managerStatus(Call &call)
{
    const auto &world = call.world;
    QJsonObject nodes;
    QJsonObject services;
    if (world.haManagerRuns)
        for (const auto &node : world.nodes)
            nodes.insert(node.name, node.online ? "online" : "unknown");
    for (const auto &resource : world.ha)
        if (const auto *guest = std::as_const(world).guest(resource.sid.section(u':', 1).toLongLong());
            guest && world.haManagerRuns)
            services.insert(resource.sid, QJsonObject{{"node", guest->node}, {"state", stateOf(world, resource)}});
    QJsonObject manager{{"node_status", nodes}};
    if (world.haManagerRuns) {
        manager.insert("master_node", world.localNode);
        manager.insert("service_status", services);
        manager.insert("timestamp", world.now() - world.now() % 10);
    }
    return ApiAnswer::ok(
        QJsonObject{{"manager_status", manager},
                    {"quorum", QJsonObject{{"node", world.localNode}, {"quorate", world.quorate ? "1" : "0"}}}});
}
} // namespace

void calls::addHa(Routes &routes)
{
    routes.add("GET /cluster/ha/resources", list);
    routes.add("POST /cluster/ha/resources", create);
    routes.add("GET /cluster/ha/resources/{sid}", get);
    routes.add("PUT /cluster/ha/resources/{sid}", update);
    routes.add("DELETE /cluster/ha/resources/{sid}", remove);
    routes.add("POST /cluster/ha/resources/{sid}/migrate", relocate);
    routes.add("POST /cluster/ha/resources/{sid}/relocate", relocate);
    routes.add("GET /cluster/ha/status/current", status);
    routes.add("GET /cluster/ha/status/manager_status", managerStatus);
}
