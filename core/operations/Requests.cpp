#include "operations/Requests.h"
#include "base/StrictJson.h"
#include "inventory/Inventory.h"
#include "pve/Client.h"
#include "pve/Connection.h"
#include "pve/TaskWatcher.h"
#include <QCoreApplication>

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

QCoro::Task<Result<ApiAnswer>> getAnswer(OperationContext context, QString remote, ApiRequest request)
{
    if (!request.isRead())
        co_return Error{Error::Kind::Internal, tr("A read may not change anything."), request.describe()};
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
        outcome.warnings << tr("The task ended with warnings; its log tells which.");
    return {};
}

QCoro::Task<Result<Outcome>> sendPlan(QString remote, OperationContext context)
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
