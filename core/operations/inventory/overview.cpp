#include "model/PveValue.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"
#include <QJsonArray>
#include <QMap>

namespace
{
/// Shows all clusters at a glance.
struct Overview {
    std::optional<RemoteRef> remote;
};

QJsonObject clusterJson(const QJsonArray &status)
{
    QJsonObject cluster{{QStringLiteral("clustered"), false}};
    QJsonArray nodes;
    for (const auto &entry : status) {
        const auto one = entry.toObject();
        if (one[QLatin1String("type")].toString() == QLatin1String("cluster")) {
            cluster[QStringLiteral("clustered")] = true;
            cluster[QStringLiteral("name")] = one[QLatin1String("name")];
            if (const auto quorate = PveValue::boolean(one, "quorate"))
                cluster[QStringLiteral("quorate")] = *quorate;
        } else {
            QJsonObject node{{QStringLiteral("name"), one[QLatin1String("name")]}};
            if (const auto online = PveValue::boolean(one, "online"))
                node.insert(QStringLiteral("online"), *online);
            nodes.append(node);
        }
    }
    cluster[QStringLiteral("nodes")] = nodes;
    return cluster;
}

/// Counts guests by kind and state, and names the storages with their fill.
void addResources(QJsonObject &cluster, const QJsonArray &resources)
{
    QMap<QString, QMap<QString, int>> counts;
    QMap<QString, QJsonObject> storages;
    for (const auto &entry : resources) {
        const auto one = entry.toObject();
        const auto type = one[QLatin1String("type")].toString();
        if (type == QLatin1String("qemu") || type == QLatin1String("lxc")) {
            const bool isTemplate = PveValue::boolean(one, "template").value_or(false);
            ++counts[type][isTemplate ? QStringLiteral("template")
                                      : PveValue::text(one, "status").value_or(QStringLiteral("unknown"))];
        } else if (type == QLatin1String("storage")) {
            const bool shared = PveValue::boolean(one, "shared").value_or(false);
            const auto name = one[QLatin1String("storage")].toString();
            QJsonObject storage{{QStringLiteral("storage"), name},
                                {QStringLiteral("status"), one[QLatin1String("status")]}};
            if (!shared)
                storage.insert(QStringLiteral("node"), one[QLatin1String("node")]);
            for (const auto &[key, as] : {std::pair("disk", "used"), std::pair("maxdisk", "size")})
                if (const auto bytes = PveValue::integer(one, key))
                    storage.insert(QLatin1String(as), *bytes);
            storages[shared ? name : name + u'/' + one[QLatin1String("node")].toString()] = storage;
        }
    }
    QJsonObject guests;
    for (auto kind = counts.begin(); kind != counts.end(); ++kind) {
        QJsonObject states;
        for (auto state = kind->begin(); state != kind->end(); ++state)
            states.insert(state.key(), *state);
        guests.insert(kind.key(), states);
    }
    QJsonArray list;
    for (const auto &storage : storages)
        list.append(storage);
    cluster[QStringLiteral("guests")] = guests;
    cluster[QStringLiteral("storages")] = list;
}

QCoro::Task<Result<QJsonObject>> oneRemote(QString remote, OperationContext context)
{
    ApiRequest statusRequest{Method::Get, {"cluster", "status"}},
        resourcesRequest{Method::Get, {"cluster", "resources"}};
    auto asksStatus = get(context, remote, std::move(statusRequest));
    auto asksResources = get(context, remote, std::move(resourcesRequest));
    auto status = co_await asksStatus;
    auto resources = co_await asksResources;
    if (!status)
        co_return status.error();
    if (!resources)
        co_return resources.error();
    auto cluster = clusterJson(status->toArray());
    addResources(cluster, resources->toArray());
    co_return cluster;
}

QCoro::Task<Result<QJsonValue>> overview(Overview args, OperationContext context)
{
    std::vector<std::pair<QString, QCoro::Task<Result<QJsonObject>>>> asked;
    for (const auto &remote : remotesToAsk(context, args.remote))
        asked.emplace_back(remote, oneRemote(remote, context));
    QJsonArray remotes;
    bool isPartial = false;
    for (auto &[remote, task] : asked) {
        auto cluster = co_await task;
        QJsonObject one = cluster ? *cluster : QJsonObject{{QStringLiteral("problem"), cluster.error().message}};
        one.insert(QStringLiteral("remote"), remote);
        isPartial = isPartial || !cluster;
        remotes.append(one);
    }
    QJsonObject all{{QStringLiteral("remotes"), remotes}, {QStringLiteral("partial"), isPartial}};
    co_return QJsonValue(all);
}

OperationPtr declareOverview()
{
    return operation<Overview>({
        .id = "inventory.overview",
        .title = {QT_TRANSLATE_NOOP("operation", "Show overview")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Shows every connected cluster at a glance: quorum, nodes, guests "
                                                   "by state, storages. Says which are missing.")},
        .effect = Effect::Reads,
        .target = &Overview::remote,
        .params = {optional(&Overview::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")})},
        .read = overview,
    });
}
} // namespace

Operations inventoryOverview()
{
    return list(declareOverview());
}
