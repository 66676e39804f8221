#include "operations/Clusters.h"
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

QJsonObject wholeJson(const InventorySnapshot &state)
{
    QJsonObject cluster{{QStringLiteral("clustered"), !state.clusterName.isEmpty()}};
    if (!state.clusterName.isEmpty())
        cluster.insert(QStringLiteral("name"), state.clusterName);
    if (state.quorate)
        cluster.insert(QStringLiteral("quorate"), *state.quorate);
    QJsonArray nodes, missing;
    for (const auto &each : state.nodes) {
        QJsonObject node{{QStringLiteral("name"), each.name.text()}};
        if (each.status != NodeState::Status::Unknown)
            node.insert(QStringLiteral("online"), each.status == NodeState::Status::Online);
        nodes.append(node);
    }
    cluster.insert(QStringLiteral("nodes"), nodes);
    addMissingNodes(missing, state);
    if (!missing.isEmpty())
        cluster.insert(QStringLiteral("missing"), missing);
    if (!state.hidden.isEmpty())
        cluster.insert(QStringLiteral("not_visible"), state.hidden);
    if (!state.problem.isEmpty())
        cluster.insert(QStringLiteral("not_understood"), state.problem);
    return cluster;
}

/// How many guests of each kind are in which state.
QJsonObject guestsJson(const InventorySnapshot &state)
{
    QMap<QString, QMap<QString, int>> counts;
    for (const auto &guest : state.guests)
        ++counts[guestKindName(guest.kind)][guest.isTemplate ? QStringLiteral("template") : powerName(guest.power)];
    QJsonObject guests;
    for (auto kind = counts.begin(); kind != counts.end(); ++kind) {
        QJsonObject states;
        for (auto each = kind->begin(); each != kind->end(); ++each)
            states.insert(each.key(), *each);
        guests.insert(kind.key(), states);
    }
    return guests;
}

/// Each storage with its fill; a shared one once.
QJsonArray storagesJson(const InventorySnapshot &state)
{
    QMap<QString, QJsonObject> storages;
    for (const auto &each : state.storages) {
        QJsonObject storage{
            {QStringLiteral("storage"), each.name.text()},
            {QStringLiteral("status"), each.isAvailable ? QStringLiteral("available") : QStringLiteral("unknown")}};
        if (!each.isShared)
            storage.insert(QStringLiteral("node"), each.node.text());
        if (each.used)
            storage.insert(QStringLiteral("used"), *each.used);
        if (each.size)
            storage.insert(QStringLiteral("size"), *each.size);
        const auto key = each.isShared ? each.name.text() : each.name.text() + u'/' + each.node.text();
        if (each.isAvailable || !storages.contains(key))
            storages[key] = storage;
    }
    QJsonArray list;
    for (const auto &storage : storages)
        list.append(storage);
    return list;
}

QCoro::Task<Result<QJsonValue>> overview(Overview args, OperationContext context)
{
    QJsonArray remotes;
    bool isPartial = false;
    const auto answers = co_await readEach(context, remotesToAsk(context, args.remote));
    for (const auto &[remote, answer] : answers) {
        QJsonObject one{{QStringLiteral("remote"), remote}};
        if (answer) {
            one = wholeJson(**answer);
            one.insert(QStringLiteral("remote"), remote);
            one.insert(QStringLiteral("guests"), guestsJson(**answer));
            one.insert(QStringLiteral("storages"), storagesJson(**answer));
        } else {
            one.insert(QStringLiteral("problem"), answer.error().message);
        }
        isPartial = isPartial || !answer;
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
