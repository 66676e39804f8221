#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "operations/Backups.h"
#include "operations/Families.h"
#include "operations/Findings.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include <QHash>

namespace
{
/// Finds storages that are full or soon will be.
struct StoragePressure {
    std::optional<RemoteRef> remote;
    qint64 fill = 85, fillCritical = 95, days = 30;
};

/// A storage to look at, as the inventory has it.
struct LookedAt {
    StorageRef ref;
    StorageState state;
};

/// Each storage that is there: a shared one once.
std::vector<LookedAt> storagesOf(const InventorySnapshot &state)
{
    std::vector<LookedAt> all;
    QStringList seen;
    for (const auto &storage : state.storages) {
        const auto *node = state.node(storage.node);
        if (!storage.isAvailable || !node || node->status != NodeState::Status::Online)
            continue;
        const auto key = storage.isShared ? storage.name.text() : storage.node.text() + u'/' + storage.name.text();
        if (seen.contains(key))
            continue;
        seen << key;
        all.push_back({{storage.name.text(), state.remoteId, storage.node, storage.name, storage.isShared}, storage});
    }
    return all;
}

/// The days until it is full, by a straight line through a month of its fill. Nothing if it does not grow, or if less
/// than a week is known.
std::optional<double> daysUntilFull(const QJsonArray &points, qint64 size)
{
    constexpr double day = 86400;
    double n = 0, sumT = 0, sumU = 0, sumTT = 0, sumTU = 0, first = 0, last = 0, used = 0;
    for (const auto &point : points) {
        const auto time = PveValue::number(point.toObject(), "time"),
                   value = PveValue::number(point.toObject(), "used");
        if (!time || !value)
            continue;
        first = n == 0 ? *time : first;
        const auto t = (*time - first) / day;
        last = t;
        used = *value;
        ++n;
        sumT += t;
        sumU += *value;
        sumTT += t * t;
        sumTU += t * *value;
    }
    const auto spread = n * sumTT - sumT * sumT;
    if (n < 7 || last < 7 || spread <= 0)
        return std::nullopt;
    const auto perDay = (n * sumTU - sumT * sumU) / spread;
    if (perDay * 30 < double(size) * 0.001) // less than a thousandth a month is no growth
        return std::nullopt;
    return oneDecimal(std::max(0.0, (double(size) - used) / perDay));
}

QJsonObject judgeStorage(const LookedAt &storage, const Result<QJsonValue> &history, const StoragePressure &marks,
                         Findings &findings)
{
    const auto &ref = storage.ref;
    QJsonObject one{{QStringLiteral("remote"), ref.remote}, {QStringLiteral("storage"), ref.text()}};
    const Mend mend{QStringLiteral("storage.content"),
                    {{QStringLiteral("storage"), ref.text()}},
                    words(QT_TRANSLATE_NOOP("operation", "See what lies there, then delete what nobody needs."))};
    if (const auto fill = percent(storage.state.used, storage.state.size)) {
        one.insert(QStringLiteral("fill"), *fill);
        findings.measure(ref.remote, ref.label(),
                         {QStringLiteral("fill"), *fill, double(marks.fill), double(marks.fillCritical)}, mend);
    }
    const auto points = asArray(history);
    const auto days = points && storage.state.size ? daysUntilFull(*points, *storage.state.size) : std::nullopt;
    if (!points)
        one.insert(QStringLiteral("forecast_problem"), points.error().message);
    if (!days)
        return one;
    one.insert(QStringLiteral("days_until_full"), *days);
    if (*days <= double(marks.days))
        findings.add(
            ref.remote, ref.label(), false, QStringLiteral("forecast"),
            words(QT_TRANSLATE_NOOP("operation", "It will be full in %1 days if it grows as in the last month; the "
                                                 "mark is %2 days"))
                .arg(*days)
                .arg(marks.days),
            mend);
    return one;
}

QCoro::Task<Result<QJsonValue>> findStoragePressure(StoragePressure args, OperationContext context)
{
    Findings findings;
    Gathered storages;
    std::vector<LookedAt> looked;
    std::vector<Question> questions;
    const auto answers = co_await readEach(context, remotesToAsk(context, args.remote));
    for (const auto &[remote, state] : answers) {
        storages.note(remote, state);
        for (auto &each : state ? storagesOf(**state) : std::vector<LookedAt>()) {
            questions.push_back({remote, storageRequest(Method::Get, each.ref, {QStringLiteral("rrddata")})});
            questions.back().request.add("timeframe", "month");
            questions.back().request.add("cf", "AVERAGE");
            looked.push_back(std::move(each));
        }
    }
    const auto histories = co_await askAll(std::move(context), std::move(questions));
    for (size_t at = 0; at < looked.size(); ++at)
        storages.add(judgeStorage(looked[at], histories[at], args, findings));
    auto all = storages.answer("storages");
    if (!all)
        co_return all.error();
    all->insert(QStringLiteral("findings"), findings.ranked());
    co_return QJsonValue(*all);
}

/// Finds guests without a recent good backup.
struct BackupCoverage {
    std::optional<RemoteRef> remote;
    qint64 days = 7;
};

bool isGood(const QJsonObject &backup)
{
    return backup[QLatin1String("verification")].toObject()[QLatin1String("state")].toString() !=
               QLatin1String("failed") &&
           PveValue::integer(backup, "size").value_or(1) > 0;
}

/// By guest: when its newest good backup was made.
QHash<qint64, qint64> newestOf(const QJsonArray &backups)
{
    QHash<qint64, qint64> newest;
    for (const auto &entry : backups) {
        const auto backup = entry.toObject();
        const auto vmid = PveValue::integer(backup, "vmid").value_or(0);
        if (isGood(backup))
            newest[vmid] = std::max(newest.value(vmid), PveValue::integer(backup, "time").value_or(0));
    }
    return newest;
}

/// Whether a backup of it may lie where nobody could look.
bool mayBeHidden(const GuestState &guest, const std::vector<StorageRef> &silent)
{
    return std::any_of(silent.begin(), silent.end(),
                       [&](const StorageRef &storage) { return storage.isShared || storage.node == guest.node; });
}

/// What the insight on backups has looked at.
struct BackupSums {
    Findings findings;
    QJsonArray unknown;
    qint64 analysed = 0, covered = 0;
};

void judgeBackups(const InventorySnapshot &state, const GuestState &guest, qint64 newest, bool isUncertain, qint64 now,
                  qint64 days, BackupSums &sums)
{
    const auto ref = state.ref(guest);
    const Mend mend{QStringLiteral("backup.run"),
                    {{QStringLiteral("guest"), ref.key()}},
                    words(QT_TRANSLATE_NOOP("operation", "Back it up now, and put it into a job."))};
    ++sums.analysed;
    const auto age = oneDecimal(double(now - newest) / 86400);
    if (newest > 0 && age <= double(days)) {
        ++sums.covered;
    } else if (isUncertain) {
        sums.unknown.append(QJsonObject{{QStringLiteral("guest"), ref.key()}, {QStringLiteral("label"), ref.label()}});
    } else if (newest == 0) {
        sums.findings.add(state.remoteId, ref.label(), true, QStringLiteral("no_backup"),
                          words(QT_TRANSLATE_NOOP("operation", "There is no good backup of it.")), mend);
    } else {
        sums.findings.measure(
            state.remoteId, ref.label(),
            {QStringLiteral("backup_age"), age, double(days), 0, words(QT_TRANSLATE_NOOP("operation", "days"))}, mend);
    }
}

QCoro::Task<Result<QJsonValue>> findUncovered(BackupCoverage args, OperationContext context)
{
    BackupSums sums;
    Gathered all;
    const auto now = context.services->clock.wallMs() / 1000;
    const auto answers = co_await readEach(context, remotesToAsk(context, args.remote));
    for (const auto &[remote, state] : answers) {
        all.note(remote, state);
        if (!state)
            continue;
        Gathered backups;
        const auto silent = co_await gatherBackups(context, remote, BackupWish(), &backups);
        all.takeGaps(backups);
        const auto newest = newestOf(backups.rows());
        for (const auto &guest : (*state)->guests)
            if (!guest.isTemplate)
                judgeBackups(**state, guest, newest.value(guest.vmid.number()),
                             backups.hidesSomething() || mayBeHidden(guest, silent), now, args.days, sums);
    }
    auto answer = all.answer("guests");
    if (!answer)
        co_return answer.error();
    answer->remove(QStringLiteral("guests"));
    answer->insert(QStringLiteral("findings"), sums.findings.ranked());
    answer->insert(QStringLiteral("analysed"), sums.analysed);
    answer->insert(QStringLiteral("covered"), sums.covered);
    answer->insert(QStringLiteral("unknown"), sums.unknown);
    co_return QJsonValue(*answer);
}

OperationPtr declareStoragePressure()
{
    return operation<StoragePressure>({
        .id = "insight.storage_pressure",
        .title = {QT_TRANSLATE_NOOP("operation", "Find storages that run full")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Finds storages that are nearly full, and says in how many days one will "
                                      "be, from a month of its fill.")},
        .effect = Effect::Reads,
        .target = &StoragePressure::remote,
        .params = {optional(&StoragePressure::remote, "remote",
                            {QT_TRANSLATE_NOOP("operation", "Only this connection")}),
                   optional(&StoragePressure::fill, "fill",
                            {QT_TRANSLATE_NOOP("operation", "Fill in % from which it counts (85)")}, {range(1, 100)}),
                   optional(&StoragePressure::fillCritical, "fill_critical",
                            {QT_TRANSLATE_NOOP("operation", "Fill in % that is grave (95)")}, {range(1, 100)}),
                   optional(&StoragePressure::days, "days",
                            {QT_TRANSLATE_NOOP("operation", "Full in fewer days than this counts (30)")},
                            {range(1, 3650)})},
        .read = findStoragePressure,
    });
}

OperationPtr declareCoverage()
{
    return operation<BackupCoverage>({
        .id = "insight.backup_coverage",
        .title = {QT_TRANSLATE_NOOP("operation", "Find guests without a backup")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Finds guests whose newest good backup is too old or missing. Where a "
                                      "storage could not be asked it says unknown.")},
        .effect = Effect::Reads,
        .target = &BackupCoverage::remote,
        .params = {optional(&BackupCoverage::remote, "remote",
                            {QT_TRANSLATE_NOOP("operation", "Only this connection")}),
                   optional(&BackupCoverage::days, "days",
                            {QT_TRANSLATE_NOOP("operation", "A backup older than this many days is too old (7)")},
                            {range(1, 3650)})},
        .read = findUncovered,
    });
}
} // namespace

Operations insightsOnStorage()
{
    return list(declareStoragePressure(), declareCoverage());
}
