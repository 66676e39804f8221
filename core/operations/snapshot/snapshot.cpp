#include "base/DisplayText.h"
#include "operations/Families.h"
#include "operations/Guests.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include <QJsonArray>

namespace
{
const Text guestHelp{QT_TRANSLATE_NOOP("operation", "Id or name: 101, web, pve1/web or homelab:101")};

QString changeKey(const QString &snapshot)
{
    return QStringLiteral("snapshot ") + snapshot;
}

/// Lists a guest's snapshots as a tree.
struct SnapshotList {
    GuestRef guest;
};

QCoro::Task<Result<QJsonValue>> listSnapshots(SnapshotList args, OperationContext context)
{
    auto snapshots = co_await readSnapshots(context, args.guest);
    if (!snapshots)
        co_return snapshots.error();
    QJsonArray all;
    for (const auto &snapshot : snapshots->all) {
        QJsonObject one{{QStringLiteral("name"), snapshot.name},
                        {QStringLiteral("description"), snapshot.description},
                        {QStringLiteral("memory"), snapshot.hasMemory}};
        if (snapshot.time)
            one.insert(QStringLiteral("time"), snapshot.time);
        if (!snapshot.parent.isEmpty())
            one.insert(QStringLiteral("parent"), snapshot.parent);
        all.append(one);
    }
    QJsonObject answer{{QStringLiteral("snapshots"), all}};
    if (!snapshots->currentParent.isEmpty())
        answer.insert(QStringLiteral("present_state_follows"), snapshots->currentParent);
    co_return QJsonValue(answer);
}

/// Saves a guest's disks, and if asked its memory, under a name.
struct SnapshotCreate {
    GuestRef guest;
    SnapshotName name;
    QString description;
    bool includeMemory = false;
};

QCoro::Task<Result<Plan>> planCreate(SnapshotCreate args, OperationContext context)
{
    if (args.includeMemory && args.guest.kind == GuestKind::Lxc)
        co_return Error{
            Error::Kind::Invalid,
            words(QT_TRANSLATE_NOOP("operation", "A container's memory cannot be saved; only virtual machines can."))};
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (auto may = mayChange(args.guest, *now); !may)
        co_return may.error();
    auto snapshots = co_await readSnapshots(context, args.guest);
    if (!snapshots)
        co_return snapshots.error();
    const auto name = args.name.text();
    if (snapshots->find(name))
        co_return Error{
            Error::Kind::Conflict,
            words(QT_TRANSLATE_NOOP("operation", "%1 has a snapshot called %2 already. Choose another name."))
                .arg(args.guest.label(), name)};
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Take snapshot “%1” of %2")).arg(name, args.guest.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Took snapshot “%1”")).arg(name);
    plan.changes.push_back({changeKey(name), QJsonValue::Undefined, true});
    plan.before = {{QStringLiteral("snapshots"), QJsonArray::fromStringList(snapshots->names())},
                   {QStringLiteral("lock"), now->lock}};
    plan.facts.push_back(stateFact(*now));
    auto request = guestRequest(Method::Post, args.guest, {"snapshot"}, {{"snapname", name}});
    if (!args.description.isEmpty())
        request.add("description", args.description);
    if (args.includeMemory)
        request.add("vmstate", "1");
    plan.requests.push_back(std::move(request));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Deletes the snapshot again."));
    co_return plan;
}

std::optional<Call> deleteIt(const SnapshotCreate &args, const Plan &)
{
    return Call{QStringLiteral("snapshot.delete"),
                arguments({{QStringLiteral("guest"), args.guest.key()}, {QStringLiteral("name"), args.name.text()}})};
}

/// Removes a snapshot; the guest keeps its present state.
struct SnapshotDelete {
    GuestRef guest;
    SnapshotName name;
};

QCoro::Task<Result<Plan>> planDelete(SnapshotDelete args, OperationContext context)
{
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (!now->lock.isEmpty())
        co_return mayChange(args.guest, *now).error();
    auto snapshots = co_await readSnapshots(context, args.guest);
    if (!snapshots)
        co_return snapshots.error();
    const auto name = args.name.text();
    const auto *snapshot = snapshots->find(name);
    if (!snapshot)
        co_return Error{Error::Kind::NotFound,
                        words(QT_TRANSLATE_NOOP("operation", "%1 has no snapshot called %2. It has: %3."))
                            .arg(args.guest.label(), name, listText(snapshots->names(), 20))};
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Delete snapshot “%1” of %2")).arg(name, args.guest.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Deleted snapshot “%1”")).arg(name);
    plan.changes.push_back({changeKey(name), true});
    plan.before = {{QStringLiteral("snapshots"), QJsonArray::fromStringList(snapshots->names())},
                   {QStringLiteral("lock"), now->lock}};
    plan.losses << (snapshot->time
                        ? words(QT_TRANSLATE_NOOP("operation", "the state saved on %1")).arg(timeText(snapshot->time))
                        : words(QT_TRANSLATE_NOOP("operation", "the saved state")));
    plan.facts.push_back(stateFact(*now));
    if (!snapshot->description.isEmpty())
        plan.facts.push_back(
            {words(QT_TRANSLATE_NOOP("operation", "Its note")), DisplayText::visible(snapshot->description.left(200))});
    plan.requests.push_back(guestRequest(Method::Delete, args.guest, {"snapshot", name}));
    co_return plan;
}

OperationPtr declareSnapshotList()
{
    return operation<SnapshotList>({
        .id = "snapshot.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List snapshots")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Lists a guest's snapshots with their parents, oldest first.")},
        .effect = Effect::Reads,
        .target = &SnapshotList::guest,
        .params = {required(&SnapshotList::guest, "guest", guestHelp)},
        .read = listSnapshots,
    });
}

OperationPtr declareSnapshotCreate()
{
    return operation<SnapshotCreate>({
        .id = "snapshot.create",
        .title = {QT_TRANSLATE_NOOP("operation", "Take snapshot")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Saves the guest's disks under a name.")},
        .effect = Effect::Changes,
        .taskTypes = {"qmsnapshot", "vzsnapshot"},
        .undo = Undo::Exact,
        .target = &SnapshotCreate::guest,
        .params = {required(&SnapshotCreate::guest, "guest", guestHelp),
                   required(&SnapshotCreate::name, "name",
                            {QT_TRANSLATE_NOOP("operation", "Name of the snapshot: 2 to 40 letters, digits, - or _")}),
                   optional(&SnapshotCreate::description, "description",
                            {QT_TRANSLATE_NOOP("operation", "A note for people")}, {longest(8192)}),
                   optional(&SnapshotCreate::includeMemory, "include_memory",
                            {QT_TRANSLATE_NOOP("operation", "Save the memory of a running virtual machine too")})},
        .plan = planCreate,
        .inverse = deleteIt,
    });
}

OperationPtr declareSnapshotDelete()
{
    return operation<SnapshotDelete>({
        .id = "snapshot.delete",
        .title = {QT_TRANSLATE_NOOP("operation", "Delete snapshot")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Removes a snapshot; the guest keeps its present state.")},
        .effect = Effect::Destroys,
        .taskTypes = {"qmdelsnapshot", "vzdelsnapshot"},
        .target = &SnapshotDelete::guest,
        .params = {required(&SnapshotDelete::guest, "guest", guestHelp),
                   required(&SnapshotDelete::name, "name", {QT_TRANSLATE_NOOP("operation", "Name of the snapshot")})},
        .plan = planDelete,
    });
}
} // namespace

Operations snapshots()
{
    return list(declareSnapshotList(), declareSnapshotCreate(), declareSnapshotDelete());
}
