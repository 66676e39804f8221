#include "model/PveValue.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"

namespace
{
/// Shows what high availability does now.
struct HaStatus {
    std::optional<RemoteRef> remote;
};

/// A row "quorum" is there on every cluster; only a service makes it configured.
QJsonObject statusJson(const QString &remote, const QJsonArray &rows)
{
    static const QStringList types{"service", "quorum", "master", "lrm", "fencing"};
    QJsonArray services, managers;
    bool isUnderstood = true;
    QJsonObject all{{QStringLiteral("remote"), remote}};
    for (const auto &entry : rows) {
        auto row = entry.toObject();
        const auto type = row[QLatin1String("type")].toString();
        row.remove(QStringLiteral("id"));
        isUnderstood = isUnderstood && types.contains(type);
        if (type == QLatin1String("service"))
            services.append(row);
        else if (type != QLatin1String("quorum"))
            managers.append(row);
        else if (const auto quorate = PveValue::boolean(row, "quorate"))
            all.insert(QStringLiteral("quorate"), *quorate);
    }
    if (isUnderstood || !services.isEmpty()) // what cannot be read may be a service
        all.insert(QStringLiteral("configured"), !services.isEmpty());
    all.insert(QStringLiteral("services"), services);
    all.insert(QStringLiteral("managers"), managers);
    return all;
}

QCoro::Task<Result<QJsonValue>> showStatus(HaStatus args, OperationContext context)
{
    Gathered clusters;
    ApiRequest request{Method::Get, {"cluster", "ha", "status", "current"}};
    const auto answers = co_await askEach(context, remotesToAsk(context, args.remote), std::move(request));
    for (const auto &[remote, answer] : answers)
        if (const auto rows = clusters.list(remote, answer); answer)
            clusters.add(statusJson(remote, rows));
    const auto all = clusters.answer("clusters");
    if (!all)
        co_return all.error();
    co_return QJsonValue(*all);
}

/// Lists what high availability looks after, and the rules for it.
struct HaResources {
    RemoteRef remote;
};

/// Groups became rules with release 9.
bool hasRules(const OperationContext &context, const QString &remote)
{
    const auto known = context.services->inventory.snapshot(remote);
    return !known || known->version.isEmpty() || known->version.section(u'.', 0, 0).toInt() >= 9;
}

QCoro::Task<Result<QJsonValue>> listResources(HaResources args, OperationContext context)
{
    const auto remote = args.remote.remote;
    const auto placing = hasRules(context, remote) ? QStringLiteral("rules") : QStringLiteral("groups");
    ApiRequest resources{Method::Get, {"cluster", "ha", "resources"}};
    ApiRequest rules{Method::Get, {QStringLiteral("cluster"), QStringLiteral("ha"), placing}};
    std::vector<Question> questions;
    questions.push_back({remote, std::move(resources)});
    questions.push_back({remote, std::move(rules)});
    const auto answers = co_await askAll(context, std::move(questions));
    const auto listed = asArray(answers[0]), placed = asArray(answers[1]);
    if (!listed)
        co_return listed.error();
    if (!placed)
        co_return placed.error();
    QJsonObject all{{QStringLiteral("remote"), remote}, {QStringLiteral("resources"), *listed}, {placing, *placed}};
    co_return QJsonValue(all);
}

OperationPtr declareStatus()
{
    return operation<HaStatus>({
        .id = "ha.status",
        .title = {QT_TRANSLATE_NOOP("operation", "Show high availability")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Shows whether high availability is configured, what it looks after "
                                                   "and in which state each is.")},
        .effect = Effect::Reads,
        .target = &HaStatus::remote,
        .params = {optional(&HaStatus::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")})},
        .read = showStatus,
    });
}

OperationPtr declareResources()
{
    return operation<HaResources>({
        .id = "ha.resources",
        .title = {QT_TRANSLATE_NOOP("operation", "List high-availability resources")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Lists the guests that high availability looks after, with the rules "
                                      "(release 9) or groups (release 8) that place them.")},
        .effect = Effect::Reads,
        .target = &HaResources::remote,
        .params = {optional(&HaResources::remote, "remote",
                            {QT_TRANSLATE_NOOP("operation", "Connection; needed only where there are several")})},
        .read = listResources,
    });
}
} // namespace

Operations highAvailability()
{
    return list(declareStatus(), declareResources());
}
