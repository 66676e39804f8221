#include "operations/Backups.h"
#include "operations/Families.h"
#include "operations/Guests.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
/// Backs up one guest now.
struct BackupCreate {
    GuestRef guest;
    std::optional<StorageRef> storage;
    QString mode = QStringLiteral("snapshot");
    QString compress = QStringLiteral("zstd");
    QString notes;
    bool isProtected = false;
};

void sayBackup(Plan &plan, const BackupCreate &args, const GuestNow &now)
{
    plan.facts.push_back(stateFact(now));
    if (now.power != QLatin1String("stopped") && args.mode == QLatin1String("stop"))
        plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "While it runs")),
                              words(QT_TRANSLATE_NOOP("operation", "it is shut down for the backup and started again")),
                              true});
    if (now.power != QLatin1String("stopped") && args.mode == QLatin1String("suspend"))
        plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "While it runs")),
                              words(QT_TRANSLATE_NOOP("operation", "it stands still for a while")), true});
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Older backups")),
                          words(QT_TRANSLATE_NOOP("operation", "stay; none is removed to make room"))});
    if (args.mode != QLatin1String("snapshot") && now.power != QLatin1String("stopped"))
        plan.raised = Effect::Disrupts;
}

QCoro::Task<Result<Plan>> planRun(BackupCreate args, OperationContext context)
{
    const auto storage = chooseBackupStorage(context, args.guest, args.storage);
    if (!storage)
        co_return storage.error();
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (!now->lock.isEmpty())
        co_return mayChange(args.guest, *now).error();
    auto there = co_await backupsOf(context, args.guest, *storage);
    if (!there)
        co_return there.error();
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Back up %1 to %2")).arg(args.guest.label(), storage->label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Backed up %1 to %2")).arg(args.guest.label(), storage->label());
    plan.changes.push_back(
        {QStringLiteral("backup of ") + args.guest.vmid.text(), QJsonValue::Undefined, storage->text()});
    plan.before = {{QStringLiteral("storage"), storage->text()},
                   {QStringLiteral("backups"), QJsonArray::fromStringList(*there)},
                   {QStringLiteral("status"), now->power}};
    sayBackup(plan, args, *now);
    BackupForm form{args.mode, args.compress, args.notes, args.isProtected};
    plan.requests.push_back(backupRequest(args.guest, *storage, form));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Deletes the new backup."));
    co_return plan;
}

/// The name of the archive is known only when it is there.
QCoro::Task<Result<Outcome>> performRun(BackupCreate args, OperationContext context)
{
    auto outcome = co_await sendPlan(args.guest.remote, context, true);
    if (!outcome)
        co_return outcome;
    auto made = co_await newBackup(context, args.guest);
    if (!made) {
        outcome->warnings << made.error().message;
        co_return outcome;
    }
    outcome->answer = QJsonObject{{QStringLiteral("backup"), *made}};
    const Call deleteIt{QStringLiteral("backup.delete"), arguments({{QStringLiteral("backup"), *made}})};
    context.onInverse(deleteIt, context.plan->undoText);
    co_return outcome;
}
} // namespace

Operations backupRuns()
{
    return list(operation<BackupCreate>({
        .id = "backup.run",
        .title = {QT_TRANSLATE_NOOP("operation", "Back up now")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Backs up one guest to a storage now. Older backups stay.")},
        .effect = Effect::Changes,
        .taskTypes = {"vzdump"},
        .undo = Undo::Exact,
        .target = &BackupCreate::guest,
        .params = {required(&BackupCreate::guest, "guest",
                            {QT_TRANSLATE_NOOP("operation", "Id or name: 101, web, pve1/web or homelab:101")}),
                   optional(&BackupCreate::storage, "storage",
                            {QT_TRANSLATE_NOOP("operation", "Where to; needed where several storages take backups")}),
                   optional(&BackupCreate::mode, "mode",
                            {QT_TRANSLATE_NOOP("operation", "snapshot (goes on running), suspend or stop")},
                            {oneOf({"snapshot", "suspend", "stop"})}),
                   optional(&BackupCreate::compress, "compress", {QT_TRANSLATE_NOOP("operation", "Compression")},
                            {oneOf({"zstd", "gzip", "lzo", "0"})}),
                   optional(&BackupCreate::notes, "notes", {QT_TRANSLATE_NOOP("operation", "A note for people")},
                            {longest(1024)}),
                   optional(&BackupCreate::isProtected, "protected",
                            {QT_TRANSLATE_NOOP("operation", "Keep it from being deleted")})},
        .plan = planRun,
        .perform = performRun,
    }));
}
