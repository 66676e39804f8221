#include "operations/Requests.h"
#include "base/DisplayText.h"
#include "base/StrictJson.h"
#include "inventory/Inventory.h"
#include "model/PveValue.h"
#include "pve/Client.h"
#include "pve/Connection.h"
#include "pve/TaskRequests.h"
#include "pve/TaskWatcher.h"
#include <QCoreApplication>
#include <QJsonArray>

static QString tr(const char *text)
{
    return QCoreApplication::translate("operation", text);
}

ApiRequest guestRequest(Method method, const GuestRef &guest, const QStringList &rest,
                        QList<std::pair<QString, QString>> parameters)
{
    return nodeRequest(method, guest.node.text(), QStringList{guestKindName(guest.kind), guest.vmid.text()} + rest,
                       std::move(parameters));
}

ApiRequest nodeRequest(Method method, const QString &node, const QStringList &rest,
                       QList<std::pair<QString, QString>> parameters)
{
    return {method, QStringList{QStringLiteral("nodes"), node} + rest, std::move(parameters)};
}

static Result<Connection *> connectionOf(const OperationContext &context, const QString &remote)
{
    if (auto *connection = context.services->connections.find(remote))
        return connection;
    return Error{Error::Kind::Unreachable, tr("Labhelm is not connected to %1.").arg(remote)};
}

/// The node that a request is for, if the cluster has just said that it is off: asking it would end in a 595 after
/// seconds, and what it says of its guests would be old.
static Result<> mayBeAsked(const OperationContext &context, const QString &remote, const ApiRequest &request)
{
    if (request.segments.value(0) != QLatin1String("nodes"))
        return {};
    const auto known = context.services->inventory.snapshot(remote);
    const auto name = NodeName::from(request.segments.value(1));
    const auto *node = known && name ? known->node(*name) : nullptr;
    if (!node || node->status != NodeState::Status::Offline || known->reach != InventorySnapshot::Reach::Live)
        return {};
    return Error{Error::Kind::Unreachable,
                 tr("The node %1 is offline. What runs there is not known and cannot be changed.").arg(name->text()),
                 request.describe()};
}

QCoro::Task<Result<ApiAnswer>> getAnswer(OperationContext context, QString remote, ApiRequest request)
{
    if (!request.isRead())
        co_return Error{Error::Kind::Internal, tr("A read may not change anything."), request.describe()};
    if (const auto may = mayBeAsked(context, remote, request); !may)
        co_return may.error();
    const auto connection = connectionOf(context, remote);
    if (!connection)
        co_return connection.error();
    co_return co_await (*connection)->client().send(std::move(request), context.stop);
}

QCoro::Task<Result<QJsonValue>> get(OperationContext context, QString remote, ApiRequest request)
{
    auto answer = co_await getAnswer(std::move(context), std::move(remote), std::move(request));
    if (!answer)
        co_return answer.error();
    co_return std::move(answer->data);
}

static Error odd()
{
    return {Error::Kind::Malformed, tr("Proxmox VE answered with something else than was asked for.")};
}

QCoro::Task<Result<QJsonObject>> getObject(OperationContext context, QString remote, ApiRequest request)
{
    auto answer = co_await get(std::move(context), std::move(remote), std::move(request));
    if (!answer)
        co_return answer.error();
    if (!answer->isObject())
        co_return odd();
    co_return answer->toObject();
}

QCoro::Task<Result<QJsonArray>> getArray(OperationContext context, QString remote, ApiRequest request)
{
    auto answer = co_await get(std::move(context), std::move(remote), std::move(request));
    co_return asArray(answer);
}

Result<QJsonArray> asArray(const Result<QJsonValue> &answer)
{
    if (!answer)
        return answer.error();
    if (!answer->isArray())
        return odd();
    return answer->toArray();
}

static void reportTask(const OperationContext &context, const TaskProgress &progress)
{
    if (context.report)
        context.report({progress.fraction, progress.lastLine});
}

