#include "execution/Executor.h"
#include "execution/Live.h"
#include <QCoreApplication>
#include <QRandomGenerator>
#include <algorithm>

Executor::Executor(ExecutorParts parts) : m(parts) {}

Executor::~Executor()
{
    m_closing = true;
    while (!m_live.empty()) {
        const auto live = m_live.front();
        live->stop.request_stop(); // resumes the call inline, up to its end
        if (!m_live.empty() && m_live.front() == live)
            qFatal("call %s of %s ignored its stop", qPrintable(live->info.callId), qPrintable(live->call.operation));
    }
}

Executor::LivePtr Executor::admit(Call call)
{
    auto live = std::make_shared<Live>();
    const auto now = m.clock.wallMs();
    live->info.callId = QStringLiteral("%1%2%3")
                            .arg(now, 12, 16, QLatin1Char('0'))
                            .arg(++m_count & 0xFFFF, 4, 16, QLatin1Char('0'))
                            .arg(QRandomGenerator::system()->bounded(0x10000), 4, 16, QLatin1Char('0'));
    live->info.actor = call.actor;
    live->info.operation = call.operation;
    live->info.isPreview = call.previewOnly;
    live->info.headline = call.operation;
    live->info.arguments = call.arguments.left(2000);
    live->info.startedMs = now;
    live->startedMonotonic = m.clock.monotonicMs();
    live->call = std::move(call);
    m_live.push_back(live);
    return live;
}

QString Executor::start(Call call, std::function<void(const CallResult &)> done)
{
    auto live = admit(std::move(call));
    const auto id = live->info.callId;
    drive(std::move(live), std::move(done));
    return id;
}

QCoro::Task<void> Executor::drive(LivePtr live, std::function<void(const CallResult &)> done)
{
    auto result = co_await pipeline(live);
    if (done)
        done(result);
}

QCoro::Task<CallResult> Executor::run(Call call, std::function<void(const QString &)> started)
{
    auto live = admit(std::move(call));
    if (started)
        started(live->info.callId);
    auto result = co_await pipeline(std::move(live));
    co_return result;
}

QCoro::Task<CallResult> Executor::pipeline(LivePtr live)
{
    auto understood = co_await understand(live);
    if (!understood)
        co_return refuse(live, understood.error());
    Q_EMIT changed(live->info);
    const bool isRead = live->operation->isRead();
    if (!isRead) {
        auto planned = co_await makePlan(live);
        if (!planned)
            co_return refuse(live, planned.error());
        if (live->call.previewOnly) {
            auto previewed = co_await preview(std::move(live));
            co_return previewed;
        }
    }
    if (live->decision.verdict == Verdict::Ask) {
        auto approved = co_await approve(live);
        if (!approved)
            co_return refuse(live, approved.error());
    }
    if (isRead) {
        auto answered = co_await performRead(std::move(live));
        co_return answered;
    }
    auto recorded = co_await recordIntent(live);
    if (!recorded)
        co_return refuse(live, recorded.error());
    auto performed = co_await performChange(std::move(live));
    co_return performed;
}

QCoro::Task<Result<>> Executor::understand(LivePtr live)
{
    if (auto limited = checkLimit(*live); !limited)
        co_return limited.error();
    if (auto parsed = parse(*live); !parsed)
        co_return parsed.error();
    auto opened = co_await openUndo(live);
    if (!opened)
        co_return opened.error();
    auto again = co_await openRetry(live);
    if (!again)
        co_return again.error();
    if (auto resolved = resolve(*live); !resolved)
        co_return resolved.error();
    co_return decide(*live, live->operation->effect);
}

bool Executor::cancel(const QString &callId)
{
    const auto found =
        std::find_if(m_live.begin(), m_live.end(), [&](const auto &l) { return l->info.callId == callId; });
    if (found == m_live.end() || (*found)->isSent)
        return false;
    const auto live = *found;
    live->stop.request_stop();
    return true;
}

void Executor::cancelAllOf(const Actor &actor)
{
    const auto now = m_live;
    for (const auto &live : now)
        if (live->call.actor == actor)
            cancel(live->info.callId);
}

std::vector<ExecutionInfo> Executor::live() const
{
    std::vector<ExecutionInfo> all;
    for (const auto &live : m_live)
        all.push_back(live->info);
    return all;
}

void Executor::setPaused(bool paused)
{
    if (std::exchange(m_paused, paused) != paused)
        Q_EMIT pausedChanged(paused);
}
