#include "pve/TaskLoop.h"
#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "pve/Client.h"
#include "pve/TaskAnswers.h"
#include "pve/TaskRequests.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QRandomGenerator>

namespace
{
using std::chrono::milliseconds;
constexpr qint64 pageLines = 200;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(TaskWatcher)
};
qint64 now()
{
    return Clock::system().monotonicMs();
}

Error unknownEnd(const QString &why, const QString &upid, const QString &lastLine = {})
{
    auto message = Text::tr("How the task ended is not known: %1").arg(why);
    if (!lastLine.isEmpty())
        message += u' ' + Text::tr("(the last line of its log: %1)").arg(DisplayText::visible(lastLine.left(300)));
    return {Error::Kind::Unknown, message, upid};
}

/// The server, not the network, has spoken, and asking again will not change its mind.
bool isFinal(Error::Kind kind)
{
    return kind == Error::Kind::Forbidden || kind == Error::Kind::Untrusted || kind == Error::Kind::Invalid;
}
}

TaskLoop::TaskLoop(QString node, Client &client, RequestPace &requests, const TaskPace &pace)
    : m_node(std::move(node)), m_client(client), m_requests(requests), m_pace(pace)
{
}

TaskLoop::~TaskLoop()
{
    *m_alive = false;
    m_stop.request_stop(); // ends run() here, if it waits
    auto entries = std::exchange(m_entries, {});
    m_wake.reset();
}

Future<TaskEnd> TaskLoop::follow(const Upid &task, TaskWatcher::Report report, std::stop_token stop)
{
    auto [found, isNew] = m_entries.try_emplace(task.text);
    if (isNew)
        found->second.sinceMs = found->second.dueMs = now();
    auto &listener = found->second.listeners.emplace_back();
    listener.report = std::move(report);
    listener.stop = std::move(stop);
    auto future = listener.promise.future();
    if (!m_isRunning)
        run(); // goes on by itself; m_stop ends it
    else if (m_wake)
        std::exchange(m_wake, std::nullopt)->finish({});
    return future;
}

QCoro::Task<void> TaskLoop::run()
{
    const auto alive = m_alive;
    m_isRunning = true;
    for (;;) {
        dropStopped();
        if (m_entries.empty())
            break;
        auto looked = co_await look();
        if (!*alive)
            co_return;
        m_failures = looked ? 0 : m_failures + 1;
        if (looked)
            m_refusals = 0;
        if (m_entries.empty())
            break;
        m_wake.emplace();
        auto waited = co_await m_wake->future().until(m_stop.get_token()).within(untilNextLook());
        if (!*alive || (!waited && waited.error().kind == Error::Kind::Cancelled))
            co_return;
        m_wake.reset();
    }
    m_isRunning = false;
}

milliseconds TaskLoop::untilNextLook() const
{
    if (m_failures > 0) {
        const auto doubled = m_pace.trouble.count() << qMin(m_failures - 1, 16);
        const auto wait = qMin<qint64>(doubled, m_pace.troubleMost.count());
        return milliseconds(wait * QRandomGenerator::global()->bounded(80, 121) / 100);
    }
    auto next = std::numeric_limits<qint64>::max();
    for (const auto &[upid, entry] : m_entries)
        next = qMin(next, entry.dueMs);
    if (static_cast<int>(m_entries.size()) > m_pace.few)
        next = m_listDueMs;
    return milliseconds(qMax<qint64>(next - now(), 1));
}

QCoro::Task<Result<void>> TaskLoop::look()
{
    const auto alive = m_alive;
    if (static_cast<int>(m_entries.size()) > m_pace.few)
        co_return co_await lookAtList();
    std::vector<QString> due;
    for (const auto &[upid, entry] : m_entries)
        if (entry.dueMs <= now())
            due.push_back(upid);
    for (const auto &upid : due) {
        auto looked = co_await lookAt(upid);
        if (!*alive || !looked)
            co_return looked;
    }
    co_return Result<void>();
}