/// A task's end as the outcome of the call that started it.
static Result<> addEnd(const TaskEnd &end, const Upid &upid, Outcome &outcome)
{
    outcome.upid = upid.text;
    if (end.how == TaskEnd::How::Failed)
        return Error{Error::Kind::TaskFailed, end.exitStatus, upid.text};
    if (end.how == TaskEnd::How::Warnings)
        outcome.warnings << (end.warnings > 0 ? tr("Warnings in the task's log: %1.").arg(end.warnings)
                                              : tr("The task ended with warnings; its log tells which."));
    return {};
}

/// The lines of a task's log that warn; of a long log those near its end. Empty if it cannot be read.
static QCoro::Task<QStringList> warningsOf(OperationContext context, QString remote, Upid upid)
{
    constexpr qint64 tail = 200, most = 10;
    QStringList lines;
    auto first = TaskRequests::log(upid.node, upid.text, 0, 1);
    auto head = co_await getAnswer(context, remote, std::move(first));
    const auto total = head ? PveValue::integer(head->beside, "total") : std::nullopt;
    if (!total)
        co_return lines;
    auto rest = TaskRequests::log(upid.node, upid.text, qMax<qint64>(0, *total - tail), tail);
    auto log = co_await getAnswer(context, remote, std::move(rest));
    if (!log)
        co_return lines;
    for (const auto &line : log->data.toArray())
        if (const auto text = line[QLatin1String("t")].toString(); text.startsWith(QLatin1String("WARN")))
            lines << DisplayText::visible(text.left(300));
    co_return lines.mid(qMax<qsizetype>(0, lines.size() - most));
}

QCoro::Task<Result<Outcome>> sendPlan(QString remote, OperationContext context, bool startsTask)
{
    const auto connection = connectionOf(context, remote);
    if (!connection)
        co_return connection.error();
    Outcome outcome;
    outcome.changed = !context.plan->requests.empty();
    for (const auto &planned : context.plan->requests) {
        auto request = planned;
        auto answer = co_await (*connection)->client().send(std::move(request), context.stop);
        if (!answer)
            co_return answer.error();
        const auto upid = Upid::from(answer->data.toString());
        const bool needsTask = startsTask && planned.segments.last() != QLatin1String("config");
        if (!upid && (needsTask || answer->data.toString().startsWith(QLatin1String("UPID"))))
            co_return Error{Error::Kind::Unknown,
                            tr("Proxmox VE took the change but did not name its task, so how it went is not known."),
                            planned.describe()};
        if (!upid)
            continue;
        if (context.onTask)
            context.onTask(*upid);
        std::function<void(const TaskProgress &)> report = std::bind_front(reportTask, context);
        auto end = co_await (*connection)->tasks().watch(*upid, std::move(report), context.stop);
        if (!end)
            co_return end.error();
        if (const auto ended = addEnd(*end, *upid, outcome); !ended)
            co_return ended.error();
        if (end->how == TaskEnd::How::Warnings) {
            auto said = co_await warningsOf(context, remote, *upid);
            outcome.warnings += said;
        }
    }
    co_return outcome;
}

Result<QString> resolveRemote(const QString &asked, const Inventory &inventory)
{
    QStringList known;
    for (const auto &snapshot : inventory.snapshots()) {
        if (snapshot->remoteId == asked || snapshot->remoteName == asked)
            return snapshot->remoteId;
        known << snapshot->remoteName;
    }
    return Error{Error::Kind::NotFound,
                 tr("There is no connection called \"%1\". Known: %2.").arg(asked, known.join(QStringLiteral(", ")))};
}

QStringList remotesToAsk(const OperationContext &context, const std::optional<RemoteRef> &only)
{
    if (only)
        return {only->remote};
    QStringList all;
    for (const auto &snapshot : context.services->inventory.snapshots())
        all << snapshot->remoteId;
    return all;
}

QByteArray arguments(const QJsonObject &json)
{
    return StrictJson::write(json);
}
