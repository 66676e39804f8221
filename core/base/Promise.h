#pragma once
#include "base/Deadlines.h"
#include "base/Result.h"
#include <algorithm>
#include <chrono>
#include <coroutine>
#include <memory>
#include <optional>
#include <stop_token>

/// The cell that one Promise and one Future share. Lives on one thread.
template <class T>
struct Completion {
    struct Stop {
        Completion *cell;
        void operator()() const { cell->fail(Error::Kind::Cancelled, QStringLiteral("Cancelled")); }
    };
    std::optional<Result<T>> value;
    std::coroutine_handle<> waiter;
    int deadline = 0;
    std::optional<std::stop_callback<Stop>> onStop;

    Completion() = default;
    Completion(const Completion &) = delete;
    Completion &operator=(const Completion &) = delete;
    ~Completion() { forgetDeadline(); }

    /// Finishes after this long with what `end` gives; replaces an earlier deadline.
    void endAfter(std::chrono::milliseconds time, Result<T> (*end)())
    {
        forgetDeadline();
        deadline = Deadlines::ofThisThread().start(time, [cell = this, end] {
            auto *waiting = cell;
            waiting->deadline = 0;
            waiting->finish(end());
        });
    }
    void forgetDeadline()
    {
        if (deadline)
            Deadlines::ofThisThread().cancel(std::exchange(deadline, 0));
    }
    void fail(Error::Kind kind, QString message) { finish(Error{kind, std::move(message), {}}); }
    void finish(Result<T> result)
    {
        if (value)
            return;
        value.emplace(std::move(result));
        forgetDeadline();
        const auto next = std::exchange(waiter, {});
        onStop.reset(); // may be the callback that is running: nothing of it is used below
        if (next)
            next.resume(); // inline and last: the cell may be gone afterwards
    }
};

/// Awaits one Result. Always resumed exactly once: by value, dropped promise, stop or deadline.
/// The only thing besides QCoro::Task that a coroutine of ours awaits; see core/README.md, "Coroutines".
template <class T>
class [[nodiscard]] Future
{
public:
    explicit Future(std::shared_ptr<Completion<T>> cell) : m_cell(std::move(cell)) {}
    Future(Future &&) noexcept = default; // one waiter a future: no copies
    Future &operator=(Future &&) noexcept = default;

    /// A stop resumes the waiter inline, inside request_stop(), with Cancelled. Stop on this thread only.
    Future &&until(std::stop_token stop) &&
    {
        m_stop = std::move(stop);
        return std::move(*this);
    }
    /// Gives up with TimedOut after this long; at once when nothing is left of the time.
    Future &&within(std::chrono::milliseconds time) &&
    {
        m_time = std::max(time, std::chrono::milliseconds::zero());
        return std::move(*this);
    }
    /// True once a result is there: awaiting would not suspend.
    bool isReady() const { return m_cell->value.has_value(); }

    bool await_ready() noexcept
    {
        if (m_stop.stop_requested())
            m_cell->fail(Error::Kind::Cancelled, QStringLiteral("Cancelled"));
        return m_cell->value.has_value();
    }
    void await_suspend(std::coroutine_handle<> waiter)
    {
        m_cell->waiter = waiter;
        if (m_time.count() >= 0)
            m_cell->endAfter(m_time, [] {
                return Result<T>(Error{Error::Kind::TimedOut, QStringLiteral("No answer in time"), {}});
            });
        m_cell->onStop.emplace(m_stop, typename Completion<T>::Stop{m_cell.get()});
    }
    Result<T> await_resume() { return std::move(*m_cell->value); }

private:
    std::shared_ptr<Completion<T>> m_cell;
    std::stop_token m_stop;
    std::chrono::milliseconds m_time{-1};
};

/// Gives one Result to its Future. Dropping it unfinished is an answer too: Cancelled.
template <class T>
class Promise
{
public:
    Promise() : m_cell(std::make_shared<Completion<T>>()) {}
    Promise(Promise &&) noexcept = default;
    Promise &operator=(Promise &&other) noexcept
    {
        Promise taken(std::move(other));
        std::swap(m_cell, taken.m_cell);
        return *this;
    }
    Promise(const Promise &) = delete;
    Promise &operator=(const Promise &) = delete;
    ~Promise() { finish(Error{Error::Kind::Cancelled, QStringLiteral("Abandoned"), {}}); }

    Future<T> future() const { return Future<T>(m_cell); }
    void finish(Result<T> result)
    {
        if (const auto cell = std::exchange(m_cell, nullptr))
            cell->finish(std::move(result));
    }

private:
    std::shared_ptr<Completion<T>> m_cell;
};

/// A future that is ready at once.
template <class T>
Future<T> ready(Result<T> result)
{
    Promise<T> promise;
    auto future = promise.future();
    promise.finish(std::move(result));
    return future;
}

/// Resumes after a time; Cancelled at once when stopped.
Future<void> pause(std::chrono::milliseconds time, std::stop_token stop);