/// Many tasks: one list of what runs, one of what has ended lately, single questions for what is on neither, and a few
/// logs.
QCoro::Task<Result<void>> TaskLoop::lookAtList()
{
    const auto alive = m_alive;
    m_listDueMs = now() + m_pace.list.count();
    std::set<QString> running;
    for (int source = 0; source < 2; ++source) {
        auto listed = co_await ask(TaskRequests::list(m_node, source == 1, 2 * m_entries.size() + 200));
        if (!*alive)
            co_return Result<void>();
        if (!listed)
            co_return takeTrouble({}, listed.error());
        takeList(listed->data, &running);
        if (!*alive)
            co_return Result<void>();
        if (m_entries.size() <= running.size())
            break;
    }
    const auto missing = missingFrom(running);
    for (const auto &upid : missing) {
        auto looked = co_await lookAt(upid);
        if (!*alive || !looked)
            co_return looked;
    }
    const auto speaking = nextToSpeak();
    for (const auto &upid : speaking) {
        if (!m_entries.contains(upid))
            continue;
        auto heard = co_await readLog(upid);
        if (!*alive || !heard)
            co_return heard;
    }
    co_return Result<void>();
}

std::vector<QString> TaskLoop::missingFrom(const std::set<QString> &running) const
{
    std::vector<QString> missing;
    for (const auto &[upid, entry] : m_entries)
        if (!running.contains(upid) && entry.dueMs <= now())
            missing.push_back(upid);
    return missing;
}

/// Whose logs are read in this round, so that all have their turn.
std::vector<QString> TaskLoop::nextToSpeak()
{
    constexpr size_t most = 4;
    std::vector<QString> next;
    const auto take = [&](auto from, auto to) {
        for (; from != to && next.size() < most; ++from)
            if (wantsLog(from->first))
                next.push_back(from->first);
    };
    const auto after = m_entries.upper_bound(m_spokeLast);
    take(after, m_entries.end());
    take(m_entries.begin(), after);
    if (!next.empty())
        m_spokeLast = next.back();
    return next;
}

void TaskLoop::takeList(const QJsonValue &list, std::set<QString> *running)
{
    const auto alive = m_alive;
    for (const auto &item : list.toArray()) {
        const auto task = item.toObject();
        const auto upid = task[QLatin1String("upid")].toString();
        if (!m_entries.contains(upid))
            continue;
        const auto status = task[QLatin1String("status")].toString();
        if (!PveValue::integer(task, "endtime"))
            running->insert(upid);
        else if (!TaskAnswers::isLost(status)) // otherwise it is asked for by itself
            takeEnd(upid, status);
        if (!*alive)
            return;
    }
}

QCoro::Task<Result<void>> TaskLoop::lookAt(QString upid)
{
    const auto alive = m_alive;
    auto answer = co_await ask(TaskRequests::status(m_node, upid));
    if (!*alive || !m_entries.contains(upid))
        co_return Result<void>();
    if (!answer)
        co_return takeTrouble(upid, answer.error());
    takeStatus(upid, answer->data.toObject());
    if (!*alive || !wantsLog(upid))
        co_return Result<void>();
    co_return co_await readLog(upid);
}

void TaskLoop::takeStatus(const QString &upid, const QJsonObject &status)
{
    if (status[QLatin1String("status")] == QLatin1String("stopped")) {
        takeEnd(upid, status[QLatin1String("exitstatus")].toString());
        return;
    }
    auto &entry = m_entries.at(upid);
    constexpr int mostOddLooks = 5;
    entry.oddLooks = status[QLatin1String("status")] == QLatin1String("running") ? 0 : entry.oddLooks + 1;
    if (entry.oddLooks >= mostOddLooks)
        return finish(upid, unknownEnd(Text::tr("the server does not say whether it runs"), upid));
    const auto age = now() - entry.sinceMs;
    entry.dueMs = now() + qBound(qint64(m_pace.first.count()), qint64(age / 10), qint64(m_pace.slowest.count()));
}

