#include "model/PveValue.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
/// Shows how the nodes of each cluster stand together.
struct ClusterStatus {
    std::optional<RemoteRef> remote;
};

/// A row of type "cluster" is what makes a cluster; without one the node stands alone.
QJsonObject statusJson(const QString &remote, const QJsonArray &rows)
{
    QJsonObject all{{QStringLiteral("remote"), remote}};
    QJsonArray nodes;
    bool isAlone = true; // only if each row is known to be something else
    for (const auto &entry : rows) {
        const auto row = entry.toObject();
        const auto type = row[QLatin1String("type")].toString();
        if (type == QLatin1String("cluster")) {
            isAlone = false;
            all.insert(QStringLiteral("clustered"), true);
            all.insert(QStringLiteral("name"), row[QLatin1String("name")]);
            if (const auto quorate = PveValue::boolean(row, "quorate"))
                all.insert(QStringLiteral("quorate"), *quorate);
        } else if (type == QLatin1String("node")) {
            QJsonObject node{{QStringLiteral("name"), row[QLatin1String("name")]}};
            if (const auto online = PveValue::boolean(row, "online"))
                node.insert(QStringLiteral("online"), *online);
            if (const auto local = PveValue::boolean(row, "local"))
                node.insert(QStringLiteral("answers"), *local);
            if (const auto id = PveValue::integer(row, "nodeid"); id && *id > 0)
                node.insert(QStringLiteral("id"), *id);
            if (const auto address = PveValue::text(row, "ip"))
                node.insert(QStringLiteral("address"), *address);
            nodes.append(node);
        } else {
            isAlone = false;
        }
    }
    if (isAlone)
        all.insert(QStringLiteral("clustered"), false);
    all.insert(QStringLiteral("nodes"), nodes);
    return all;
}

QCoro::Task<Result<QJsonValue>> showStatus(ClusterStatus args, OperationContext context)
{
    Gathered clusters;
    ApiRequest request{Method::Get, {"cluster", "status"}};
    const auto answers = co_await askEach(context, remotesToAsk(context, args.remote), std::move(request));
    for (const auto &[remote, answer] : answers)
        if (const auto rows = clusters.list(remote, answer); answer)
            clusters.add(statusJson(remote, rows));
    const auto all = clusters.answer("clusters");
    if (!all)
        co_return all.error();
    co_return QJsonValue(*all);
}

/// Tells a free guest id.
struct NextId {
    RemoteRef remote;
};

QCoro::Task<Result<QJsonValue>> showNextId(NextId args, OperationContext context)
{
    ApiRequest request{Method::Get, {"cluster", "nextid"}};
    auto answer = co_await get(context, args.remote.remote, std::move(request));
    if (!answer)
        co_return answer.error();
    const auto id = PveValue::integer(*answer);
    if (!id)
        co_return Error{Error::Kind::Malformed,
                        words(QT_TRANSLATE_NOOP("operation", "Proxmox VE did not name a free id."))};
    QJsonObject all{{QStringLiteral("remote"), args.remote.remote}, {QStringLiteral("vmid"), *id}};
    co_return QJsonValue(all);
}

OperationPtr declareStatus()
{
    return operation<ClusterStatus>({
        .id = "cluster.status",
        .title = {QT_TRANSLATE_NOOP("operation", "Show cluster status")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Shows quorum and which nodes are online. A node that stands alone is "
                                      "not clustered.")},
        .effect = Effect::Reads,
        .target = &ClusterStatus::remote,
        .params = {optional(&ClusterStatus::remote, "remote",
                            {QT_TRANSLATE_NOOP("operation", "Only this connection")})},
        .read = showStatus,
    });
}

OperationPtr declareNextId()
{
    return operation<NextId>({
        .id = "cluster.next_id",
        .title = {QT_TRANSLATE_NOOP("operation", "Show a free guest id")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Shows the lowest guest id that is free now. It is not reserved: somebody else may take it.")},
        .effect = Effect::Reads,
        .target = &NextId::remote,
        .params = {optional(&NextId::remote, "remote",
                            {QT_TRANSLATE_NOOP("operation", "Connection; needed only where there are several")})},
        .read = showNextId,
    });
}
} // namespace

Operations clusters()
{
    return list(declareStatus(), declareNextId());
}
