#include "base/Promise.h"
#include "support/TestMain.h"
#include <QCoro/QCoroTask>
#include <QElapsedTimer>
#include <vector>

using namespace std::chrono_literals;

/// Whoever waits is resumed exactly once, whatever happens.
class PromiseTest : public QObject
{
    Q_OBJECT

    /// What one waiting coroutine came to.
    struct Seen {
        int times = 0;
        Result<int> result = Error{};
    };
    static QCoro::Task<> watch(Future<int> future, std::shared_ptr<Seen> seen)
    {
        auto result = co_await std::move(future);
        ++seen->times;
        seen->result = std::move(result);
    }
    static QCoro::Task<> watchBoth(Future<int> first, Future<int> second, std::shared_ptr<Seen> seen)
    {
        const auto one = co_await std::move(first);
        const auto other = co_await std::move(second);
        seen->times += int(bool(one)) + int(bool(other));
    }
    static QCoro::Task<> watchPause(Future<void> future, std::shared_ptr<Seen> seen)
    {
        const auto result = co_await std::move(future);
        ++seen->times;
        seen->result = result ? Result<int>(0) : Result<int>(result.error());
    }

private Q_SLOTS:
    void resumesWithTheValue();
    void resumesWithTheError();
    void doesNotSuspendForAReadyFuture();
    void resumesWhenThePromiseIsDropped();
    void keepsTheFirstResult();
    void resumesAtOnceWhenStopped();
    void doesNotStartToWaitOnceStopped();
    void endsWithinItsTime();
    void forgetsItsDeadlineOnceAnswered();
    void outlivesItsPromiseAndItsFuture();
    void replacingAPromiseAbandonsTheOldOne();
    void carriesAMoveOnlyValue();
    void pausesForItsTime();
    void leavesNoTimerBehindAStoppedPause();
    void takesAnyLengthOfTime();
    void resumesTenThousandAtOnce();
    void letsTheWaiterDestroyThePromise();
};

void PromiseTest::resumesWithTheValue()
{
    Promise<int> promise;
    const auto seen = std::make_shared<Seen>();
    auto task = watch(promise.future(), seen);
    QCOMPARE(seen->times, 0);
    promise.finish(7);
    QCOMPARE(seen->times, 1);
    QVERIFY(seen->result);
    QCOMPARE(*seen->result, 7);
}

void PromiseTest::resumesWithTheError()
{
    Promise<int> promise;
    const auto seen = std::make_shared<Seen>();
    auto task = watch(promise.future(), seen);
    promise.finish(Error{Error::Kind::Forbidden, QStringLiteral("no")});
    QCOMPARE(seen->times, 1);
    QCOMPARE(seen->result.error().kind, Error::Kind::Forbidden);
    QCOMPARE(seen->result.error().message, QStringLiteral("no"));
}

void PromiseTest::doesNotSuspendForAReadyFuture()
{
    auto future = ready<int>(3);
    QVERIFY(future.isReady());
    const auto seen = std::make_shared<Seen>();
    auto task = watch(std::move(future), seen);
    QCOMPARE(seen->times, 1);
    QCOMPARE(*seen->result, 3);
    Promise<int> waiting;
    QVERIFY(!waiting.future().isReady());
}

void PromiseTest::resumesWhenThePromiseIsDropped()
{
    const auto seen = std::make_shared<Seen>();
    {
        const Promise<int> promise;
        auto task = watch(promise.future(), seen);
        QCOMPARE(seen->times, 0);
    }
    QCOMPARE(seen->times, 1);
    QCOMPARE(seen->result.error().kind, Error::Kind::Cancelled);
}

void PromiseTest::keepsTheFirstResult()
{
    Promise<int> promise;
    const auto seen = std::make_shared<Seen>();
    std::stop_source stop;
    auto task = watch(promise.future().until(stop.get_token()).within(1ms), seen);
    promise.finish(1);
    promise.finish(2);
    stop.request_stop();
    const auto later = std::make_shared<Seen>();
    auto pausing = watchPause(pause(20ms, {}), later);
    QTRY_COMPARE(later->times, 1); // its time has passed
    QCOMPARE(seen->times, 1);
    QCOMPARE(*seen->result, 1);
}

