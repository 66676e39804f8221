#include "inventory/Poller.h"
#include "pve/Client.h"
#include "pve/Connection.h"
#include <QRandomGenerator>
#include <algorithm>

using namespace std::chrono_literals;
using Reach = InventorySnapshot::Reach;

namespace
{
/// Nobody will answer better in this round, whatever else is asked.
bool endsRound(Error::Kind kind)
{
    switch (kind) {
    case Error::Kind::Unreachable:
    case Error::Kind::Untrusted:
    case Error::Kind::Unauthorized:
    case Error::Kind::TimedOut:
    case Error::Kind::Cancelled:
    case Error::Kind::Unavailable: return true;
    default: return false;
    }
}

bool hasRunningTask(const InventoryPtr &snapshot)
{
    return snapshot && std::any_of(snapshot->tasks.begin(), snapshot->tasks.end(),
                                   [](const TaskState &task) { return task.isRunning(); });
}
}

Poller::Poller(Connection &connection, Inventory &inventory, const Clock &clock, const PollPace &pace)
    : Poller(connection.client(), connection.remote().id, connection.remote().name, inventory, clock, pace)
{
}

Poller::Poller(Client &client, QString remoteId, QString remoteName, Inventory &inventory, const Clock &clock,
               const PollPace &pace)
    : m_client(client), m_remoteId(std::move(remoteId)), m_remoteName(std::move(remoteName)), m_inventory(inventory),
      m_clock(clock), m_pace(pace)
{
    QMetaObject::invokeMethod(
        this, [this] { run(m_stop.get_token()); }, Qt::QueuedConnection);
}

Poller::~Poller()
{
    const auto waiting = std::move(m_waiting);
    m_stop.request_stop();
}

Future<void> Poller::refresh()
{
    auto future = m_waiting.emplace_back().future();
    m_wake.finish({});
    return future;
}

void Poller::setActive(bool active)
{
    const bool wakes = active && !m_isActive;
    m_isActive = active;
    if (wakes)
        m_wake.finish({});
}

// Whoever is told of a round may end the poller: after each such call only the stop token is looked at.
QCoro::Task<void> Poller::run(std::stop_token stop)
{
    while (!stop.stop_requested()) {
        const auto began = m_clock.monotonicMs();
        auto waiting = std::exchange(m_waiting, {});
        ++m_rounds;
        auto outcome = co_await round(stop);
        if (stop.stop_requested())
            co_return;
        m_failures = outcome ? 0 : m_failures + 1;
        if (!outcome)
            publishFailure(outcome.error());
        for (auto &each : waiting)
            each.finish(outcome);
        if (stop.stop_requested())
            co_return;
        m_wake = Promise<void>();
        if (m_waiting.empty()) {
            auto woken = co_await m_wake.future().until(stop).within(pauseAfterRound(began));
            Q_UNUSED(woken);
        }
        if (stop.stop_requested())
            co_return;
        const auto left = m_pace.gap - std::chrono::milliseconds(m_clock.monotonicMs() - began);
        if (left > 0ms) {
            auto paused = co_await pause(left, stop);
            Q_UNUSED(paused);
        }
    }
}

QCoro::Task<Result<void>> Poller::round(std::stop_token stop)
{
    auto answers = std::make_shared<PollAnswers>();
    answers->remoteId = m_remoteId;
    answers->remoteName = m_remoteName;
    auto asked = co_await ask(answers, stop);
    if (!asked || stop.stop_requested())
        co_return asked;
    answers->takenAtMs = m_clock.wallMs();
    auto next = co_await read(std::move(answers)).until(stop);
    if (!next)
        co_return next.error();
    if (stop.stop_requested())
        co_return Result<void>();
    publish(std::move(*next), stop);
    co_return Result<void>();
}

QCoro::Task<Result<void>> Poller::ask(std::shared_ptr<PollAnswers> answers, std::stop_token stop)
{
    // The smallest question first: it measures the way, and a refused sign-in is refused once, not five times.
    const auto began = m_clock.monotonicMs();
    const QStringList path{QStringLiteral("version")};
    auto version = co_await get(path, stop);
    if (stop.stop_requested())
        co_return Result<void>();
    if (!version)
        co_return version.error();
    answers->latencyMs = static_cast<int>(m_clock.monotonicMs() - began);
    answers->version = *version;
    auto rest = co_await askTheRest(std::move(answers), stop);
    co_return rest;
}

