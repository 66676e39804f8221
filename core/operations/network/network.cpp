#include "operations/Families.h"
#include "operations/TypedOperation.h"

namespace
{
/// Lists a node's network interfaces.
struct NetworkList {
    NodeRef node;
    std::optional<QString> type;
};

QCoro::Task<Result<QJsonValue>> listNetworks(NetworkList args, OperationContext context)
{
    auto request = nodeRequest(Method::Get, args.node.node.text(), {"network"});
    auto answer = co_await getAnswer(context, args.node.remote, std::move(request));
    if (!answer)
        co_return answer.error();
    const auto rows = asArray(Result<QJsonValue>(answer->data));
    if (!rows)
        co_return rows.error();
    QJsonArray interfaces;
    for (const auto &entry : *rows)
        if (!args.type || entry[QLatin1String("type")].toString() == *args.type)
            interfaces.append(entry);
    QJsonObject all{{QStringLiteral("remote"), args.node.remote},
                    {QStringLiteral("node"), args.node.node.text()},
                    {QStringLiteral("interfaces"), interfaces}};
    // a difference of two files: what was changed and does not count yet
    if (const auto changes = answer->beside.value(QLatin1String("changes")).toString(); !changes.isEmpty())
        all.insert(QStringLiteral("waiting_changes"), changes);
    co_return QJsonValue(all);
}
} // namespace

Operations networks()
{
    return list(operation<NetworkList>({
        .id = "network.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List network interfaces")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Lists a node's bridges, bonds, VLANs and cards, with changes that "
                                                   "were made but not applied.")},
        .effect = Effect::Reads,
        .target = &NetworkList::node,
        .params = {required(&NetworkList::node, "node",
                            {QT_TRANSLATE_NOOP("operation", "Name of the node: pve1 or homelab:pve1")}),
                   optional(&NetworkList::type, "type", {QT_TRANSLATE_NOOP("operation", "Only this type")},
                            {oneOf({"bridge", "bond", "eth", "vlan", "alias", "OVSBridge", "OVSBond", "OVSPort",
                                    "OVSIntPort", "vnet"})})},
        .read = listNetworks,
    }));
}
