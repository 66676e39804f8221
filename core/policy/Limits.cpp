#include "policy/Limits.h"
#include <algorithm>

static constexpr qint64 minute = 60'000;

bool Limits::admit(const Actor &actor)
{
    if (!actor.isProgram())
        return true;
    auto &calls = m_calls[actor.id];
    const auto now = m_clock.monotonicMs();
    while (!calls.empty() && now - calls.front() >= minute)
        calls.pop_front();
    if (int(calls.size()) >= callsPerMinute)
        return false;
    calls.push_back(now);
    return true;
}

int Limits::callsThisMinute(const QString &actorId) const
{
    const auto found = m_calls.constFind(actorId);
    if (found == m_calls.cend())
        return 0;
    const auto now = m_clock.monotonicMs();
    return int(std::count_if(found->begin(), found->end(), [now](qint64 at) { return now - at < minute; }));
}
