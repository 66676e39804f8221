#include "base/DisplayText.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/Pools.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
/// Lists the pools.
struct PoolList {
    std::optional<RemoteRef> remote;
};

QCoro::Task<Result<QJsonValue>> listPools(PoolList args, OperationContext context)
{
    Listing listing{.key = "pools",
                    .request = {Method::Get, {"pools"}},
                    .sight = Sight{{"Pool.Audit"}, "/pool", {QT_TRANSLATE_NOOP("operation", "pools")}}};
    auto pools = co_await listEach(std::move(context), args.remote, std::move(listing));
    co_return pools;
}

/// Shows a pool with its members.
struct PoolGet {
    PoolRef pool;
};

QCoro::Task<Result<QJsonValue>> getPool(PoolGet args, OperationContext context)
{
    auto now = co_await readPool(context, args.pool);
    if (!now)
        co_return now.error();
    auto all = now->pool;
    all.insert(QStringLiteral("remote"), args.pool.remote);
    co_return QJsonValue(all);
}

/// Makes a pool, with members if they are named.
struct PoolCreate {
    PoolRef pool;
    QString comment;
    QStringList guests, storages;
};

QCoro::Task<Result<Plan>> planCreate(PoolCreate args, OperationContext context)
{
    const auto name = args.pool.pool;
    auto known = co_await findPool(context, args.pool);
    if (!known)
        co_return known.error();
    if (*known)
        co_return Error{Error::Kind::Conflict,
                        words(QT_TRANSLATE_NOOP("operation", "There is a pool called %1 already."))
                            .arg(DisplayText::visible(name))};
    const auto guests = vmids(args.guests, args.pool.remote, context);
    if (!guests)
        co_return guests.error();
    if (auto free = areFree(*guests, args.pool, context); !free)
        co_return free.error();
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Create pool %1")).arg(DisplayText::visible(name));
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Created pool %1")).arg(DisplayText::visible(name));
    plan.changes.push_back({QStringLiteral("pool ") + name, QJsonValue::Undefined, true});
    for (const auto &guest : *guests)
        plan.changes.push_back({memberKey(false, guest), QJsonValue::Undefined, name});
    for (const auto &storage : args.storages)
        plan.changes.push_back({memberKey(true, storage), QJsonValue::Undefined, name});
    plan.before = {{QStringLiteral("exists"), false}};
    auto request = poolRequest(Method::Post, name);
    if (!args.comment.isEmpty())
        request.add("comment", args.comment);
    plan.requests.push_back(std::move(request));
    if (!guests->isEmpty() || !args.storages.isEmpty())
        plan.requests.push_back(memberRequest(name, *guests, args.storages, false));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Deletes the pool again; its members stay."));
    co_return plan;
}

std::optional<Call> deleteIt(const PoolCreate &args, const Plan &)
{
    return Call{QStringLiteral("pool.delete"),
                arguments({{QStringLiteral("pool"), JsonField<PoolRef>::json(args.pool)}})};
}

/// Deletes a pool; its members stay.
struct PoolDelete {
    PoolRef pool;
};

/// The rights that are given on a pool and go with it; nothing if they cannot be seen.
QCoro::Task<std::optional<QStringList>> grantsOn(OperationContext context, PoolRef pool)
{
    ApiRequest request{Method::Get, {"access", "acl"}};
    auto rows = co_await getArray(context, pool.remote, std::move(request));
    if (!rows)
        co_return std::nullopt;
    QStringList grants;
    for (const auto &entry : *rows)
        if (entry[QLatin1String("path")].toString() == QLatin1String("/pool/") + pool.pool)
            grants << words(QT_TRANSLATE_NOOP("operation", "%1 for %2"))
                          .arg(entry[QLatin1String("roleid")].toString(), entry[QLatin1String("ugid")].toString());
    co_return std::optional(grants);
}

void sayGrants(Plan &plan, const std::optional<QStringList> &grants)
{
    const auto label = words(QT_TRANSLATE_NOOP("operation", "Rights on this pool"));
    if (!grants) {
        plan.facts.push_back({label, words(QT_TRANSLATE_NOOP("operation", "unknown: they could not be read")), true});
    } else if (grants->isEmpty()) {
        plan.facts.push_back({label, words(QT_TRANSLATE_NOOP("operation", "none"))});
        plan.undo = Undo::Exact;
        return;
    } else {
        plan.losses << words(QT_TRANSLATE_NOOP("operation", "the rights on this pool: %1")).arg(listText(*grants));
    }
    plan.undo = Undo::Partly;
}

