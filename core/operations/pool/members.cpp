#include "base/DisplayText.h"
#include "operations/Families.h"
#include "operations/Pools.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
/// Puts guests and storages into a pool, and takes others out.
struct MembersSet {
    PoolRef pool;
    QStringList add, remove, addStorages, removeStorages;
};

/// What is not as wanted yet: a member that comes must not be in, one that goes must be.
QStringList needed(const QStringList &wanted, const QStringList &present, bool isRemoval)
{
    QStringList needed;
    for (const auto &name : wanted)
        if (present.contains(name) == isRemoval)
            needed << name;
    return needed;
}

void addMoves(Plan &plan, const QString &pool, const QStringList &guests, const QStringList &storages, bool isRemoval)
{
    const QJsonValue nowhere = QJsonValue::Undefined, inside = pool;
    for (const auto &guest : guests)
        plan.changes.push_back({memberKey(false, guest), isRemoval ? inside : nowhere, isRemoval ? nowhere : inside});
    for (const auto &storage : storages)
        plan.changes.push_back({memberKey(true, storage), isRemoval ? inside : nowhere, isRemoval ? nowhere : inside});
    if (!guests.isEmpty() || !storages.isEmpty())
        plan.requests.push_back(memberRequest(pool, guests, storages, isRemoval));
}

QCoro::Task<Result<Plan>> planMembers(MembersSet args, OperationContext context)
{
    const auto added = vmids(args.add, args.pool.remote, context),
               removed = vmids(args.remove, args.pool.remote, context);
    if (!added || !removed)
        co_return (added ? removed : added).error();
    auto now = co_await readPool(context, args.pool);
    if (!now)
        co_return now.error();
    const auto coming = needed(*added, now->guests, false), going = needed(*removed, now->guests, true);
    if (auto free = areFree(coming, args.pool, context); !free)
        co_return free.error();
    Plan plan;
    addMoves(plan, args.pool.pool, going, needed(args.removeStorages, now->storages, true), true);
    addMoves(plan, args.pool.pool, coming, needed(args.addStorages, now->storages, false), false);
    const auto name = DisplayText::visible(args.pool.pool);
    if (plan.requests.empty()) {
        plan.intent =
            words(QT_TRANSLATE_NOOP("operation", "There is nothing to change: the members of %1 are so already."))
                .arg(name);
        co_return plan;
    }
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Change the members of pool %1")).arg(name);
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Changed the members of pool %1")).arg(name);
    plan.before = {{QStringLiteral("guests"), QJsonArray::fromStringList(now->guests)},
                   {QStringLiteral("storages"), QJsonArray::fromStringList(now->storages)}};
    plan.facts.push_back(
        {words(QT_TRANSLATE_NOOP("operation", "Who has rights on the pool")),
         words(QT_TRANSLATE_NOOP("operation", "gets them on what comes in, and loses them on what goes"))});
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Puts the members back as they were."));
    co_return plan;
}

std::optional<Call> membersBack(const MembersSet &args, const Plan &plan)
{
    QHash<QString, QJsonArray> moves;
    for (const auto &change : plan.changes) {
        const bool isStorage = change.key.startsWith(QLatin1String("storage "));
        const auto name = change.key.section(u' ', 1);
        const auto back = change.before.isUndefined() ? QStringLiteral("remove") : QStringLiteral("add");
        moves[isStorage ? back + QStringLiteral("_storages") : back].append(
            isStorage ? name : QString(args.pool.remote + u':' + name));
    }
    QJsonObject back{{QStringLiteral("pool"), JsonField<PoolRef>::json(args.pool)}};
    for (auto each = moves.begin(); each != moves.end(); ++each)
        back.insert(each.key(), *each);
    return Call{QStringLiteral("pool.members.set"), arguments(back)};
}

OperationPtr declareMembers()
{
    return operation<MembersSet>({
        .id = "pool.members.set",
        .title = {QT_TRANSLATE_NOOP("operation", "Change members of pool")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Puts guests and storages into a pool and takes others out; the rest "
                                      "stays.")},
        .effect = Effect::Changes,
        .undo = Undo::Exact,
        .target = &MembersSet::pool,
        .params = {required(&MembersSet::pool, "pool", poolHelp, {poolName()}),
                   optional(&MembersSet::add, "add", {QT_TRANSLATE_NOOP("operation", "Guests to put in")}),
                   optional(&MembersSet::remove, "remove", {QT_TRANSLATE_NOOP("operation", "Guests to take out")}),
                   optional(&MembersSet::addStorages, "add_storages",
                            {QT_TRANSLATE_NOOP("operation", "Storages to put in")}),
                   optional(&MembersSet::removeStorages, "remove_storages",
                            {QT_TRANSLATE_NOOP("operation", "Storages to take out")})},
        .plan = planMembers,
        .inverse = membersBack,
    });
}
} // namespace

Operations poolMembers()
{
    return list(declareMembers());
}
