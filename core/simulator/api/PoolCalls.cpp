#include "simulator/api/ClusterFile.h"
#include "simulator/api/ResourceRows.h"
#include "simulator/api/Routes.h"

namespace
{
Pool *poolOf(const Call &call)
{
    auto &pools = call.world.pools;
    const auto found =
        std::find_if(pools.begin(), pools.end(), [&](const auto &pool) { return pool.name == call.text("poolid"); });
    return found == pools.end() ? nullptr : &*found;
}

QString missing(const Call &call)
{
    return QStringLiteral("pool '%1' does not exist").arg(call.text("poolid"));
}

QJsonArray members(const Call &call, const Pool &pool)
{
    const auto type = call.text("type");
    QJsonArray rows;
    for (const auto &vmid : pool.guests) {
        const auto *guest = call.world.guest(vmid.toLongLong());
        if (!guest || !call.may("/vms/" + vmid, "VM.Audit") || (!type.isEmpty() && type != guestKindName(guest->kind)))
            continue;
        auto row = ResourceRows::guest(call.world, *guest);
        for (const auto *key : {"pool", "tags", "lock", "hastate"})
            row.remove(QLatin1String(key));
        rows.append(row);
    }
    if (!type.isEmpty() && type != "storage")
        return rows;
    for (const auto &name : pool.storages)
        if (const auto *storage = call.world.storage(name))
            for (const auto &node : call.world.nodes)
                if (storage->isOn(node.name) && call.may("/storage/" + name, "Datastore.Audit"))
                    rows.append(ResourceRows::storage(call.world, *storage, node));
    return rows;
}

ApiAnswer get(Call &call)
{
    const auto *pool = poolOf(call);
    if (!pool)
        return ApiAnswer::failed(missing(call));
    QJsonObject data{{"poolid", pool->name}, {"members", members(call, *pool)}};
    if (!pool->comment.isEmpty())
        data.insert("comment", pool->comment);
    return ApiAnswer::ok(data);
}

ApiAnswer list(Call &call)
{
    QJsonArray data;
    for (const auto &pool : call.world.pools) {
        if (!call.may("/pool/" + pool.name, "Pool.Audit") || (call.has("poolid") && call.text("poolid") != pool.name))
            continue;
        QJsonObject row{{"poolid", pool.name}};
        if (!pool.comment.isEmpty())
            row.insert("comment", pool.comment);
        if (call.has("poolid"))
            row.insert("members", members(call, pool));
        data.append(row);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer create(Call &call)
{
    const ClusterFile file(call, "file-user_cfg", "create pool failed");
    if (auto refusal = file.refusal())
        return *refusal;
    const auto name = call.text("poolid");
    if (poolOf(call))
        return file.failed(QStringLiteral("pool '%1' already exists").arg(name));
    const auto parent = name.section(u'/', 0, -2);
    auto &pools = call.world.pools;
    if (!parent.isEmpty() &&
        std::none_of(pools.begin(), pools.end(), [&](const auto &pool) { return pool.name == parent; }))
        return file.failed(QStringLiteral("parent pool '%1' does not exist").arg(parent));
    pools.push_back({name, call.text("comment"), {}, {}});
    std::sort(pools.begin(), pools.end(), [](const auto &one, const auto &other) { return one.name < other.name; });
    return ApiAnswer::ok();
}

/// Who has no right to grant on what is moved cannot move it.
std::optional<ApiAnswer> refusedMember(const Call &call)
{
    const auto refused = [&call](const QString &path, const char *privilege) -> std::optional<ApiAnswer> {
        if (call.world.access.mayGrant(call.who, path))
            return std::nullopt;
        return ApiAnswer::refused(QStringLiteral("%1, Permissions.Modify|%2").arg(path, QLatin1String(privilege)));
    };
    for (const auto &vmid : call.given.list("vms"))
        if (auto refusal = refused("/vms/" + vmid, "VM.Allocate"))
            return refusal;
    for (const auto &name : call.given.list("storage"))
        if (auto refusal = refused("/storage/" + name, "Datastore.Allocate"))
            return refusal;
    return std::nullopt;
}

/// What is wrong with a member that shall come or go; empty when nothing is.
QString wrongGuest(const Call &call, const Pool &pool, const QString &vmid)
{
    const bool inside = pool.guests.contains(vmid);
    if (call.flag("delete"))
        return inside ? QString() : QStringLiteral("VM %1 is not a pool member").arg(vmid);
    if (inside)
        return QStringLiteral("VM %1 is already a pool member").arg(vmid);
    const auto elsewhere = call.world.poolOf(vmid.toLongLong());
    if (!elsewhere.isEmpty() && !call.flag("allow-move"))
        return QStringLiteral("VM %1 belongs already to pool '%2' and 'allow-move' is not set").arg(vmid, elsewhere);
    return {};
}

QString wrongStorage(const Call &call, const Pool &pool, const QString &name)
{
    const bool inside = pool.storages.contains(name);
    if (inside == call.flag("delete"))
        return {};
    return (inside ? QStringLiteral("Storage '%1' is already a pool member")
                   : QStringLiteral("Storage '%1' is not a pool member"))
        .arg(name);
}

void move(const Call &call, Pool &pool)
{
    for (const auto &vmid : call.given.list("vms")) {
        for (auto &other : call.world.pools)
            other.guests.removeAll(vmid);
        if (!call.flag("delete"))
            pool.guests.append(vmid);
    }
    for (const auto &name : call.given.list("storage")) {
        pool.storages.removeAll(name);
        if (!call.flag("delete"))
            pool.storages.append(name);
    }
    call.world.poolsChanged();
}

ApiAnswer update(Call &call)
{
    const ClusterFile file(call, "file-user_cfg", "update pools failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto *pool = poolOf(call);
    if (!pool)
        return file.failed(missing(call));
    if (auto refusal = refusedMember(call))
        return *refusal;
    for (const auto &vmid : call.given.list("vms"))
        if (const auto wrong = wrongGuest(call, *pool, vmid); !wrong.isEmpty())
            return file.failed(wrong);
    for (const auto &name : call.given.list("storage"))
        if (const auto wrong = wrongStorage(call, *pool, name); !wrong.isEmpty())
            return file.failed(wrong);
    if (call.has("comment"))
        pool->comment = call.text("comment");
    move(call, *pool);
    return ApiAnswer::ok();
}

ApiAnswer remove(Call &call)
{
    const ClusterFile file(call, "file-user_cfg", "delete pool failed");
    if (auto refusal = file.refusal())
        return *refusal;
    const auto *pool = poolOf(call);
    if (!pool)
        return file.failed(missing(call));
    const auto full = [&](const QString &what) {
        return file.failed(QStringLiteral("pool '%1' is not empty (contains %2)").arg(pool->name, what));
    };
    for (const auto &other : call.world.pools)
        if (other.name.startsWith(pool->name + u'/'))
            return full(QStringLiteral("pool '%1'").arg(other.name));
    auto guests = pool->guests;
    guests.sort();
    for (const auto &vmid : std::as_const(guests))
        if (call.world.guest(vmid.toLongLong()))
            return full(QStringLiteral("VM ") + vmid);
    for (const auto &name : pool->storages)
        if (call.world.storage(name))
            return full(QStringLiteral("storage '%1'").arg(name));
    auto &grants = call.world.access.grants;
    const QString path = "/pool/" + pool->name;
    grants.erase(std::remove_if(grants.begin(), grants.end(), [&](const auto &grant) { return grant.path == path; }),
                 grants.end());
    call.world.pools.erase(call.world.pools.begin() + (pool - call.world.pools.data()));
    call.world.poolsChanged();
    return ApiAnswer::ok();
}
} // namespace

void calls::addPools(Routes &routes)
{
    routes.add("GET /pools", list);
    routes.add("POST /pools", create);
    routes.add("PUT /pools", update);
    routes.add("DELETE /pools", remove);
    routes.add("GET /pools/{poolid}", get);
    routes.add("PUT /pools/{poolid}", update);
    routes.add("DELETE /pools/{poolid}", remove);
}
