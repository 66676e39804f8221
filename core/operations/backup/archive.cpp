#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"
#include "operations/Volumes.h"
#include "operations/Words.h"

namespace
{
const Text backupHelp{QT_TRANSLATE_NOOP("operation",
                                        "The backup's whole id, as backup.list names it; on a local storage "
                                        "with its node before it: pve1/local:backup/…")};

/// What is there but cannot be read counts as protected.
bool isProtected(const QJsonObject &row)
{
    const auto value = row[QLatin1String("protected")];
    return !value.isUndefined() && !value.isNull() && PveValue::boolean(value).value_or(true);
}

/// Deletes one backup.
struct BackupDelete {
    VolumeRef backup;
};

QCoro::Task<Result<Plan>> planDelete(BackupDelete args, OperationContext context)
{
    auto row = co_await readBackup(context, args.backup);
    if (!row)
        co_return row.error();
    const auto id = args.backup.volume.text();
    if (isProtected(*row))
        co_return Error{Error::Kind::Conflict,
                        words(QT_TRANSLATE_NOOP(
                            "operation", "This backup is protected. Take its protection away first if you mean it."))};
    const auto guest = guestOf(context, args.backup.on.remote, *row);
    Plan plan;
    plan.intent =
        words(QT_TRANSLATE_NOOP("operation", "Delete the backup %1 of %2")).arg(DisplayText::visible(id), guest);
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Deleted a backup of %1")).arg(guest);
    plan.changes.push_back({QStringLiteral("volume ") + id, true});
    plan.before = {{QStringLiteral("volume"), *row}};
    sayVolume(plan, *row);
    plan.losses << words(QT_TRANSLATE_NOOP("operation", "this backup of %1")).arg(guest);
    plan.requests.push_back(volumeRequest(Method::Delete, args.backup));
    co_return plan;
}

/// Protects a backup from being deleted or pruned, or no longer; and changes its note.
struct BackupProtect {
    VolumeRef backup;
    std::optional<bool> isProtected;
    std::optional<QString> notes;
};

/// What differs, as changes of the plan and as the request.
ApiRequest protectRequest(const BackupProtect &args, bool wasProtected, const QString &oldNotes, Plan &plan)
{
    auto request = volumeRequest(Method::Put, args.backup);
    if (args.isProtected && *args.isProtected != wasProtected) {
        plan.changes.push_back({QStringLiteral("protected"), wasProtected, *args.isProtected});
        request.add("protected", *args.isProtected ? "1" : "0");
    }
    if (args.notes && *args.notes != oldNotes) {
        plan.changes.push_back({QStringLiteral("notes"), oldNotes, *args.notes});
        request.add("notes", *args.notes);
    }
    return request;
}

QString intentOf(bool wasProtected, bool protects)
{
    if (protects == wasProtected)
        return words(QT_TRANSLATE_NOOP("operation", "Change the note of a backup of %1"));
    return protects ? words(QT_TRANSLATE_NOOP("operation", "Protect a backup of %1"))
                    : words(QT_TRANSLATE_NOOP("operation", "Take the protection from a backup of %1"));
}

QCoro::Task<Result<Plan>> planProtect(BackupProtect args, OperationContext context)
{
    if (!args.isProtected && !args.notes)
        co_return Error{Error::Kind::Invalid,
                        words(QT_TRANSLATE_NOOP("operation", "Say whether it is to be protected, or give a note."))};
    auto row = co_await readBackup(context, args.backup);
    if (!row)
        co_return row.error();
    const bool wasProtected = isProtected(*row);
    const auto oldNotes = PveValue::text(*row, "notes").value_or(QString());
    const auto guest = guestOf(context, args.backup.on.remote, *row);
    Plan plan;
    auto request = protectRequest(args, wasProtected, oldNotes, plan);
    if (plan.changes.empty()) {
        plan.intent = words(QT_TRANSLATE_NOOP("operation", "There is nothing to change: this backup is so already."));
        co_return plan;
    }
    const bool protects = args.isProtected.value_or(wasProtected);
    plan.intent = intentOf(wasProtected, protects).arg(guest);
    plan.done = plan.intent;
    plan.before = {{QStringLiteral("protected"), wasProtected}, {QStringLiteral("notes"), oldNotes}};
    if (wasProtected && !protects)
        plan.facts.push_back(
            {words(QT_TRANSLATE_NOOP("operation", "Then")),
             words(QT_TRANSLATE_NOOP("operation", "a backup job may remove it when it keeps only so many")), true});
    sayVolume(plan, *row);
    plan.requests.push_back(std::move(request));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Sets protection and note back."));
    co_return plan;
}

std::optional<Call> protectBack(const BackupProtect &args, const Plan &plan)
{
    QJsonObject back{{QStringLiteral("backup"), args.backup.text()}};
    for (const auto &change : plan.changes)
        back.insert(change.key, change.before);
    return Call{QStringLiteral("backup.protect"), arguments(back)};
}

OperationPtr declareDelete()
{
    return operation<BackupDelete>({
        .id = "backup.delete",
        .title = {QT_TRANSLATE_NOOP("operation", "Delete backup")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Deletes one backup for good. A protected one is refused.")},
        .effect = Effect::Destroys,
        .taskTypes = {"imgdel"},
        .target = &BackupDelete::backup,
        .params = {required(&BackupDelete::backup, "backup", backupHelp)},
        .plan = planDelete,
    });
}

OperationPtr declareProtect()
{
    return operation<BackupProtect>({
        .id = "backup.protect",
        .title = {QT_TRANSLATE_NOOP("operation", "Protect backup")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Protects a backup from being deleted or pruned, or no longer; and "
                                                   "changes its note.")},
        .effect = Effect::Changes,
        .undo = Undo::Exact,
        .target = &BackupProtect::backup,
        .params = {required(&BackupProtect::backup, "backup", backupHelp),
                   optional(&BackupProtect::isProtected, "protected",
                            {QT_TRANSLATE_NOOP("operation", "Keep it from being deleted")}),
                   optional(&BackupProtect::notes, "notes", {QT_TRANSLATE_NOOP("operation", "Its whole new note")},
                            {longest(8192)})},
        .plan = planProtect,
        .inverse = protectBack,
    });
}
} // namespace

Operations backupArchives()
{
    return list(declareDelete(), declareProtect());
}
