#include "model/PveValue.h"
#include "operations/Families.h"
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
    QJsonArray nodes, missing;
    Result<> last;
    const auto remotes = remotesToAsk(context, args.remote);
    for (const auto &remote : remotes) {
        ApiRequest request{Method::Get, {"nodes"}};
        auto answer = co_await get(context, remote, std::move(request));
        if (!answer) {
            missing.append(
                QJsonObject{{QStringLiteral("remote"), remote}, {QStringLiteral("problem"), answer.error().message}});
            last = answer.error();
            continue;
        }
        for (const auto &entry : answer->toArray()) {
            auto node = entry.toObject();
            for (const auto *noise : {"id", "type", "level", "ssl_fingerprint"})
                node.remove(QLatin1String(noise));
            node.insert(QStringLiteral("remote"), remote);
            nodes.append(node);
        }
    }
    if (!last && missing.size() == remotes.size())
        co_return last.error();
    QJsonObject all{{QStringLiteral("nodes"), nodes}};
    if (!missing.isEmpty())
        all.insert(QStringLiteral("missing"), missing);
    co_return QJsonValue(all);
}

/// Shows one node.
struct NodeStatus {
    NodeRef node;
};

QCoro::Task<Result<QJsonValue>> getStatus(NodeStatus args, OperationContext context)
{
    auto request = nodeRequest(Method::Get, args.node.node.text(), {"status"});
    auto answer = co_await get(context, args.node.remote, std::move(request));
    if (!answer)
        co_return answer.error();
    auto status = answer->toObject();
    auto cpu = status[QStringLiteral("cpuinfo")].toObject();
    cpu.remove(QStringLiteral("flags"));
    status.insert(QStringLiteral("cpuinfo"), cpu);
    status.insert(QStringLiteral("node"), args.node.node.text());
    status.insert(QStringLiteral("remote"), args.node.remote);
    co_return QJsonValue(status);
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
} // namespace

Operations nodeReads()
{
    return list(declareNodeList(), declareNodeStatus());
}
