#include "base/Deadlines.h"
#include <QTimerEvent>
#include <algorithm>

Deadlines &Deadlines::ofThisThread()
{
    thread_local Deadlines deadlines;
    return deadlines;
}

int Deadlines::start(std::chrono::milliseconds after, std::function<void()> then)
{
    using namespace std::chrono_literals;
    const int id = startTimer(std::clamp<std::chrono::milliseconds>(after, 0ms, 24 * 24h));
    m_pending.emplace(id, std::move(then));
    return id;
}

void Deadlines::cancel(int id)
{
    if (m_pending.erase(id) > 0)
        killTimer(id);
}

void Deadlines::timerEvent(QTimerEvent *event)
{
    auto fired = m_pending.extract(event->timerId());
    killTimer(event->timerId());
    if (fired)
        fired.mapped()();
}
