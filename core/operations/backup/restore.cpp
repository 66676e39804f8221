#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "operations/Backups.h"
#include "operations/Families.h"
#include "operations/Guests.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
const Text backupHelp{QT_TRANSLATE_NOOP("operation",
                                        "The backup's whole id, as backup.list names it; on a local storage "
                                        "with its node before it: pve1/local:backup/…")};

/// Restores a backup as a new guest.
struct Restore {
    VolumeRef backup;
    std::optional<qint64> vmid;
    std::optional<QString> storage;
    bool start = false;
};

/// What machines call `archive` containers call `ostemplate` with `restore`.
ApiRequest restoreRequest(const QString &node, const QString &kind, const QString &vmid, const VolumeRef &backup,
                          const std::optional<QString> &storage)
{
    auto request = nodeRequest(Method::Post, node, {kind});
    request.add("vmid", vmid);
    if (kind == QLatin1String("lxc")) {
        request.add("ostemplate", backup.volume.text());
        request.add("restore", "1");
    } else {
        request.add("archive", backup.volume.text());
    }
    if (storage)
        request.add("storage", *storage);
    return request;
}

Result<QString> kindOf(const QJsonObject &row)
{
    const auto kind = backupKind(row);
    if (kind.isEmpty())
        return Error{
            Error::Kind::Malformed,
            words(QT_TRANSLATE_NOOP("operation", "Proxmox VE did not say whether this is a backup of a virtual "
                                                 "machine or of a container."))};
    return kind;
}

/// The id that was asked for, if it is free in the whole cluster, or a free one.
QCoro::Task<Result<QString>> freeId(OperationContext context, QString remote, std::optional<qint64> asked)
{
    ApiRequest request{Method::Get, {"cluster", "nextid"}};
    if (asked)
        request.add("vmid", QString::number(*asked));
    auto answer = co_await get(std::move(context), std::move(remote), std::move(request));
    if (!answer && asked && answer.error().kind == Error::Kind::Rejected)
        co_return Error{
            Error::Kind::Conflict,
            words(QT_TRANSLATE_NOOP("operation", "The id %1 is taken. Give another, or none; to replace that "
                                                 "guest use backup.restore_over."))
                .arg(*asked)};
    if (!answer)
        co_return answer.error();
    const auto id = PveValue::integer(*answer);
    if (!id)
        co_return Error{Error::Kind::Malformed,
                        words(QT_TRANSLATE_NOOP("operation", "Proxmox VE did not name a free id."))};
    co_return QString::number(*id);
}

QCoro::Task<Result<Plan>> planRestore(Restore args, OperationContext context)
{
    auto row = co_await readBackup(context, args.backup);
    if (!row)
        co_return row.error();
    const auto kind = kindOf(*row);
    if (!kind)
        co_return kind.error();
    auto id = co_await freeId(context, args.backup.on.remote, args.vmid);
    if (!id)
        co_return id.error();
    const auto guest = guestOf(context, args.backup.on.remote, *row);
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Restore a backup of %1 as new guest %2")).arg(guest, *id);
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Restored a backup of %1 as new guest %2")).arg(guest, *id);
    plan.changes.push_back({QStringLiteral("guest ") + *id, QJsonValue::Undefined, true});
    plan.before = {{QStringLiteral("vmid"), *id}, {QStringLiteral("volume"), *row}};
    sayVolume(plan, *row);
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "On node")), args.backup.on.node.text()});
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Disks go to")),
                          args.storage.value_or(words(QT_TRANSLATE_NOOP("operation", "where they were")))});
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Network addresses (MAC)")),
                          words(QT_TRANSLATE_NOOP("operation", "new ones, so that both can run"))});
    auto request = restoreRequest(args.backup.on.node.text(), *kind, *id, args.backup, args.storage);
    request.add("unique", "1");
    if (args.start)
        request.add("start", "1");
    plan.requests.push_back(std::move(request));
    plan.undo = args.start ? Undo::Partly : Undo::Exact;
    plan.undoText = args.start ? words(QT_TRANSLATE_NOOP("operation", "Deletes the new guest, once it is stopped."))
                               : words(QT_TRANSLATE_NOOP("operation", "Deletes the new guest, while it is stopped."));
    co_return plan;
}

