#include "model/PveValue.h"
#include "operations/Families.h"
#include "operations/Guests.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include <QJsonArray>

namespace
{
/// Puts a guest back to a snapshot; what came after is lost.
struct SnapshotRollback {
    GuestRef guest;
    SnapshotName name;
    bool start = false;
};

/// Storages that keep no branches: they can only go back to the newest snapshot.
QStringList storagesWithoutBranches(const OperationContext &context, const GuestRef &guest, const QJsonObject &config)
{
    QStringList names;
    const auto snapshot = context.services->inventory.snapshot(guest.remote);
    for (const auto &disk : disksOf(config))
        for (const auto &storage : snapshot ? snapshot->storages : std::vector<StorageState>())
            if (storage.name.text() == disk.storage && storage.type == QLatin1String("zfspool") &&
                !names.contains(disk.storage))
                names << disk.storage;
    return names;
}

QStringList newerThan(const SnapshotNow &snapshot, const SnapshotsNow &all)
{
    QStringList newer;
    for (const auto &other : all.all)
        if (other.time > snapshot.time && other.name != snapshot.name)
            newer << other.name;
    return newer;
}

/// What the configuration will be afterwards, key by key.
void sayConfigChanges(Plan &plan, const QJsonObject &now, const QJsonObject &saved)
{
    static const QStringList ofTheSnapshot{
        "snaptime", "snapstate",      "vmstate",    "parent", "description",          "digest",
        "lock",     "runningmachine", "runningcpu", "meta",   "running-nets-host-mtu"};
    QStringList keys = now.keys();
    for (const auto &key : saved.keys())
        if (!keys.contains(key))
            keys << key;
    for (const auto &key : keys)
        if (!ofTheSnapshot.contains(key) && now[key] != saved[key])
            plan.changes.push_back({key, now[key], saved[key]});
}

Result<> mayRollBack(const SnapshotRollback &args, const GuestNow &now, const SnapshotsNow &snapshots,
                     const OperationContext &context)
{
    if (auto may = mayChange(args.guest, now); !may)
        return may;
    const auto *snapshot = snapshots.find(args.name.text());
    if (!snapshot)
        return Error{Error::Kind::NotFound,
                     words(QT_TRANSLATE_NOOP("operation", "%1 has no snapshot called %2. It has: %3."))
                         .arg(args.guest.label(), args.name.text(), listText(snapshots.names(), 20))};
    const auto newer = newerThan(*snapshot, snapshots);
    const auto linear = storagesWithoutBranches(context, args.guest, now.config);
    if (!newer.isEmpty() && !linear.isEmpty())
        return Error{Error::Kind::Conflict,
                     words(QT_TRANSLATE_NOOP("operation", "%1 can only go back to its newest snapshot on %2. In the "
                                                          "way: %3. Delete them first if you mean it."))
                         .arg(args.guest.label(), listText(linear), listText(newer, 20))};
    return {};
}

void sayConsequences(Plan &plan, const SnapshotRollback &args, const GuestNow &now, const SnapshotNow &snapshot,
                     const QStringList &newer)
{
    plan.facts.push_back(stateFact(now));
    if (now.power != QLatin1String("stopped") && !snapshot.hasMemory)
        plan.facts.push_back(
            {words(QT_TRANSLATE_NOOP("operation", "While it runs")),
             args.start ? words(QT_TRANSLATE_NOOP("operation", "it is stopped, rolled back and started again"))
                        : words(QT_TRANSLATE_NOOP("operation", "it is stopped and stays stopped")),
             true});
    if (!newer.isEmpty())
        plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Newer snapshots")),
                              words(QT_TRANSLATE_NOOP("operation", "%1; they stay")).arg(listText(newer))});
}

QCoro::Task<Result<Plan>> planRollback(SnapshotRollback args, OperationContext context)
{
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    auto snapshots = co_await readSnapshots(context, args.guest);
    if (!snapshots)
        co_return snapshots.error();
    if (auto may = mayRollBack(args, *now, *snapshots, context); !may)
        co_return may.error();
    const auto name = args.name.text();
    const auto snapshot = *snapshots->find(name);
    auto asks = guestRequest(Method::Get, args.guest, {"snapshot", name, "config"});
    auto saved = co_await get(context, args.guest.remote, std::move(asks));
    if (!saved)
        co_return saved.error();
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Roll back %1 to “%2”")).arg(args.guest.label(), name);
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Rolled back to “%1”")).arg(name);
    plan.before = {{QStringLiteral("config"), now->config},
                   {QStringLiteral("status"), now->power},
                   {QStringLiteral("snapshots"), QJsonArray::fromStringList(snapshots->names())},
                   {QStringLiteral("follows"), snapshots->currentParent}};
    sayConfigChanges(plan, now->config, saved->toObject());
    plan.losses << words(QT_TRANSLATE_NOOP("operation", "everything written to its disks since %1"))
                       .arg(timeText(snapshot.time));
    sayConsequences(plan, args, *now, snapshot, newerThan(snapshot, *snapshots));
    auto request = guestRequest(Method::Post, args.guest, {"snapshot", name, "rollback"});
    if (args.start)
        request.add("start", "1");
    plan.requests.push_back(std::move(request));
    plan.undoText =
        words(QT_TRANSLATE_NOOP("operation", "Take a snapshot or a backup first to keep the present state."));
    co_return plan;
}

OperationPtr declareSnapshotRollback()
{
    return operation<SnapshotRollback>({
        .id = "snapshot.rollback",
        .title = {QT_TRANSLATE_NOOP("operation", "Roll back to snapshot")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Puts the guest's disks and configuration back to a snapshot. What came after is lost.")},
        .effect = Effect::Destroys,
        .taskTypes = {"qmrollback", "vzrollback"},
        .target = &SnapshotRollback::guest,
        .params = {required(&SnapshotRollback::guest, "guest",
                            {QT_TRANSLATE_NOOP("operation", "Id or name: 101, web, pve1/web or homelab:101")}),
                   required(&SnapshotRollback::name, "name", {QT_TRANSLATE_NOOP("operation", "Name of the snapshot")}),
                   optional(&SnapshotRollback::start, "start",
                            {QT_TRANSLATE_NOOP("operation", "Start the guest afterwards")})},
        .plan = planRollback,
    });
}
} // namespace

Operations snapshotRollback()
{
    return list(declareSnapshotRollback());
}