void PromiseTest::resumesAtOnceWhenStopped()
{
    Promise<int> promise;
    std::stop_source stop;
    const auto seen = std::make_shared<Seen>();
    auto task = watch(promise.future().until(stop.get_token()), seen);
    QCOMPARE(seen->times, 0);
    stop.request_stop();
    QCOMPARE(seen->times, 1);
    QCOMPARE(seen->result.error().kind, Error::Kind::Cancelled);
    promise.finish(5);
    QCOMPARE(seen->times, 1);
}

void PromiseTest::doesNotStartToWaitOnceStopped()
{
    Promise<int> promise;
    std::stop_source stop;
    stop.request_stop();
    const auto seen = std::make_shared<Seen>();
    auto task = watch(promise.future().until(stop.get_token()).within(1h), seen);
    QCOMPARE(seen->times, 1);
    QCOMPARE(seen->result.error().kind, Error::Kind::Cancelled);
}

void PromiseTest::endsWithinItsTime()
{
    Promise<int> promise;
    const auto seen = std::make_shared<Seen>();
    QElapsedTimer timer;
    timer.start();
    auto task = watch(promise.future().within(30ms), seen);
    QCOMPARE(seen->times, 0);
    QTRY_COMPARE(seen->times, 1);
    QVERIFY(timer.elapsed() >= 25);
    QCOMPARE(seen->result.error().kind, Error::Kind::TimedOut);
    promise.finish(5);
    QCOMPARE(seen->times, 1);

    const Promise<int> another;
    const auto late = std::make_shared<Seen>();
    auto second = watch(another.future().within(-1s), late);
    QTRY_COMPARE(late->times, 1);
    QCOMPARE(late->result.error().kind, Error::Kind::TimedOut);
}

void PromiseTest::forgetsItsDeadlineOnceAnswered()
{
    const auto before = Deadlines::ofThisThread().pending();
    Promise<int> promise;
    const auto seen = std::make_shared<Seen>();
    auto task = watch(promise.future().within(1h), seen);
    QCOMPARE(Deadlines::ofThisThread().pending(), before + 1);
    promise.finish(1);
    QCOMPARE(Deadlines::ofThisThread().pending(), before);

    Promise<int> first;
    Promise<int> second;
    auto both = watchBoth(first.future().within(1h), second.future(), seen);
    first.finish(1); // its future lives on in the coroutine
    QCOMPARE(Deadlines::ofThisThread().pending(), before);
}

void PromiseTest::outlivesItsPromiseAndItsFuture()
{
    {
        Promise<int> promise;
        (void)promise.future();
        promise.finish(1);
    }
    auto future = Promise<int>().future();
    QVERIFY(future.isReady());
    const auto seen = std::make_shared<Seen>();
    auto task = watch(std::move(future), seen);
    QCOMPARE(seen->result.error().kind, Error::Kind::Cancelled);
}

void PromiseTest::replacingAPromiseAbandonsTheOldOne()
{
    Promise<int> promise;
    const auto first = std::make_shared<Seen>();
    const auto second = std::make_shared<Seen>();
    auto one = watch(promise.future(), first);
    promise = Promise<int>();
    QCOMPARE(first->times, 1);
    QCOMPARE(first->result.error().kind, Error::Kind::Cancelled);
    auto two = watch(promise.future(), second);
    Promise<int> moved(std::move(promise));
    promise.finish(1); // holds nothing any more
    QCOMPARE(second->times, 0);
    moved.finish(2);
    QCOMPARE(*second->result, 2);
}

static QCoro::Task<int> length(Future<std::unique_ptr<QByteArray>> future)
{
    auto bytes = co_await std::move(future);
    const int size = bytes ? int((*bytes)->size()) : -1;
    co_return size;
}

