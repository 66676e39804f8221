#pragma once
#include <QObject>
#include <chrono>
#include <functional>
#include <unordered_map>

/// All one-shot timers of a thread in one QObject: a timer id costs far less than a QTimer.
class Deadlines : public QObject
{
public:
    static Deadlines &ofThisThread();
    /// Runs `then` once on this thread's loop, which must run; returns an id for cancel(), never 0. A time below 0
    /// counts as 0, one beyond 24 days as 24 days.
    int start(std::chrono::milliseconds after, std::function<void()> then);
    /// Forgets a timer; an id that has fired is ignored.
    void cancel(int id);
    /// How many have not fired yet.
    size_t pending() const { return m_pending.size(); }

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    std::unordered_map<int, std::function<void()>> m_pending;
};
