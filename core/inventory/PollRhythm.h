#pragma once
#include <chrono>

/// How often a cluster is asked.
struct PollPace {
    std::chrono::milliseconds active{2'000};        ///< somebody looks
    std::chrono::milliseconds idle{10'000};         ///< nobody looks
    std::chrono::milliseconds gap{400};             ///< the least between two rounds, however often refresh() is called
    std::chrono::milliseconds slowest{30'000};      ///< what failures and slow answers stretch the pause to at most
    std::chrono::milliseconds permissions{300'000}; ///< how long what a sign-in may see is believed
    std::chrono::milliseconds lively{15'000};       ///< so long after something happened more is expected
    std::chrono::milliseconds calm{60'000};         ///< so long after that a cluster counts as quiet
};

/// Decides how long a poller waits before it asks again. Pure, so that every rule has a test of its own.
namespace PollRhythm
{
/// What is known when a round has ended.
struct Facts {
    bool isWatched = true;              ///< somebody looks at the window
    bool isTaskOn = false;              ///< a task runs on the cluster
    int failures = 0;                   ///< rounds in a row that failed
    std::chrono::milliseconds quiet{0}; ///< since something other than load changed
    std::chrono::milliseconds took{0};  ///< the last round, from the first question to the state
};
/// Twice as often while something happens, less and less often when it is quiet, when nobody looks, when the cluster
/// is slow (asking takes at most a fifth of the time) and when it is away (the pause doubles). `dice`, 0 … 1, shortens
/// a pause after a failure by up to a quarter, so that many windows do not come back all at once.
std::chrono::milliseconds pauseAfter(const Facts &facts, const PollPace &pace, double dice);
}
