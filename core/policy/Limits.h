#pragma once
#include "base/Clock.h"
#include "model/Actor.h"
#include <QHash>
#include <deque>

/// Counts calls per program over the last minute. Checked on raw calls, before anything is parsed.
class Limits
{
public:
    explicit Limits(const Clock &clock) : m_clock(clock) {}
    /// Counts one call and tells whether it is within the rate. People are not limited.
    bool admit(const Actor &actor);
    /// Calls of this actor in the last minute.
    int callsThisMinute(const QString &actorId) const;
    int callsPerMinute = 600;

private:
    const Clock &m_clock;
    QHash<QString, std::deque<qint64>> m_calls; ///< monotonic ms, oldest first
};
