#pragma once
#include "base/Deadlines.h"
#include <functional>
#include <stop_token>

/// Stops an inner wait when the outer one stops or its time is up. Lives where the wait does, and does not move.
struct BoundedStop {
    BoundedStop(const std::stop_token &stop, std::chrono::milliseconds time)
        : outer(stop, [this] { source.request_stop(); }),
          timer(Deadlines::ofThisThread().start(time, [inner = source]() mutable { inner.request_stop(); }))
    {
    }
    ~BoundedStop() { Deadlines::ofThisThread().cancel(timer); }
    BoundedStop(const BoundedStop &) = delete;
    BoundedStop &operator=(const BoundedStop &) = delete;

    std::stop_source source;
    std::stop_callback<std::function<void()>> outer;
    int timer;
};
