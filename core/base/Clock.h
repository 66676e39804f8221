#pragma once
#include <QDateTime>
#include <chrono>

/// Where time comes from. Durations come from the monotonic side, never from the wall (reliability T25).
class Clock
{
public:
    virtual ~Clock() = default;
    /// Wall time, UTC, in milliseconds since the epoch.
    virtual qint64 wallMs() const = 0;
    /// Monotonic milliseconds since an unspecified start; does not jump with the wall clock.
    virtual qint64 monotonicMs() const = 0;

    /// The machine's clock; lives for the whole program.
    static const Clock &system();
};

/// A clock that stands still until it is moved.
class ManualClock : public Clock
{
public:
    qint64 wallMs() const override { return wall; }
    qint64 monotonicMs() const override { return monotonic; }
    void advance(std::chrono::milliseconds by)
    {
        wall += by.count();
        monotonic += by.count();
    }
    qint64 wall = 1'790'000'000'000;
    qint64 monotonic = 1'000'000;
};
