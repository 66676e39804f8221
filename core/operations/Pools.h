#pragma once
#include "operations/References.h"
#include "operations/Requests.h"

// What the operations on pools share.

inline const Text poolHelp{QT_TRANSLATE_NOOP("operation", "Name of the pool: media or homelab:media")};
/// The form of a pool's name, with the connection before it or not.
Limit poolName();

/// A pool as it is: note and members by id and name.
struct PoolNow {
    QJsonObject pool;
    QStringList guests, storages; ///< sorted, each once
};
/// NotFound if there is none that this sign-in may see.
QCoro::Task<Result<PoolNow>> readPool(OperationContext context, PoolRef pool);
/// Nothing if there is none.
QCoro::Task<Result<std::optional<PoolNow>>> findPool(OperationContext context, PoolRef pool);

ApiRequest poolRequest(Method method, const QString &pool);
/// PUT with members that come or go.
ApiRequest memberRequest(const QString &pool, const QStringList &guests, const QStringList &storages, bool isRemoval);
/// "guest 101", "storage local": the key of a change.
QString memberKey(bool isStorage, const QString &name);

/// The ids of guests that a caller named, all of the same cluster.
Result<QStringList> vmids(const QStringList &asked, const QString &remote, const OperationContext &context);
/// A guest is in one pool at most; Conflict if one is in another pool, since it is not moved behind that pool's back.
Result<> areFree(const QStringList &ids, const PoolRef &pool, const OperationContext &context);