QCoro::Task<Result<Plan>> planDelete(PoolDelete args, OperationContext context)
{
    const auto name = args.pool.pool;
    auto now = co_await readPool(context, args.pool);
    if (!now)
        co_return now.error();
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Delete pool %1")).arg(DisplayText::visible(name));
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Deleted pool %1")).arg(DisplayText::visible(name));
    plan.changes.push_back({QStringLiteral("pool ") + name, true});
    for (const auto &guest : now->guests)
        plan.changes.push_back({memberKey(false, guest), name});
    for (const auto &storage : now->storages)
        plan.changes.push_back({memberKey(true, storage), name});
    plan.before = {{QStringLiteral("comment"), now->pool.value(QLatin1String("comment")).toString()},
                   {QStringLiteral("guests"), QJsonArray::fromStringList(now->guests)},
                   {QStringLiteral("storages"), QJsonArray::fromStringList(now->storages)}};
    const auto members = now->guests + now->storages;
    plan.facts.push_back(
        {words(QT_TRANSLATE_NOOP("operation", "Members")),
         members.isEmpty()
             ? words(QT_TRANSLATE_NOOP("operation", "none"))
             : words(QT_TRANSLATE_NOOP("operation", "%1; they stay, without a pool")).arg(listText(members, 12))});
    auto grants = co_await grantsOn(context, args.pool);
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Creates the pool again, with its members."));
    sayGrants(plan, grants);
    if (!members.isEmpty()) // PVE deletes only what is empty
        plan.requests.push_back(memberRequest(name, now->guests, now->storages, true));
    plan.requests.push_back(poolRequest(Method::Delete, name));
    co_return plan;
}

std::optional<Call> createAgain(const PoolDelete &args, const Plan &plan)
{
    auto back = plan.before;
    for (const auto *key : {"comment", "guests", "storages"})
        if (back[QLatin1String(key)].toString().isEmpty() && back[QLatin1String(key)].toArray().isEmpty())
            back.remove(QLatin1String(key));
    auto guests = back[QStringLiteral("guests")].toArray();
    for (auto guest : guests)
        guest = args.pool.remote + u':' + guest.toString();
    if (!guests.isEmpty())
        back.insert(QStringLiteral("guests"), guests);
    back.insert(QStringLiteral("pool"), JsonField<PoolRef>::json(args.pool));
    return Call{QStringLiteral("pool.create"), arguments(back)};
}

OperationPtr declareList()
{
    return operation<PoolList>({
        .id = "pool.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List pools")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Lists the pools of one or all connections.")},
        .effect = Effect::Reads,
        .target = &PoolList::remote,
        .params = {optional(&PoolList::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")})},
        .read = listPools,
    });
}

OperationPtr declareGet()
{
    return operation<PoolGet>({
        .id = "pool.get",
        .title = {QT_TRANSLATE_NOOP("operation", "Show pool")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Shows a pool with the guests and storages in it.")},
        .effect = Effect::Reads,
        .target = &PoolGet::pool,
        .params = {required(&PoolGet::pool, "pool", poolHelp, {poolName()})},
        .read = getPool,
    });
}

OperationPtr declareCreate()
{
    return operation<PoolCreate>({
        .id = "pool.create",
        .title = {QT_TRANSLATE_NOOP("operation", "Create pool")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Creates a pool, with members if some are named.")},
        .effect = Effect::Changes,
        .undo = Undo::Exact,
        .target = &PoolCreate::pool,
        .params = {required(&PoolCreate::pool, "pool", poolHelp, {poolName()}),
                   optional(&PoolCreate::comment, "comment", {QT_TRANSLATE_NOOP("operation", "A note for people")},
                            {longest(1024)}),
                   optional(&PoolCreate::guests, "guests", {QT_TRANSLATE_NOOP("operation", "Guests to put into it")}),
                   optional(&PoolCreate::storages, "storages",
                            {QT_TRANSLATE_NOOP("operation", "Storages to put into it")})},
        .plan = planCreate,
        .inverse = deleteIt,
    });
}

OperationPtr declareDelete()
{
    return operation<PoolDelete>({
        .id = "pool.delete",
        .title = {QT_TRANSLATE_NOOP("operation", "Delete pool")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Deletes a pool. Its guests and storages stay; rights that were given "
                                      "on the pool go with it.")},
        .effect = Effect::Disrupts,
        .undo = Undo::Exact,
        .target = &PoolDelete::pool,
        .params = {required(&PoolDelete::pool, "pool", poolHelp, {poolName()})},
        .plan = planDelete,
        .inverse = createAgain,
    });
}

} // namespace

Operations pools()
{
    return list(declareList(), declareGet(), declareCreate(), declareDelete());
}
