#include "model/PveValue.h"
#include "operations/Families.h"
#include "operations/Guests.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include <QJsonArray>

namespace
{
/// Deletes a guest and its disks.
struct GuestDelete {
    GuestRef guest;
    bool purge = true;
    bool destroyUnreferenced = false;
};

PlanFact unknownFact(const QString &label)
{
    return {label, words(QT_TRANSLATE_NOOP("operation", "unknown: it could not be read")), true};
}

/// The newest backup on any storage that the guest's node can read now.
QCoro::Task<PlanFact> lastBackup(GuestDelete args, OperationContext context)
{
    const auto label = words(QT_TRANSLATE_NOOP("operation", "Last backup"));
    const auto snapshot = context.services->inventory.snapshot(args.guest.remote);
    std::vector<StorageState> storages;
    if (snapshot)
        storages = snapshot->storages;
    qint64 newest = 0;
    QString where;
    bool isPartial = false;
    for (const auto &storage : storages) {
        if (storage.node != args.guest.node || !storage.content.contains(QLatin1String("backup")))
            continue;
        auto request = nodeRequest(Method::Get, args.guest.node.text(), {"storage", storage.name.text(), "content"},
                                   {{"content", "backup"}, {"vmid", args.guest.vmid.text()}});
        auto content = co_await get(context, args.guest.remote, std::move(request));
        isPartial = isPartial || !content;
        for (const auto &entry : content ? content->toArray() : QJsonArray()) {
            const auto time = PveValue::integer(entry.toObject(), "ctime").value_or(0);
            if (time > newest) {
                newest = time;
                where = storage.name.text();
            }
        }
    }
    if (newest > 0)
        co_return PlanFact{label, words(QT_TRANSLATE_NOOP("operation", "%1 on %2")).arg(timeText(newest), where)};
    if (isPartial || !snapshot)
        co_return unknownFact(label);
    co_return PlanFact{label, words(QT_TRANSLATE_NOOP("operation", "none found on any storage")), true};
}

/// HA and backup jobs that name the guest.
QCoro::Task<PlanFact> references(GuestDelete args, GuestNow now, OperationContext context)
{
    const auto label = words(QT_TRANSLATE_NOOP("operation", "Refers to it"));
    QStringList found;
    if (now.isHaManaged)
        found << words(QT_TRANSLATE_NOOP("operation", "high availability"));
    ApiRequest request{Method::Get, {"cluster", "backup"}};
    auto jobs = co_await getArray(context, args.guest.remote, std::move(request));
    const auto known = jobs ? *jobs : QJsonArray();
    for (const auto &job : known)
        if (job[QLatin1String("vmid")].toString().split(u',').contains(args.guest.vmid.text()))
            found << words(QT_TRANSLATE_NOOP("operation", "backup job %1")).arg(valueText(job[QLatin1String("id")]));
    if (!found.isEmpty())
        co_return PlanFact{label, found.join(QStringLiteral(", ")), true};
    if (!jobs)
        co_return unknownFact(label);
    co_return PlanFact{label, words(QT_TRANSLATE_NOOP("operation", "nothing (no HA, no backup job)"))};
}

Result<> mayDelete(const GuestRef &guest, const GuestNow &now)
{
    if (!now.lock.isEmpty())
        return mayChange(guest, now);
    if (now.isProtected)
        return Error{
            Error::Kind::Conflict,
            words(QT_TRANSLATE_NOOP("operation", "%1 is protected. Turn its protection off first if you mean it."))
                .arg(guest.label())};
    if (now.power != QLatin1String("stopped"))
        return Error{
            Error::Kind::Conflict,
            words(QT_TRANSLATE_NOOP("operation", "%1 is %2. Shut it down first; only a stopped guest can be deleted."))
                .arg(guest.label(), now.power)};
    return {};
}

void sayDisks(Plan &plan, const std::vector<DiskNow> &disks)
{
    QStringList each;
    for (const auto &disk : disks)
        each << (disk.size.isEmpty() ? disk.volume
                                     : words(QT_TRANSLATE_NOOP("operation", "%1 (%2)")).arg(disk.volume, disk.size));
    if (!disks.empty())
        plan.losses << words(QT_TRANSLATE_NOOP("operation", "its disks: %1")).arg(listText(each));
}

QCoro::Task<Result<Plan>> planDelete(GuestDelete args, OperationContext context)
{
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (auto may = mayDelete(args.guest, *now); !may)
        co_return may.error();
    auto snapshots = co_await readSnapshots(context, args.guest);
    if (!snapshots)
        co_return snapshots.error();
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Delete guest %1")).arg(args.guest.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Deleted guest"));
    plan.before = {{QStringLiteral("config"), now->config},
                   {QStringLiteral("status"), now->power},
                   {QStringLiteral("snapshots"), QJsonArray::fromStringList(snapshots->names())}};
    plan.changes.push_back({QStringLiteral("guest ") + args.guest.vmid.text(), true});
    sayDisks(plan, disksOf(now->config));
    plan.facts.push_back(stateFact(*now));
    auto backup = co_await lastBackup(args, context);
    plan.facts.push_back(std::move(backup));
    const auto count = snapshots->all.size();
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Snapshots")),
                          count == 0 ? words(QT_TRANSLATE_NOOP("operation", "none"))
                                     : words(QT_TRANSLATE_NOOP("operation", "%1 (%2), deleted too"))
                                           .arg(count)
                                           .arg(listText(snapshots->names()))});
    auto refers = co_await references(args, *now, context);
    plan.facts.push_back(std::move(refers));
    auto request = guestRequest(Method::Delete, args.guest, {});
    request.add("purge", args.purge ? "1" : "0");
    request.add("destroy-unreferenced-disks", args.destroyUnreferenced ? "1" : "0");
    plan.requests.push_back(std::move(request));
    co_return plan;
}

OperationPtr declareGuestDelete()
{
    return operation<GuestDelete>({
        .id = "guest.delete",
        .title = {QT_TRANSLATE_NOOP("operation", "Delete guest")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Deletes a stopped guest with its disks and snapshots, for good.")},
        .effect = Effect::Destroys,
        .taskTypes = {"qmdestroy", "vzdestroy"},
        .target = &GuestDelete::guest,
        .params = {required(&GuestDelete::guest, "guest",
                            {QT_TRANSLATE_NOOP("operation", "Id or name: 101, web, pve1/web or homelab:101")}),
                   optional(&GuestDelete::purge, "purge",
                            {QT_TRANSLATE_NOOP("operation", "Also take it out of backup jobs, replication and HA")}),
                   optional(&GuestDelete::destroyUnreferenced, "destroy_unreferenced_disks",
                            {QT_TRANSLATE_NOOP("operation",
                                               "Also delete disks of this id that its configuration does not name")})},
        .plan = planDelete,
    });
}
} // namespace

Operations guestLifecycle()
{
    return list(declareGuestDelete());
}
