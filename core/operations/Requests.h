#pragma once
#include "operations/Operation.h"
#include "pve/ApiRequest.h"
#include <QJsonArray>

// The few ways in which operations speak to PVE.

/// "nodes", node, "qemu" or "lxc", vmid, then the rest.
ApiRequest guestRequest(Method method, const GuestRef &guest, const QStringList &rest,
                        QList<std::pair<QString, QString>> parameters = {});
ApiRequest nodeRequest(Method method, const QString &node, const QStringList &rest,
                       QList<std::pair<QString, QString>> parameters = {});

/// One GET, or the ping of a guest agent, which is a POST; anything else is refused as Internal, so that a read can
/// never change something.
QCoro::Task<Result<QJsonValue>> get(OperationContext context, QString remote, ApiRequest request);
/// GET with what stands beside `data`.
QCoro::Task<Result<ApiAnswer>> getAnswer(OperationContext context, QString remote, ApiRequest request);
/// GET of an object or of a list; Malformed when it is something else, so that nobody takes it for an empty one.
QCoro::Task<Result<QJsonObject>> getObject(OperationContext context, QString remote, ApiRequest request);
QCoro::Task<Result<QJsonArray>> getArray(OperationContext context, QString remote, ApiRequest request);
/// Malformed unless it is a list.
Result<QJsonArray> asArray(const Result<QJsonValue> &answer);
/// Sends the plan's requests in order and watches each task that PVE names to its end. `startsTask`: each but a change
/// of configuration starts one, and if none is named nobody knows what became of it (Unknown).
QCoro::Task<Result<Outcome>> sendPlan(QString remote, OperationContext context, bool startsTask = false);

/// The connection a caller means by id or name. NotFound names those that exist.
Result<QString> resolveRemote(const QString &asked, const Inventory &inventory);
/// The ids of the remotes to ask: the one given, or all that are open.
QStringList remotesToAsk(const OperationContext &context, const std::optional<RemoteRef> &only);

/// Arguments of a call as JSON text.
QByteArray arguments(const QJsonObject &json);