std::optional<Call> deleteNew(const Restore &args, const Plan &plan)
{
    const auto guest = args.backup.on.remote + u':' + plan.before[QStringLiteral("vmid")].toString();
    return Call{QStringLiteral("guest.delete"), arguments({{QStringLiteral("guest"), guest}})};
}

/// Puts a backup in the place of a guest that exists.
struct RestoreOver {
    VolumeRef backup;
    GuestRef guest;
    std::optional<QString> storage;
    bool backsUpFirst = false;
};

Result<> mayRestoreOver(const RestoreOver &args, const GuestNow &now, const QString &kind)
{
    if (auto may = mayChange(args.guest, now); !may)
        return may;
    const auto conflict = [](const QString &text) { return Error{Error::Kind::Conflict, text}; };
    if (kind != guestKindName(args.guest.kind))
        return conflict(words(QT_TRANSLATE_NOOP("operation", "The backup is of another kind than %1: a virtual machine "
                                                             "does not become a container."))
                            .arg(args.guest.label()));
    if (now.isProtected)
        return conflict(
            words(QT_TRANSLATE_NOOP("operation", "%1 is protected. Turn its protection off first if you mean it."))
                .arg(args.guest.label()));
    if (now.power != QLatin1String("stopped"))
        return conflict(
            words(QT_TRANSLATE_NOOP("operation", "%1 is %2. Shut it down first; only a stopped guest can be "
                                                 "replaced."))
                .arg(args.guest.label(), now.power));
    if (args.backup.on.remote != args.guest.remote ||
        (!args.backup.on.isShared && args.backup.on.node != args.guest.node))
        return conflict(
            words(QT_TRANSLATE_NOOP("operation", "The backup lies on %1, where the node of %2 cannot read it."))
                .arg(args.backup.on.label(), args.guest.label()));
    return {};
}

void sayLosses(Plan &plan, const GuestNow &now, const SnapshotsNow &snapshots)
{
    QStringList disks;
    for (const auto &disk : disksOf(now.config))
        disks << (disk.size.isEmpty() ? disk.volume
                                      : words(QT_TRANSLATE_NOOP("operation", "%1 (%2)")).arg(disk.volume, disk.size));
    plan.losses
        << words(QT_TRANSLATE_NOOP("operation", "its present configuration and disks: %1")).arg(listText(disks));
    if (!snapshots.all.empty())
        plan.losses << words(QT_TRANSLATE_NOOP("operation", "its snapshots: %1")).arg(listText(snapshots.names()));
}

/// The backup taken first goes beside the one that is restored.
QCoro::Task<Result<>> planBackupFirst(Plan *plan, RestoreOver args, OperationContext context)
{
    auto storage = args.backup.on;
    storage.node = args.guest.node;
    auto there = co_await backupsOf(std::move(context), args.guest, storage);
    if (!there)
        co_return there.error();
    plan->before.insert(QStringLiteral("storage"), storage.text());
    plan->before.insert(QStringLiteral("backups"), QJsonArray::fromStringList(*there));
    plan->requests.push_back(backupRequest(args.guest, storage, {}));
    plan->undo = Undo::Partly;
    plan->undoText = words(QT_TRANSLATE_NOOP("operation", "Restores the backup that is taken first."));
    co_return Result<>();
}

