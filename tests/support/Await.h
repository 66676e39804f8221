#pragma once
#include "base/Promise.h"
#include <QCoro/QCoroTask>
#include <QTest>

/// Runs the test's event loop until it is so; false after `limit`. Quicker than QTest::qWaitFor, which naps between
/// looks.
template <class Condition>
bool waitUntil(Condition isSo, std::chrono::milliseconds limit = std::chrono::seconds(20))
{
    bool isLate = false;
    const auto deadline = Deadlines::ofThisThread().start(limit, [&isLate] { isLate = true; });
    while (!isSo() && !isLate) {
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    Deadlines::ofThisThread().cancel(deadline);
    return isSo();
}

/// Runs the test's event loop until the result is there; TimedOut after `limit`.
template <class T>
Result<T> await(Future<T> future, std::chrono::milliseconds limit = std::chrono::seconds(20))
{
    if (!waitUntil([&future] { return future.isReady(); }, limit))
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
    if (!waitUntil([place] { return place->has_value(); }, limit))
        return Error{Error::Kind::TimedOut, QStringLiteral("The test waited too long.")};
    return std::move(**place);
}
