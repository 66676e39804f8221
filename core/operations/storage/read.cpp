#include "model/PveValue.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/Metrics.h"
#include "operations/TypedOperation.h"
#include "operations/Volumes.h"
#include <QHash>

namespace
{
/// Lists storages as they are set up and as each node has them.
struct StorageList {
    std::optional<RemoteRef> remote;
};

/// What the nodes of one cluster say of their storages.
struct NodeViews {
    QHash<QString, QHash<QString, QJsonObject>> byStorage; ///< storage → node → row
    QStringList silent;                                    ///< nodes that did not answer
};

QStringList nodesOf(const OperationContext &context, const QString &remote)
{
    QStringList names;
    if (const auto state = context.services->inventory.snapshot(remote))
        for (const auto &node : state->nodes)
            names << node.name.text();
    return names;
}

QCoro::Task<NodeViews> askNodes(OperationContext context, QString remote, Gathered *gathered)
{
    const auto nodes = nodesOf(context, remote);
    std::vector<Question> questions;
    for (const auto &node : nodes)
        questions.push_back({remote, nodeRequest(Method::Get, node, {QStringLiteral("storage")})});
    const auto answers = co_await askAll(std::move(context), std::move(questions));
    NodeViews views;
    for (qsizetype at = 0; at < nodes.size(); ++at) {
        const auto &answer = answers[size_t(at)];
        for (const auto &row : gathered->list(remote, nodes[at], answer))
            views.byStorage[row[QLatin1String("storage")].toString()].insert(nodes[at], row.toObject());
        if (!answer)
            views.silent << nodes[at];
    }
    co_return views;
}

/// A number that nobody told stays away; a storage that is not active has none.
QJsonObject rowJson(const QJsonObject &definition, const QString &state, const QJsonObject &view)
{
    QJsonObject row;
    for (const auto *key : {"storage", "type", "content"})
        row.insert(QLatin1String(key), definition[QLatin1String(key)]);
    row.insert(QStringLiteral("state"), state);
    if (state != QLatin1String("available"))
        return row;
    for (const auto &[ours, theirs] :
         {std::pair("used", "used"), std::pair("size", "total"), std::pair("free", "avail")})
        if (const auto value = PveValue::integer(view, theirs))
            row.insert(QLatin1String(ours), *value);
    return row;
}

/// "available", "inactive" or "disabled", as one node sees it.
QString stateOf(const QJsonObject &view)
{
    if (!PveValue::boolean(view, "enabled").value_or(true))
        return QStringLiteral("disabled");
    return PveValue::boolean(view, "active").value_or(false) ? QStringLiteral("available") : QStringLiteral("inactive");
}

bool isShared(const QHash<QString, QJsonObject> &views)
{
    return std::any_of(views.begin(), views.end(),
                       [](const QJsonObject &view) { return PveValue::boolean(view, "shared").value_or(false); });
}

QStringList wantedNodes(const QJsonObject &definition)
{
    return definition[QLatin1String("nodes")].toString().split(u',', Qt::SkipEmptyParts);
}

/// A shared storage once, as the best node sees it; a local one for each node that has it.
QJsonArray rowsOf(const QJsonObject &definition, const NodeViews &all)
{
    const auto views = all.byStorage.value(definition[QLatin1String("storage")].toString());
    if (PveValue::boolean(definition, "disable").value_or(false))
        return {rowJson(definition, QStringLiteral("disabled"), {})};
    QJsonArray rows;
    const bool shared = isShared(views) || PveValue::boolean(definition, "shared").value_or(false);
    const auto only = wantedNodes(definition);
    QJsonObject best;
    for (auto view = views.begin(); view != views.end(); ++view) {
        auto row = rowJson(definition, stateOf(*view), *view);
        row.insert(QStringLiteral("shared"), shared);
        if (best.isEmpty() || row[QLatin1String("state")] == QLatin1String("available"))
            best = row;
        row.insert(QStringLiteral("node"), view.key());
        if (!shared)
            rows.append(row);
    }
    if (shared && !best.isEmpty())
        return {best};
    for (const auto &node : all.silent)
        if (only.isEmpty() || only.contains(node)) {
            auto row = rowJson(definition, QStringLiteral("unknown"), {});
            row.insert(QStringLiteral("node"), node);
            rows.append(row);
        }
    return rows;
}

QCoro::Task<Result<QJsonValue>> listStorages(StorageList args, OperationContext context)
{
    static const Sight sight{{QStringLiteral("Datastore.Audit"), QStringLiteral("Datastore.AllocateSpace")},
                             QStringLiteral("/storage"),
                             {QT_TRANSLATE_NOOP("operation", "storages")}};
    Gathered storages;
    for (const auto &remote : remotesToAsk(context, args.remote)) {
        ApiRequest request{Method::Get, {"storage"}};
        std::vector<Question> questions;
        questions.push_back({remote, std::move(request)});
        questions.push_back({remote, permissionsRequest()});
        const auto answers = co_await askAll(context, std::move(questions));
        const auto definitions = storages.list(remote, answers[0]);
        storages.hide(remote, answers[1], sight);
        if (definitions.isEmpty())
            continue;
        const auto views = co_await askNodes(context, remote, &storages);
        for (const auto &definition : definitions)
            for (const auto &entry : rowsOf(definition.toObject(), views)) {
                auto row = entry.toObject();
                row.insert(QStringLiteral("remote"), remote);
                storages.add(row);
            }
    }
    const auto all = storages.answer("storages");
    if (!all)
        co_return all.error();
    co_return QJsonValue(*all);
}

/// Lists what lies on a storage.
struct StorageContent {
    StorageRef storage;
    std::optional<QString> content;
    qint64 limit = 500;
};

QCoro::Task<Result<QJsonValue>> listContent(StorageContent args, OperationContext context)
{
    auto rows = co_await readContent(std::move(context), args.storage, args.content.value_or(QString()));
    if (!rows)
        co_return rows.error();
    QJsonArray shown;
    for (const auto &row : *rows)
        if (shown.size() < args.limit)
            shown.append(row);
    QJsonObject all{{QStringLiteral("remote"), args.storage.remote},
                    {QStringLiteral("storage"), args.storage.storage.text()},
                    {QStringLiteral("volumes"), shown}};
    if (!args.storage.isShared)
        all.insert(QStringLiteral("node"), args.storage.node.text());
    if (rows->size() > shown.size())
        all.insert(QStringLiteral("left_out"), rows->size() - shown.size());
    co_return QJsonValue(all);
}

/// Shows a storage's fill over time.
struct StorageMetrics {
    StorageRef storage;
    QString timeframe = QStringLiteral("day");
    QString aggregate = QStringLiteral("AVERAGE");
};

QCoro::Task<Result<QJsonValue>> showMetrics(StorageMetrics args, OperationContext context)
{
    auto request = storageRequest(Method::Get, args.storage, {QStringLiteral("rrddata")});
    auto metrics = co_await readMetrics(std::move(context), args.storage.remote, std::move(request), args.timeframe,
                                        args.aggregate);
    co_return metrics;
}

OperationPtr declareList()
{
    return operation<StorageList>({
        .id = "storage.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List storages")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Lists storages with their kind, content and fill. Disabled, inactive "
                                      "and unknown are told apart; a shared one stands once.")},
        .effect = Effect::Reads,
        .target = &StorageList::remote,
        .params = {optional(&StorageList::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")})},
        .read = listStorages,
    });
}

