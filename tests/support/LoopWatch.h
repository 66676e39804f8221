#pragma once
#include <QAbstractEventDispatcher>
#include <QObject>
#include <QThread>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

/// Notes how long this thread's event loop was busy in one go: time of the processor, which other programs do not
/// disturb, and how long a message from another thread waited on the wall, which also counts waiting for somebody.
class LoopWatch : public QObject
{
public:
    LoopWatch()
    {
        auto *loop = QAbstractEventDispatcher::instance(thread());
        connect(loop, &QAbstractEventDispatcher::awake, this, &LoopWatch::mark);
        connect(loop, &QAbstractEventDispatcher::aboutToBlock, this, &LoopWatch::mark);
        m_caller = std::jthread([this](const std::stop_token &stop) { call(stop); });
    }
    ~LoopWatch() override
    {
        m_caller.request_stop();
        m_caller.join();
    }
    double longestBusyMs() const { return m_busy; }
    double longestWallMs() const { return m_wall; }

private:
    static double processorMs()
    {
        timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
    }
    void mark()
    {
        const auto now = processorMs();
        m_busy = std::max(m_busy, now - std::exchange(m_last, now));
    }
    /// Another thread: sends a message, and the next one only when it was heard.
    void call(const std::stop_token &stop)
    {
        while (!stop.stop_requested()) {
            if (!m_isWaiting.exchange(true)) {
                const auto sent = std::chrono::steady_clock::now();
                const auto hear = [this, sent] {
                    const std::chrono::duration<double, std::milli> waited = std::chrono::steady_clock::now() - sent;
                    m_wall = std::max(m_wall, waited.count());
                    m_isWaiting = false;
                };
                QMetaObject::invokeMethod(this, hear, Qt::QueuedConnection);
            }
            std::unique_lock lock(m_pace);
            m_tick.wait_for(lock, stop, std::chrono::milliseconds(2), [] { return false; });
        }
    }
    double m_last = processorMs(), m_busy = 0, m_wall = 0;
    std::atomic<bool> m_isWaiting = false;
    std::mutex m_pace;
    std::condition_variable_any m_tick;
    std::jthread m_caller;
};
