#include "model/PveValue.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"
#include <QHash>

namespace
{
/// Lists replication jobs with how their last run went.
struct ReplicationList {
    std::optional<RemoteRef> remote;
};

/// How far the jobs of each node have come: only the node that sends knows.
QCoro::Task<QHash<QString, QJsonObject>> statesOf(OperationContext context, QString remote, QStringList nodes,
                                                  Gathered *gathered)
{
    std::vector<Question> questions;
    for (const auto &node : nodes)
        questions.push_back({remote, nodeRequest(Method::Get, node, {QStringLiteral("replication")})});
    const auto answers = co_await askAll(std::move(context), std::move(questions));
    QHash<QString, QJsonObject> states;
    for (qsizetype at = 0; at < nodes.size(); ++at)
        for (const auto &row : gathered->list(remote, nodes[at], answers[size_t(at)]))
            states.insert(row[QLatin1String("id")].toString(), row.toObject());
    co_return states;
}

/// "never", "ok", "failing", "disabled", or "unknown" where its node does not answer.
QString standing(const QJsonObject &job, const QJsonObject &state)
{
    if (PveValue::boolean(job, "disable").value_or(false))
        return QStringLiteral("disabled");
    if (state.isEmpty())
        return QStringLiteral("unknown");
    if (PveValue::integer(state, "fail_count").value_or(0) > 0)
        return QStringLiteral("failing");
    return PveValue::integer(state, "last_sync").value_or(0) > 0 ? QStringLiteral("ok") : QStringLiteral("never");
}

QJsonObject jobJson(QJsonObject job, const QJsonObject &state, const QString &remote)
{
    for (const auto *key : {"last_sync", "last_try", "next_sync", "fail_count", "duration", "error"})
        if (const auto value = state[QLatin1String(key)]; !value.isUndefined())
            job.insert(QLatin1String(key), value);
    job.insert(QStringLiteral("state"), standing(job, state));
    job.insert(QStringLiteral("remote"), remote);
    return job;
}

QCoro::Task<Result<QJsonValue>> listJobs(ReplicationList args, OperationContext context)
{
    Gathered jobs;
    static const Sight guests{
        {QStringLiteral("VM.Audit")}, QStringLiteral("/vms"), {QT_TRANSLATE_NOOP("operation", "jobs of guests")}};
    for (const auto &remote : remotesToAsk(context, args.remote)) {
        ApiRequest request{Method::Get, {"cluster", "replication"}};
        std::vector<Question> questions;
        questions.push_back({remote, std::move(request)});
        questions.push_back({remote, permissionsRequest()});
        const auto answers = co_await askAll(context, std::move(questions));
        const auto rows = jobs.list(remote, answers[0]);
        jobs.hide(remote, answers[1], guests);
        QStringList nodes;
        for (const auto &row : rows)
            if (const auto source = row[QLatin1String("source")].toString();
                !source.isEmpty() && !nodes.contains(source))
                nodes << source;
        const auto states = co_await statesOf(context, remote, nodes, &jobs);
        for (const auto &row : rows)
            jobs.add(jobJson(row.toObject(), states.value(row[QLatin1String("id")].toString()), remote));
    }
    const auto all = jobs.answer("jobs");
    if (!all)
        co_return all.error();
    co_return QJsonValue(*all);
}
} // namespace

Operations replications()
{
    return list(operation<ReplicationList>({
        .id = "replication.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List replication jobs")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Lists replication jobs with their last and next run and how many "
                                                   "runs have failed.")},
        .effect = Effect::Reads,
        .target = &ReplicationList::remote,
        .params = {optional(&ReplicationList::remote, "remote",
                            {QT_TRANSLATE_NOOP("operation", "Only this connection")})},
        .read = listJobs,
    }));
}
