#pragma once
#include "base/Promise.h"
#include <QCoro/QCoroTask>
#include <QPointer>
#include <functional>

/// Hands a Future's result to `then` on this thread, unless `context` has gone away by then. This is the one bridge
/// from futures of core/ to widgets.
template <class T>
QCoro::Task<> deliver(Future<T> future, QPointer<QObject> context, std::function<void(Result<T>)> then)
{
    auto result = co_await std::move(future);
    if (context)
        then(std::move(result));
}
