#include "base/Promise.h"

Future<void> pause(std::chrono::milliseconds time, std::stop_token stop)
{
    auto promise = std::make_shared<Promise<void>>();
    auto future = promise->future();
    Deadlines::ofThisThread().start(time, [promise] { promise->finish({}); });
    return std::move(future).until(std::move(stop));
}
