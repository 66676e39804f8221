#include "base/Promise.h"

Future<void> pause(std::chrono::milliseconds time, std::stop_token stop)
{
    auto cell = std::make_shared<Completion<void>>();
    cell->endAfter(time, [] { return Result<void>(); });
    return Future<void>(std::move(cell)).until(std::move(stop));
}
