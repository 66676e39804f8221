#include "inventory/PollRhythm.h"
#include <algorithm>

using std::chrono::milliseconds;

namespace
{
milliseconds whileAnswered(const PollRhythm::Facts &facts, const PollPace &pace)
{
    if (!facts.isWatched)
        return facts.isTaskOn ? pace.active : pace.idle;
    if (facts.isTaskOn || facts.quiet < pace.lively)
        return pace.active / 2;
    return facts.quiet < pace.calm ? pace.active : pace.active * 5 / 2;
}

milliseconds whileAway(const PollRhythm::Facts &facts, const PollPace &pace, double dice)
{
    const auto first = facts.isWatched ? pace.active : std::max(pace.active, pace.idle);
    const auto doubled = first * (1 << std::min(facts.failures - 1, 10));
    const auto longest = std::min(doubled, std::max(first, pace.slowest));
    const auto spread = static_cast<double>(longest.count()) * std::clamp(dice, 0.0, 1.0) / 4;
    return longest - milliseconds(static_cast<milliseconds::rep>(spread));
}
}

milliseconds PollRhythm::pauseAfter(const Facts &facts, const PollPace &pace, double dice)
{
    constexpr int share = 4; // pauses to one part of asking
    const auto wanted = facts.failures > 0 ? whileAway(facts, pace, dice) : whileAnswered(facts, pace);
    return std::max(wanted, std::min(facts.took * share, pace.slowest));
}