void PromiseTest::carriesAMoveOnlyValue()
{
    Promise<std::unique_ptr<QByteArray>> promise;
    int size = 0;
    auto task = length(promise.future()).then([&size](int got) { size = got; });
    promise.finish(std::make_unique<QByteArray>("four"));
    QCOMPARE(size, 4);
}

void PromiseTest::pausesForItsTime()
{
    const auto seen = std::make_shared<Seen>();
    QElapsedTimer timer;
    timer.start();
    auto task = watchPause(pause(30ms, {}), seen);
    QCOMPARE(seen->times, 0);
    QTRY_COMPARE(seen->times, 1);
    QVERIFY(timer.elapsed() >= 25);
    QVERIFY(seen->result);
}

void PromiseTest::leavesNoTimerBehindAStoppedPause()
{
    const auto before = Deadlines::ofThisThread().pending();
    std::stop_source stop;
    const auto seen = std::make_shared<Seen>();
    auto task = watchPause(pause(1h, stop.get_token()), seen);
    QCOMPARE(Deadlines::ofThisThread().pending(), before + 1);
    stop.request_stop();
    QCOMPARE(seen->times, 1);
    QCOMPARE(seen->result.error().kind, Error::Kind::Cancelled);
    QCOMPARE(Deadlines::ofThisThread().pending(), before);
    (void)pause(1h, {});
    QCOMPARE(Deadlines::ofThisThread().pending(), before);
}

void PromiseTest::takesAnyLengthOfTime()
{
    const auto before = Deadlines::ofThisThread().pending();
    const auto passed = std::make_shared<Seen>();
    auto past = watchPause(pause(-5ms, {}), passed);
    QTRY_COMPARE(passed->times, 1);

    std::stop_source stop;
    const auto distant = std::make_shared<Seen>();
    auto far = watchPause(pause(std::chrono::hours(24 * 365), stop.get_token()), distant);
    const auto near = std::make_shared<Seen>();
    auto soon = watchPause(pause(20ms, {}), near);
    QTRY_COMPARE(near->times, 1);
    QCOMPARE(distant->times, 0);
    stop.request_stop();
    QCOMPARE(Deadlines::ofThisThread().pending(), before);
}

void PromiseTest::resumesTenThousandAtOnce()
{
    constexpr int many = 10'000;
    std::vector<Promise<int>> promises(many);
    std::stop_source stop;
    const auto seen = std::make_shared<Seen>();
    const auto sum = std::make_shared<Seen>();
    for (int i = 0; i < many; ++i) {
        auto future = promises[size_t(i)].future().until(stop.get_token());
        auto task = watch(i % 4 == 3 ? std::move(future).within(1ms) : std::move(future), i % 2 == 0 ? seen : sum);
    }
    for (int i = 0; i < many; i += 4)
        promises[size_t(i)].finish(i);
    QCOMPARE(seen->times, many / 4);
    for (int i = 1; i < many; i += 4)
        promises[size_t(i)] = Promise<int>();
    QTRY_COMPARE(sum->times, many / 2);
    stop.request_stop();
    QCOMPARE(seen->times + sum->times, many);
    promises.clear();
    QCOMPARE(seen->times + sum->times, many);
}

void PromiseTest::letsTheWaiterDestroyThePromise()
{
    struct Owner {
        std::unique_ptr<Promise<int>> promise = std::make_unique<Promise<int>>();
        int seen = 0;
    };
    const auto owner = std::make_shared<Owner>();
    struct Body {
        static QCoro::Task<> run(std::shared_ptr<Owner> held)
        {
            const auto result = co_await held->promise->future();
            held->promise.reset();
            held->seen = result ? *result : -1;
        }
    };
    auto task = Body::run(owner);
    owner->promise->finish(9);
    QCOMPARE(owner->seen, 9);
    QVERIFY(!owner->promise);
}

LABHELM_TEST(PromiseTest)
#include "PromiseTest.moc"