void TaskLoop::takeEnd(const QString &upid, const QString &exitStatus)
{
    if (!TaskAnswers::isLost(exitStatus)) {
        finish(upid, TaskAnswers::end(exitStatus));
        return;
    }
    // The last line of a log is written a moment after the worker is gone: look a second time before believing it.
    auto &entry = m_entries.at(upid);
    entry.dueMs = now() + 2 * m_pace.first.count();
    if (++entry.lostLooks >= 2)
        finish(upid, unknownEnd(exitStatus.isEmpty() ? Text::tr("the server does not say") : exitStatus, upid,
                                QString(entry.said.lastLine)));
}

/// An error that says something about the task ends its watch; the rest is waited out.
Result<void> TaskLoop::takeTrouble(const QString &upid, const Error &error)
{
    if (error.message.contains(QLatin1String("no such task")) && !upid.isEmpty()) {
        finish(upid, unknownEnd(Text::tr("the server no longer knows it"), upid));
        return {};
    }
    const bool isAnswered = error.kind == Error::Kind::Rejected || error.kind == Error::Kind::Unauthorized;
    constexpr int mostRefusals = 5;
    if (isFinal(error.kind) || (isAnswered && ++m_refusals >= mostRefusals)) {
        finishAll(error);
        return {};
    }
    return error;
}

bool TaskLoop::wantsLog(const QString &upid) const
{
    const auto found = m_entries.find(upid);
    if (found == m_entries.end())
        return false;
    if (found->second.lostLooks > 0) // it may tell what the status does not
        return true;
    const auto &listeners = found->second.listeners;
    return std::any_of(listeners.begin(), listeners.end(), [](const Listener &one) { return one.report != nullptr; });
}

/// Only what is new; of a long log only the end.
QCoro::Task<Result<void>> TaskLoop::readLog(QString upid)
{
    const auto alive = m_alive;
    for (int pages = 0; pages < 2; ++pages) {
        const auto start = m_entries.at(upid).logStart;
        auto answer = co_await ask(TaskRequests::log(m_node, upid, start, pageLines));
        if (!*alive || !m_entries.contains(upid))
            co_return Result<void>();
        if (!answer)
            co_return Result<void>(); // progress is a courtesy; the status decides
        const auto page = TaskAnswers::log(answer->data, answer->beside, start);
        auto &entry = m_entries.at(upid);
        entry.logStart = qMax(page.next, page.total - pageLines);
        report(upid, page.said);
        if (!*alive || !m_entries.contains(upid) || page.next >= page.total)
            co_return Result<void>();
    }
    co_return Result<void>();
}

void TaskLoop::report(const QString &upid, TaskProgress said)
{
    auto &entry = m_entries.at(upid);
    if (said.lastLine.isEmpty())
        return;
    if (said.fraction < 0)
        said.fraction = entry.said.fraction;
    if (said == entry.said)
        return;
    entry.said = said;
    const auto alive = m_alive;
    std::vector<TaskWatcher::Report> reports; // a report may start or stop watching
    for (const auto &listener : entry.listeners)
        if (listener.report && !listener.stop.stop_requested())
            reports.push_back(listener.report);
    for (const auto &tell : reports)
        if (*alive)
            tell(said);
}

QCoro::Task<Result<ApiAnswer>> TaskLoop::ask(ApiRequest request)
{
    auto turn = co_await m_requests.turn(m_stop.get_token());
    if (!turn)
        co_return turn.error();
    co_return co_await m_client.send(std::move(request), m_stop.get_token());
}

void TaskLoop::finish(const QString &upid, Result<TaskEnd> result)
{
    auto node = m_entries.extract(upid);
    if (!node)
        return;
    auto listeners = std::move(node.mapped().listeners);
    for (auto &listener : listeners) // may be the end of this loop
        listener.promise.finish(result);
}

void TaskLoop::finishAll(const Error &error)
{
    auto entries = std::exchange(m_entries, {});
    for (auto &[upid, entry] : entries)
        for (auto &listener : entry.listeners)
            listener.promise.finish(unknownEnd(error.message, upid));
}

void TaskLoop::dropStopped()
{
    for (auto entry = m_entries.begin(); entry != m_entries.end();) {
        auto &listeners = entry->second.listeners;
        std::erase_if(listeners, [](const Listener &one) { return one.stop.stop_requested(); });
        entry = listeners.empty() ? m_entries.erase(entry) : std::next(entry);
    }
}