OperationPtr declareContent()
{
    return operation<StorageContent>({
        .id = "storage.content",
        .title = {QT_TRANSLATE_NOOP("operation", "Show storage content")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Lists the volumes on a storage: images, templates, backups, disks.")},
        .effect = Effect::Reads,
        .target = &StorageContent::storage,
        .params = {required(&StorageContent::storage, "storage", storageHelp),
                   optional(&StorageContent::content, "content", {QT_TRANSLATE_NOOP("operation", "Only this kind")},
                            {oneOf({"iso", "vztmpl", "backup", "images", "rootdir", "snippets", "import"})}),
                   optional(&StorageContent::limit, "limit", {QT_TRANSLATE_NOOP("operation", "At most this many")},
                            {range(1, 5000)})},
        .read = listContent,
    });
}

OperationPtr declareMetrics()
{
    return operation<StorageMetrics>({
        .id = "storage.metrics",
        .title = {QT_TRANSLATE_NOOP("operation", "Show storage metrics")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Shows a storage's size and fill over time. A point without values is a gap.")},
        .effect = Effect::Reads,
        .target = &StorageMetrics::storage,
        .params = withTimeframe(required(&StorageMetrics::storage, "storage", storageHelp)),
        .read = showMetrics,
    });
}
} // namespace

Operations storageReads()
{
    return list(declareList(), declareContent(), declareMetrics());
}