QCoro::Task<Result<void>> Poller::askTheRest(std::shared_ptr<PollAnswers> answers, std::stop_token stop)
{
    const auto cluster = QStringLiteral("cluster");
    const bool asksPermissions = wantsPermissions();
    auto resourcesTask = get({cluster, QStringLiteral("resources")}, stop);
    auto statusTask = get({cluster, QStringLiteral("status")}, stop);
    auto tasksTask = get({cluster, QStringLiteral("tasks")}, stop);
    if (asksPermissions) {
        const QStringList path{QStringLiteral("access"), QStringLiteral("permissions")};
        auto permissions = co_await get(path, stop);
        if (permissions)
            answers->permissions = *permissions;
    }
    auto resources = co_await resourcesTask;
    auto status = co_await statusTask;
    auto tasks = co_await tasksTask;
    if (stop.stop_requested())
        co_return Result<void>();
    if (asksPermissions)
        m_permissionsAtMs = m_clock.monotonicMs();
    if (!resources)
        co_return resources.error();
    for (const auto *part : {&status, &tasks})
        if (!*part && endsRound(part->error().kind))
            co_return part->error();
    answers->resources = *resources;
    answers->status = std::move(status);
    answers->tasks = std::move(tasks);
    co_return Result<void>();
}

QCoro::Task<Result<QJsonValue>> Poller::get(QStringList segments, std::stop_token stop)
{
    ApiRequest request;
    request.segments = std::move(segments);
    auto answer = co_await m_client.send(std::move(request), stop);
    if (!answer)
        co_return answer.error();
    co_return answer->data;
}

/// The answers are given up with the work, so that their many small pieces are freed over there.
Future<Poller::News> Poller::read(std::shared_ptr<const PollAnswers> answers)
{
    return m_background.run<News>(
        [answers = std::move(answers), previous = m_inventory.snapshot(m_remoteId)]() -> Result<News> {
            auto next = readAnswers(*answers, previous.get());
            if (!next)
                return next.error();
            News news;
            news.state = std::make_shared<const InventorySnapshot>(std::move(*next));
            news.before = previous;
            news.diff = differences(previous.get(), news.state.get());
            return news;
        });
}

void Poller::publish(News news, const std::stop_token &stop)
{
    if (news.diff.isEventful)
        m_eventAtMs = m_clock.monotonicMs();
    m_inventory.publish(std::move(news.state), news.before, std::move(news.diff));
    if (stop.stop_requested()) // whoever was told has ended this
        return;
    // The last state goes away on the other thread, unless somebody else still holds it.
    const auto givenUp = m_background.run<int>([before = std::move(news.before)]() mutable -> Result<int> {
        before.reset();
        return 0;
    });
    Q_UNUSED(givenUp)
}

void Poller::publishFailure(const Error &error)
{
    const auto last = m_inventory.snapshot(m_remoteId);
    const auto reach = !last ? Reach::Never : last->reach == Reach::Live ? Reach::Stale : last->reach;
    if (last && last->reach == reach && last->problem == error.message)
        return;
    auto next = last ? *last : InventorySnapshot();
    next.remoteId = m_remoteId;
    next.remoteName = m_remoteName;
    next.reach = reach;
    next.problem = error.message;
    next.latencyMs.reset();
    m_inventory.publish(std::move(next));
}

bool Poller::wantsPermissions() const
{
    const auto last = m_inventory.snapshot(m_remoteId);
    return m_permissionsAtMs < 0 || m_clock.monotonicMs() - m_permissionsAtMs >= m_pace.permissions.count() ||
           (last && last->guests.empty());
}

std::chrono::milliseconds Poller::pauseAfterRound(qint64 beganMs) const
{
    const auto now = m_clock.monotonicMs();
    PollRhythm::Facts facts;
    facts.isWatched = m_isActive;
    facts.isTaskOn = hasRunningTask(m_inventory.snapshot(m_remoteId));
    facts.failures = m_failures;
    facts.quiet = std::chrono::milliseconds(now - m_eventAtMs);
    facts.took = std::chrono::milliseconds(now - beganMs);
    return PollRhythm::pauseAfter(facts, m_pace, QRandomGenerator::global()->generateDouble());
}
