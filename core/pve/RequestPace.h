#pragma once
#include "base/Clock.h"
#include "base/Promise.h"

/// Lets requests go one by one, a fixed time apart, in the order in which they asked.
class RequestPace
{
public:
    explicit RequestPace(std::chrono::milliseconds apart) : m_apart(apart.count()) {}

    /// Resolves when it is the caller's turn. A turn that is not taken is not given to another.
    Future<void> turn(std::stop_token stop)
    {
        const auto now = Clock::system().monotonicMs();
        const auto mine = qMax(now, m_next);
        m_next = mine + m_apart;
        return mine == now ? ready<void>({}) : pause(std::chrono::milliseconds(mine - now), std::move(stop));
    }

private:
    const qint64 m_apart;
    qint64 m_next = 0;
};
