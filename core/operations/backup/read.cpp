#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "operations/Backups.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"

namespace
{
/// Lists backups.
struct BackupList {
    std::optional<RemoteRef> remote;
    std::optional<GuestRef> guest;
    std::optional<QString> storage;
    qint64 limit = 200;
};

QCoro::Task<Result<QJsonValue>> listBackups(BackupList args, OperationContext context)
{
    BackupWish wish;
    if (args.guest) {
        auto found = context.services->inventory.resolveGuest(args.guest->asked);
        if (!found)
            co_return found.error();
        wish.vmid = found->vmid.text();
        args.remote = RemoteRef{found->remote, found->remote};
    }
    wish.storage = args.storage.value_or(QString());
    Gathered backups;
    for (const auto &remote : remotesToAsk(context, args.remote)) {
        const auto silent = co_await gatherBackups(context, remote, wish, &backups);
        Q_UNUSED(silent) // they are under "missing"
    }
    const auto all = backups.sortedBy("time").answer("backups", args.limit);
    if (!all)
        co_return all.error();
    co_return QJsonValue(*all);
}

/// Lists backup jobs and what none of them covers.
struct BackupJobs {
    std::optional<RemoteRef> remote;
};

QCoro::Task<Result<QJsonValue>> listJobs(BackupJobs args, OperationContext context)
{
    const auto remotes = remotesToAsk(context, args.remote);
    ApiRequest jobs{Method::Get, {"cluster", "backup"}},
        uncovered{Method::Get, {"cluster", "backup-info", "not-backed-up"}};
    std::vector<Question> questions;
    for (const auto &remote : remotes) {
        questions.push_back({remote, jobs});
        questions.push_back({remote, uncovered});
        questions.push_back({remote, permissionsRequest()});
    }
    const auto answers = co_await askAll(std::move(context), std::move(questions));
    static const Sight sight{
        {QStringLiteral("VM.Audit")}, QStringLiteral("/vms"), {QT_TRANSLATE_NOOP("operation", "guests")}};
    Gathered listed, bare;
    size_t at = 0;
    for (const auto &remote : remotes) {
        const auto fill = [&remote](Gathered &into, const Result<QJsonValue> &answer) {
            for (const auto &entry : into.list(remote, answer)) {
                auto row = entry.toObject();
                row.insert(QStringLiteral("remote"), remote);
                into.add(row);
            }
        };
        fill(listed, answers[at]);
        fill(bare, answers[at + 1]);
        listed.hide(remote, answers[at + 2], sight);
        at += 3;
    }
    auto all = listed.answer("jobs");
    if (!all)
        co_return all.error();
    const auto rest = bare.answer("not_covered");
    if (rest)
        all->insert(QStringLiteral("not_covered"), rest->value(QStringLiteral("not_covered")));
    else
        all->insert(QStringLiteral("not_covered_problem"), rest.error().message);
    co_return QJsonValue(*all);
}

OperationPtr declareList()
{
    return operation<BackupList>({
        .id = "backup.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List backups")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Lists backups on all storages, newest first; those on a shared storage "
                                      "once. Says which storages could not be asked.")},
        .effect = Effect::Reads,
        .target = &BackupList::remote,
        .params = {optional(&BackupList::guest, "guest",
                            {QT_TRANSLATE_NOOP("operation", "Only backups of this guest")}),
                   optional(&BackupList::storage, "storage",
                            {QT_TRANSLATE_NOOP("operation", "Only backups on the storage of this name")}),
                   optional(&BackupList::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")}),
                   optional(&BackupList::limit, "limit",
                            {QT_TRANSLATE_NOOP("operation", "At most this many; the rest is counted")},
                            {range(1, 5000)})},
        .read = listBackups,
    });
}

OperationPtr declareJobs()
{
    return operation<BackupJobs>({
        .id = "backup.jobs",
        .title = {QT_TRANSLATE_NOOP("operation", "List backup jobs")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Lists scheduled backup jobs, and the guests that no job covers.")},
        .effect = Effect::Reads,
        .target = &BackupJobs::remote,
        .params = {optional(&BackupJobs::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")})},
        .read = listJobs,
    });
}
} // namespace

Operations backupReads()
{
    return list(declareList(), declareJobs());
}
