#pragma once
#include "audit/AuditLog.h"
#include "base/Promise.h"
#include <QCoro/QCoroTask>

namespace durableNote
{
inline QCoro::Task<> pass(Future<qint64> written, Promise<void> promise)
{
    auto row = co_await std::move(written);
    promise.finish(row ? Result<void>() : row.error());
}
} // namespace durableNote

/// Appends an event and tells when it is on the disk; for what must not be done unless it is recorded.
inline Future<void> recordDurably(AuditLog &log, AuditEvent event)
{
    Promise<void> promise;
    auto future = promise.future();
    durableNote::pass(log.append(std::move(event)), std::move(promise));
    return future;
}
