#include "mcp/ToolCalls.h"
#include "base/DisplayText.h"
#include <QPointer>

namespace
{
using namespace std::chrono_literals;
constexpr auto tickEvery = 250ms;
constexpr qint64 progressGapMs = 500;
constexpr qint64 waitingGapMs = 4000;
/// Clients drop progress that comes in one chunk with the answer, so the answer keeps this distance.
constexpr qint64 answerGapMs = 20;
constexpr qint64 never = -1'000'000;
} // namespace

/// One call without an answer.
struct ToolCalls::Running {
    QByteArray id;
    const Operation *operation = nullptr;
    Call call;
    QJsonValue token;
    Reply reply;
    QString callId = {};
    ExecutionInfo info = {};
    qint64 startedMs = 0;
    qint64 toldMs = never;
    double told = 0; ///< the last progress value; each is greater than the one before
    bool hasNews = false;
    bool isPatient = false; ///< its caller waits for the end
    bool isOver = false;    ///< answered, cancelled or about to be answered
};

ToolCalls::ToolCalls(Executor &executor, bool isDemo) : m_executor(executor), m_answers(isDemo)
{
    m_time.start();
    m_ticks.setInterval(tickEvery);
    connect(&m_ticks, &QTimer::timeout, this, &ToolCalls::tick);
    connect(&executor, &Executor::changed, this, &ToolCalls::hear);
}

ToolCalls::~ToolCalls()
{
    cancelAll();
}

void ToolCalls::start(const QByteArray &id, const Operation &operation, Call call, const QJsonObject &meta, Reply reply)
{
    if (count() >= most) {
        reply(m_answers.refused({Error::Kind::Limited, QStringLiteral("More than %1 calls at once.").arg(most)}));
        return;
    }
    auto running = std::make_shared<Running>(Running{id, &operation, call, meta[u"progressToken"], std::move(reply)});
    running->startedMs = m_time.elapsed();
    running->isPatient = meta[u"labhelm/wait"].toBool();
    m_byId.emplace(id.toStdString(), running);
    if (!m_ticks.isActive())
        m_ticks.start();
    Q_EMIT countChanged();
    const auto callId =
        m_executor.start(std::move(call), [self = QPointer<ToolCalls>(this), running](const CallResult &result) {
            if (self && !running->isOver)
                self->end(running, result);
        });
    if (running->isOver)
        return;
    running->callId = callId;
    m_byCall.insert(callId, running);
}

void ToolCalls::hear(const ExecutionInfo &info)
{
    const auto found = m_byCall.constFind(info.callId);
    if (found == m_byCall.cend() || (*found)->isOver || info.endedMs != 0)
        return;
    const auto running = *found;
    const bool waitsNow = info.state == CallState::Waiting && running->info.state != CallState::Waiting;
    running->info = info;
    running->hasNews = true;
    if (const auto now = m_time.elapsed(); waitsNow || now - running->toldMs >= progressGapMs)
        tellProgress(*running, now);
}

void ToolCalls::tick()
{
    const auto now = m_time.elapsed();
    const auto all = m_byId;
    for (const auto &[id, running] : all) {
        if (running->isOver)
            continue;
        if (!running->isPatient && now - running->startedMs >= m_patienceMs)
            loseTime(running);
        else if (now - running->toldMs >= (running->hasNews ? progressGapMs : waitingGapMs))
            tellProgress(*running, now);
    }
    if (m_byId.empty())
        m_ticks.stop();
}

static QString wordsOf(const ExecutionInfo &info)
{
    if (info.state == CallState::Waiting)
        return QStringLiteral("Waiting for a person's approval");
    if (!info.progress.text.isEmpty())
        return DisplayText::visible(info.progress.text);
    return info.upid.isEmpty() ? QStringLiteral("Working") : QStringLiteral("The task is running");
}

void ToolCalls::tellProgress(Running &running, qint64 now)
{
    if (!running.token.isString() && !running.token.isDouble())
        return;
    constexpr double least = 0.0001, highest = 99.9;
    const auto known = std::min(running.info.progress.fraction * 100, highest);
    running.told = std::max(running.told + least, known);
    running.toldMs = now;
    running.hasNews = false;
    Q_EMIT progressed({{QStringLiteral("progressToken"), running.token},
                       {QStringLiteral("progress"), running.told},
                       {QStringLiteral("total"), 100},
                       {QStringLiteral("message"), wordsOf(running.info)}});
}

void ToolCalls::loseTime(const RunningPtr &running)
{
    if (!running->operation->isRead()) {
        running->info.callId = running->callId;
        answer(running, m_answers.unfinished(running->info));
        return;
    }
    answer(running, m_answers.refused({Error::Kind::TimedOut, QStringLiteral("This took too long and was given up.")}));
    m_executor.cancel(running->callId);
}

void ToolCalls::end(const RunningPtr &running, const CallResult &result)
{
    auto object = m_answers.ended(*running->operation, running->call, result, running->info.upid);
    const auto sinceTold = m_time.elapsed() - running->toldMs;
    if (sinceTold >= answerGapMs) {
        answer(running, object);
        return;
    }
    running->isOver = true;
    QTimer::singleShot(answerGapMs - sinceTold, this, [this, running, object = std::move(object)] {
        if (has(running->id) && m_byId.at(running->id.toStdString()) == running)
            answer(running, object);
    });
}

void ToolCalls::answer(const RunningPtr &running, const QJsonObject &result)
{
    forget(running);
    running->reply(result);
}

void ToolCalls::forget(const RunningPtr &running)
{
    running->isOver = true;
    m_byId.erase(running->id.toStdString());
    m_byCall.remove(running->callId);
    Q_EMIT countChanged();
}

bool ToolCalls::cancel(const QByteArray &id)
{
    const auto found = m_byId.find(id.toStdString());
    if (found == m_byId.end())
        return false;
    const auto running = found->second;
    forget(running);
    m_executor.cancel(running->callId);
    return true;
}

void ToolCalls::cancelAll()
{
    while (!m_byId.empty())
        cancel(QByteArray::fromStdString(m_byId.begin()->first));
}
