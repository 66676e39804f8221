#include "base/Clock.h"

namespace
{
class SystemClock final : public Clock
{
public:
    qint64 wallMs() const override { return QDateTime::currentMSecsSinceEpoch(); }
    qint64 monotonicMs() const override
    {
        using namespace std::chrono;
        return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
    }
};
}

const Clock &Clock::system()
{
    static const SystemClock clock;
    return clock;
}
