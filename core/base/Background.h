#pragma once
#include "base/Promise.h"
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <unordered_map>

/// Runs plain functions on a worker thread, in order, and brings each result home to the thread that asked.
/// What waits when it goes away ends with Cancelled; what runs is waited for, so keep each piece of work short.
class Background : public QObject
{
public:
    Background();
    ~Background() override;

    /// `work` runs on another thread: it must own, or share as const, all it touches.
    template <class T>
    Future<T> run(std::function<Result<T>()> work)
    {
        auto promise = std::make_shared<Promise<T>>(); // never leaves this thread
        auto future = promise->future();
        auto slot = std::make_shared<std::optional<Result<T>>>();
        start([slot, work = std::move(work)] { slot->emplace(work()); },
              [slot, promise] { promise->finish(std::move(**slot)); });
        return future;
    }

    /// Blocks until all that was asked for is done; nothing is brought home meanwhile. For the end of a program.
    void waitForAll() { m_pool.waitForDone(); }

private:
    void start(std::function<void()> away, std::function<void()> home);
    void deliver(quint64 id);

    std::unordered_map<quint64, std::function<void()>> m_waiting;
    quint64 m_last = 0;
    QThreadPool m_pool;
};
