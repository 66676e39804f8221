#include "inventory/Visibility.h"
#include "model/PveValue.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include "pve/Connection.h"

namespace
{
/// Lists the connections and how they stand.
struct KnownRemotes {
};

QString reachName(InventorySnapshot::Reach reach)
{
    switch (reach) {
    case InventorySnapshot::Reach::Live: return QStringLiteral("live");
    case InventorySnapshot::Reach::Stale: return QStringLiteral("stale");
    case InventorySnapshot::Reach::Cached: return QStringLiteral("cached");
    case InventorySnapshot::Reach::Never: return QStringLiteral("never");
    }
    Q_UNREACHABLE();
}

QJsonObject standJson(const InventorySnapshot &state)
{
    QJsonObject one{{QStringLiteral("remote"), state.remoteId},
                    {QStringLiteral("name"), state.remoteName},
                    {QStringLiteral("state"), reachName(state.reach)},
                    {QStringLiteral("clustered"), !state.clusterName.isEmpty()}};
    const std::pair<const char *, QString> texts[] = {{"cluster", state.clusterName},
                                                      {"version", state.version},
                                                      {"problem", state.problem},
                                                      {"not_visible", state.hidden}};
    for (const auto &[key, text] : texts)
        if (!text.isEmpty())
            one.insert(QLatin1String(key), text);
    if (state.takenAtMs > 0)
        one.insert(QStringLiteral("last_answer"), state.takenAtMs / 1000);
    return one;
}

QCoro::Task<Result<QJsonValue>> listRemotes(KnownRemotes, OperationContext context)
{
    QJsonArray remotes;
    for (const auto &state : context.services->inventory.snapshots()) {
        auto one = standJson(*state);
        const auto *connection = context.services->connections.find(state->remoteId);
        one.insert(QStringLiteral("open"), connection != nullptr);
        if (connection) {
            one.insert(QStringLiteral("addresses"), QJsonArray::fromStringList(connection->remote().addresses));
            one.insert(QStringLiteral("user"), connection->remote().user);
        }
        remotes.append(one);
    }
    QJsonObject all{{QStringLiteral("remotes"), remotes}};
    co_return QJsonValue(all);
}

/// Asks a connection what its sign-in may do.
struct RemoteTest {
    RemoteRef remote;
};

/// The privileges of each path, those that go down marked by nothing and those that do not by "(here only)".
QJsonObject privilegesJson(const QJsonObject &permissions)
{
    QJsonObject all;
    for (auto path = permissions.begin(); path != permissions.end(); ++path) {
        QStringList names;
        const auto held = path->toObject();
        for (auto each = held.begin(); each != held.end(); ++each)
            names << (PveValue::boolean(*each).value_or(true)
                          ? each.key()
                          : words(QT_TRANSLATE_NOOP("operation", "%1 (here only)")).arg(each.key()));
        all.insert(path.key(), QJsonArray::fromStringList(names));
    }
    return all;
}

/// Whether the everyday tasks are allowed everywhere, by their privileges.
QJsonObject tasksJson(const QJsonValue &permissions)
{
    const std::tuple<const char *, const char *, QStringList> tasks[] = {
        {"see_guests", "/vms", {QStringLiteral("VM.Audit")}},
        {"start_and_stop_guests", "/vms", {QStringLiteral("VM.PowerMgmt")}},
        {"take_snapshots", "/vms", {QStringLiteral("VM.Snapshot")}},
        {"back_up_guests", "/vms", {QStringLiteral("VM.Backup")}},
        {"create_guests", "/vms", {QStringLiteral("VM.Allocate")}},
        {"see_storages", "/storage", {QStringLiteral("Datastore.Audit"), QStringLiteral("Datastore.AllocateSpace")}},
        {"see_nodes", "/nodes", {QStringLiteral("Sys.Audit")}},
        {"change_permissions", "/access", {QStringLiteral("Permissions.Modify")}}};
    QJsonObject all;
    for (const auto &[name, root, privileges] : tasks)
        all.insert(QLatin1String(name), Visibility::seesAll(permissions, QLatin1String(root), privileges));
    return all;
}

QCoro::Task<Result<QJsonValue>> testRemote(RemoteTest args, OperationContext context)
{
    const auto remote = args.remote.remote;
    ApiRequest version{Method::Get, {"version"}}, status{Method::Get, {"cluster", "status"}};
    std::vector<Question> questions;
    questions.push_back({remote, std::move(version)});
    questions.push_back({remote, std::move(status)});
    questions.push_back({remote, permissionsRequest()});
    const auto answers = co_await askAll(context, std::move(questions));
    if (!answers[0])
        co_return answers[0].error();
    QJsonObject all{{QStringLiteral("remote"), remote},
                    {QStringLiteral("version"), answers[0]->toObject()[QLatin1String("version")]}};
    if (const auto *connection = context.services->connections.find(remote))
        all.insert(QStringLiteral("user"), connection->remote().user);
    if (answers[1])
        all.insert(QStringLiteral("cluster_status"), *answers[1]);
    else
        all.insert(QStringLiteral("cluster_status_problem"), answers[1].error().message);
    if (!answers[2])
        co_return answers[2].error();
    all.insert(QStringLiteral("privileges"), privilegesJson(answers[2]->toObject()));
    all.insert(QStringLiteral("may"), tasksJson(*answers[2]));
    if (const auto hidden = Visibility::hidden(*answers[2]); hidden && !hidden->isEmpty())
        all.insert(QStringLiteral("not_visible"), *hidden);
    co_return QJsonValue(all);
}

OperationPtr declareList()
{
    return operation<KnownRemotes>({
        .id = "remote.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List connections")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Lists the clusters that Labhelm is connected to, and how fresh what it knows of each is.")},
        .effect = Effect::Reads,
        .read = listRemotes,
    });
}

OperationPtr declareTest()
{
    return operation<RemoteTest>({
        .id = "remote.test",
        .title = {QT_TRANSLATE_NOOP("operation", "Test connection")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Asks a cluster for its version and for what this sign-in may do, and "
                                      "says what cannot be seen.")},
        .effect = Effect::Reads,
        .target = &RemoteTest::remote,
        .params = {optional(&RemoteTest::remote, "remote",
                            {QT_TRANSLATE_NOOP("operation", "Connection; needed only where there are several")})},
        .read = testRemote,
    });
}
} // namespace

Operations remoteReads()
{
    return list(declareList(), declareTest());
}
