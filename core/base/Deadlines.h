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
    /// Runs `then` once on this thread's loop; returns an id for cancel(), never 0.
    int start(std::chrono::milliseconds after, std::function<void()> then);
    /// Forgets a timer; an id that has fired is ignored.
    void cancel(int id);

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    std::unordered_map<int, std::function<void()>> m_pending;
};
