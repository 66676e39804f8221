#include "inventory/Inventory.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/Metrics.h"
#include "operations/TypedOperation.h"
#include <QJsonArray>

namespace
{
/// Lists the nodes of one or all connections.
struct NodeList {
    std::optional<RemoteRef> remote;
};

QCoro::Task<Result<QJsonValue>> listNodes(NodeList args, OperationContext context)
{
    Gathered nodes;
    ApiRequest request{Method::Get, {"nodes"}};
    const auto answers = co_await askEach(context, remotesToAsk(context, args.remote), std::move(request));
    for (const auto &[remote, whole] : answers) {
        for (const auto &entry : nodes.list(remote, whole)) {
            auto node = entry.toObject();
            for (const auto *noise : {"id", "type", "level", "ssl_fingerprint"})
                node.remove(QLatin1String(noise));
            node.insert(QStringLiteral("remote"), remote);
            nodes.add(node);
        }
        if (const auto known = context.services->inventory.snapshot(remote); known && whole)
            nodes.addMissingNodes(*known);
    }
    const auto answer = nodes.answer("nodes");
    if (!answer)
        co_return answer.error();
    co_return QJsonValue(*answer);
}

/// Shows one node.
struct NodeStatus {
    NodeRef node;
};

QCoro::Task<Result<QJsonValue>> getStatus(NodeStatus args, OperationContext context)
{
    auto request = nodeRequest(Method::Get, args.node.node.text(), {"status"});
    auto answer = co_await getObject(context, args.node.remote, std::move(request));
    if (!answer)
        co_return answer.error();
    auto status = *answer;
    if (auto cpu = status.value(QLatin1String("cpuinfo")).toObject(); !cpu.isEmpty()) {
        cpu.remove(QStringLiteral("flags"));
        status.insert(QStringLiteral("cpuinfo"), cpu);
    }
    status.insert(QStringLiteral("node"), args.node.node.text());
    status.insert(QStringLiteral("remote"), args.node.remote);
    co_return QJsonValue(status);
}

/// Shows a node's load over time.
struct NodeMetrics {
    NodeRef node;
    QString timeframe = QStringLiteral("hour");
    QString aggregate = QStringLiteral("AVERAGE");
};

QCoro::Task<Result<QJsonValue>> showMetrics(NodeMetrics args, OperationContext context)
{
    auto request = nodeRequest(Method::Get, args.node.node.text(), {"rrddata"});
    auto metrics =
        co_await readMetrics(std::move(context), args.node.remote, std::move(request), args.timeframe, args.aggregate);
    co_return metrics;
}

OperationPtr declareNodeList()
{
    return operation<NodeList>({
        .id = "node.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List nodes")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Lists nodes with their state and load.")},
        .effect = Effect::Reads,
        .target = &NodeList::remote,
        .params = {optional(&NodeList::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")})},
        .read = listNodes,
    });
}

OperationPtr declareNodeStatus()
{
    return operation<NodeStatus>({
        .id = "node.status",
        .title = {QT_TRANSLATE_NOOP("operation", "Show node")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Shows one node: version, CPU, memory, disk, load and uptime.")},
        .effect = Effect::Reads,
        .target = &NodeStatus::node,
        .params = {required(&NodeStatus::node, "node",
                            {QT_TRANSLATE_NOOP("operation", "Name of the node: pve1 or homelab:pve1")})},
        .read = getStatus,
    });
}

OperationPtr declareNodeMetrics()
{
    return operation<NodeMetrics>({
        .id = "node.metrics",
        .title = {QT_TRANSLATE_NOOP("operation", "Show node metrics")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Shows a node's CPU, memory, disk and network load over time. A point "
                                      "without values is a gap.")},
        .effect = Effect::Reads,
        .target = &NodeMetrics::node,
        .params = withTimeframe(required(&NodeMetrics::node, "node",
                                         {QT_TRANSLATE_NOOP("operation", "Name of the node: pve1 or homelab:pve1")})),
        .read = showMetrics,
    });
}
} // namespace

Operations nodeReads()
{
    return list(declareNodeList(), declareNodeStatus(), declareNodeMetrics());
}
