#pragma once
#include "base/Promise.h"
#include <QCoro/QCoroTask>
#include <QTest>

/// Runs the test's event loop until the result is there; TimedOut after `limit`.
template <class T>
Result<T> await(Future<T> future, std::chrono::milliseconds limit = std::chrono::seconds(20))
{
    if (!QTest::qWaitFor([&future] { return future.isReady(); }, static_cast<int>(limit.count())))
        return Error{Error::Kind::TimedOut, QStringLiteral("The test waited too long.")};
    return future.await_resume();
}

namespace awaiting
{
template <class T>
QCoro::Task<void> keep(QCoro::Task<T> task, std::shared_ptr<std::optional<T>> place)
{
    auto value = co_await std::move(task);
    place->emplace(std::move(value));
}
} // namespace awaiting

/// The same for a coroutine that gives a Result.
template <class T>
Result<T> await(QCoro::Task<Result<T>> task, std::chrono::milliseconds limit = std::chrono::seconds(20))
{
    auto place = std::make_shared<std::optional<Result<T>>>();
    awaiting::keep(std::move(task), place);
    if (!QTest::qWaitFor([place] { return place->has_value(); }, static_cast<int>(limit.count())))
        return Error{Error::Kind::TimedOut, QStringLiteral("The test waited too long.")};
    return std::move(**place);
}