QCoro::Task<Result<Plan>> planOver(RestoreOver args, OperationContext context)
{
    if (auto found = References::resolve(args.backup, context.services->inventory); !found)
        co_return found.error();
    auto row = co_await readBackup(context, args.backup);
    if (!row)
        co_return row.error();
    const auto kind = kindOf(*row);
    if (!kind)
        co_return kind.error();
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (auto may = mayRestoreOver(args, *now, *kind); !may)
        co_return may.error();
    auto snapshots = co_await readSnapshots(context, args.guest);
    if (!snapshots)
        co_return snapshots.error();
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Replace %1 by a backup")).arg(args.guest.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Replaced %1 by a backup")).arg(args.guest.label());
    plan.changes.push_back({QStringLiteral("%1 from %2").arg(args.guest.vmid.text(), args.backup.volume.text()),
                            QStringLiteral("as it is now"), QStringLiteral("as in the backup")});
    plan.before = {{QStringLiteral("config"), now->config},
                   {QStringLiteral("status"), now->power},
                   {QStringLiteral("volume"), *row}};
    sayLosses(plan, *now, *snapshots);
    sayVolume(plan, *row);
    plan.facts.push_back(
        {words(QT_TRANSLATE_NOOP("operation", "The backup is of")), guestOf(context, args.backup.on.remote, *row)});
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Ask for a backup first to keep the present state."));
    if (args.backsUpFirst) {
        auto first = co_await planBackupFirst(&plan, args, context);
        if (!first)
            co_return first.error();
    }
    auto request = restoreRequest(args.guest.node.text(), *kind, args.guest.vmid.text(), args.backup, args.storage);
    request.add("force", "1");
    plan.requests.push_back(std::move(request));
    co_return plan;
}

QCoro::Task<Result<Outcome>> performOver(RestoreOver args, OperationContext context)
{
    auto outcome = co_await sendPlan(args.guest.remote, context, true);
    if (!outcome || !args.backsUpFirst)
        co_return outcome;
    auto kept = co_await newBackup(context, args.guest);
    if (!kept) {
        outcome->warnings << kept.error().message;
        co_return outcome;
    }
    outcome->answer = QJsonObject{{QStringLiteral("backup"), *kept}};
    const Call restoreIt{QStringLiteral("backup.restore_over"),
                         arguments({{QStringLiteral("backup"), *kept}, {QStringLiteral("guest"), args.guest.key()}})};
    context.onInverse(restoreIt, context.plan->undoText);
    co_return outcome;
}

OperationPtr declareRestore()
{
    return operation<Restore>({
        .id = "backup.restore",
        .title = {QT_TRANSLATE_NOOP("operation", "Restore as new guest")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Restores a backup as a new guest, under a free id.")},
        .effect = Effect::Changes,
        .taskTypes = {"qmrestore", "vzrestore"},
        .undo = Undo::Exact,
        .target = &Restore::backup,
        .params = {required(&Restore::backup, "backup", backupHelp),
                   optional(&Restore::vmid, "vmid",
                            {QT_TRANSLATE_NOOP("operation", "Id of the new guest; else a free one")},
                            {range(Vmid::lowest, Vmid::highest)}),
                   optional(&Restore::storage, "storage",
                            {QT_TRANSLATE_NOOP("operation", "Name of the storage for its disks; else where they were")},
                            {longest(100)}),
                   optional(&Restore::start, "start", {QT_TRANSLATE_NOOP("operation", "Start it afterwards")})},
        .plan = planRestore,
        .inverse = deleteNew,
    });
}

OperationPtr declareRestoreOver()
{
    return operation<RestoreOver>({
        .id = "backup.restore_over",
        .title = {QT_TRANSLATE_NOOP("operation", "Replace guest by backup")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Puts a backup in the place of a stopped guest: its present disks and "
                                      "snapshots are lost, unless a backup is asked for first.")},
        .effect = Effect::Destroys,
        .taskTypes = {"qmrestore", "vzrestore"},
        .undo = Undo::Partly,
        .target = &RestoreOver::guest,
        .params =
            {required(&RestoreOver::guest, "guest",
                      {QT_TRANSLATE_NOOP("operation", "The guest to replace: 101, web, pve1/web or homelab:101")}),
             required(&RestoreOver::backup, "backup", backupHelp),
             optional(&RestoreOver::backsUpFirst, "backup_first",
                      {QT_TRANSLATE_NOOP("operation", "Back the guest up first, so that this can be taken back")}),
             optional(&RestoreOver::storage, "storage",
                      {QT_TRANSLATE_NOOP("operation", "Name of the storage for its disks; else where they were")},
                      {longest(100)})},
        .plan = planOver,
        .perform = performOver,
    });
}
} // namespace

Operations backupRestores()
{
    return list(declareRestore(), declareRestoreOver());
}
