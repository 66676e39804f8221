#include "execution/Recovery.h"
#include "audit/AuditLog.h"
#include "base/StrictJson.h"
#include "execution/Executor.h"
#include "inventory/Inventory.h"
#include <QCoreApplication>
#include <QJsonArray>

static QString tr(const char *text)
{
    return QCoreApplication::translate("Recovery", text);
}

/// What was found out about one call.
struct Recovery::Finding {
    bool isSettled = false; ///< false = look again later, or elsewhere
    CallState state = CallState::Unknown;
    QString how;
    QString error = {};
    QString upid = {};
};

Recovery::Recovery(AuditLog &log, AuditQuery &query, Executor &executor)
    : m_log(log), m_query(query), m_executor(&executor)
{
}

Recovery::~Recovery() = default;

bool Recovery::isLive(const QString &callId) const
{
    const auto live = m_executor->live();
    return std::any_of(live.begin(), live.end(), [&](const ExecutionInfo &info) { return info.callId == callId; });
}

/// What cannot be seen is not looked for: a guest that is not listed yet is not a guest that is gone.
bool Recovery::isInReach(const QString &remoteId) const
{
    const auto state = m_executor->inventory().snapshot(remoteId);
    return state && state->reach == InventorySnapshot::Reach::Live;
}

QCoro::Task<Result<QJsonObject>> Recovery::ask(QString operation, QJsonObject arguments, bool preview)
{
    if (!m_executor)
        co_return Error{Error::Kind::Cancelled, tr("Labhelm is ending.")};
    Call call;
    call.operation = std::move(operation);
    call.arguments = StrictJson::write(arguments);
    call.actor = Actor::labhelm();
    call.previewOnly = preview;
    auto result = co_await m_executor->run(std::move(call));
    if (!result.outcome)
        co_return result.outcome.error();
    co_return result.outcome->answer.toObject();
}

QCoro::Task<Result<int>> Recovery::run()
{
    auto open = co_await m_query.unsettled();
    if (!open)
        co_return open.error();
    int settled = 0;
    for (const auto &call : *open) {
        auto one = co_await settleOne(call.row.callId);
        if (!one)
            co_return one.error();
        settled += *one ? 1 : 0;
    }
    auto claims = co_await settleClaims();
    if (!claims)
        co_return claims.error();
    co_return settled;
}

/// A call that ran when the list was made may have ended since: what is read after it is no longer live is final.
QCoro::Task<Result<bool>> Recovery::settleOne(QString callId)
{
    if (!m_executor || isLive(callId))
        co_return false;
    auto call = co_await m_query.detail(callId);
    if (!call)
        co_return call.error();
    if (!call->isUnsettled())
        co_return false;
    auto finding = co_await settle(*std::move(call));
    if (!finding.isSettled)
        co_return false;
    AuditEvent event;
    event.callId = callId;
    event.kind = AuditEvent::Kind::Recovered;
    event.body = {{QStringLiteral("state"), callStateName(finding.state)}, {QStringLiteral("how"), finding.how}};
    if (!finding.error.isEmpty())
        event.body.insert(QStringLiteral("error"), finding.error);
    if (!finding.upid.isEmpty())
        event.body.insert(QStringLiteral("upid"), finding.upid);
    auto written = co_await m_log.append(std::move(event));
    if (!written)
        co_return written.error();
    co_return true;
}

/// An undo that nobody carries on neither holds its call for ever nor is forgotten when it worked.
QCoro::Task<Result<>> Recovery::settleClaims()
{
    auto claimed = co_await m_query.claimed();
    if (!claimed)
        co_return claimed.error();
    for (const auto &row : *claimed) {
        if (!m_executor || isLive(row.claimedBy))
            continue;
        auto undo = co_await m_query.detail(row.claimedBy);
        if (!undo && undo.error().kind != Error::Kind::NotFound)
            co_return undo.error();
        if (undo && undo->isUnsettled())
            continue;
        const bool isDone = undo && (undo->row.state == CallState::Done || undo->row.state == CallState::Warnings);
        AuditEvent event;
        event.callId = row.callId;
        event.kind = isDone ? AuditEvent::Kind::Undone : AuditEvent::Kind::UndoReleased;
        event.body = {{QStringLiteral("by"), row.claimedBy}};
        auto written = co_await m_log.append(std::move(event));
        if (!written)
            co_return written.error();
    }
    co_return Result<>();
}

QCoro::Task<Recovery::Finding> Recovery::settle(CallDetail call)
{
    if (!call.hasIntent()) {
        Finding ended;
        ended.isSettled = true;
        ended.state = CallState::Cancelled;
        ended.how = tr("Labhelm ended before anything was sent.");
        co_return ended;
    }
    if (call.row.operation == QLatin1String("plan.run")) {
        Finding broken;
        broken.isSettled = true;
        broken.state = CallState::Failed;
        broken.how =
            tr("Labhelm ended while this plan ran. Each step that had begun has an entry of its own; the others "
               "were not run.");
        broken.error = broken.how;
        co_return broken;
    }
    if (!isInReach(call.row.remote))
        co_return Finding();
    if (!call.row.upid.isEmpty()) {
        auto byTask = co_await settleByTask(call.row.upid);
        co_return byTask;
    }
    auto byList = co_await settleByTaskList(call);
    if (byList.isSettled || !byList.upid.isEmpty())
        co_return byList;
    auto byState = co_await settleByState(call);
    co_return byState;
}

QCoro::Task<Recovery::Finding> Recovery::settleByTask(QString upid)
{
    QJsonObject arguments{{QStringLiteral("task"), upid}};
    auto task = co_await ask(QStringLiteral("task.get"), std::move(arguments), false);
    Finding finding;
    finding.upid = upid;
    if (!task && task.error().kind == Error::Kind::NotFound) {
        finding.isSettled = true;
        finding.how = tr("Proxmox VE no longer knows the task, so nobody can tell how it ended.");
        co_return finding;
    }
    if (!task || task->value(QStringLiteral("state")).toString() == QLatin1String("running"))
        co_return finding;
    const auto end = task->value(QStringLiteral("state")).toString();
    finding.isSettled = true;
    finding.how = tr("Labhelm asked the task how it had ended.");
    finding.state = end == QLatin1String("ok")         ? CallState::Done
                    : end == QLatin1String("warnings") ? CallState::Warnings
                                                       : CallState::Failed;
    if (finding.state == CallState::Failed)
        finding.error = task->value(QStringLiteral("exit_status")).toString();
    co_return finding;
}

/// The cut may have come before PVE could name the task: then it stands in the list, by kind, guest and time.
QCoro::Task<Recovery::Finding> Recovery::settleByTaskList(CallDetail call)
{
    Finding none;
    const auto *operation = m_executor->catalogue().find(call.row.operation);
    if (!operation || operation->taskTypes.isEmpty())
        co_return none;
    constexpr qint64 clockSkew = 300, longestSend = 120; // seconds
    const auto sent = call.row.atMs / 1000;
    QJsonObject arguments{{QStringLiteral("guest"), call.row.target}, {QStringLiteral("limit"), 200}};
    auto listed = co_await ask(QStringLiteral("task.list"), std::move(arguments), false);
    if (!listed)
        co_return none;
    QStringList fitting;
    for (const auto &task : listed->value(QStringLiteral("tasks")).toArray()) {
        const auto started = task[QLatin1String("start_time")].toInteger();
        if (operation->taskTypes.contains(task[QLatin1String("type")].toString()) && started >= sent - clockSkew &&
            started <= sent + longestSend)
            fitting << task[QLatin1String("upid")].toString();
    }
    if (fitting.size() != 1)
        co_return none;
    auto finding = co_await settleByTask(fitting.first());
    co_return finding;
}

QCoro::Task<Recovery::Finding> Recovery::settleByState(CallDetail call)
{
    Finding finding;
    auto plan = co_await ask(call.row.operation, call.merged[QStringLiteral("arguments")].toObject(), true);
    if (!plan && (plan.error().kind == Error::Kind::Unreachable || plan.error().kind == Error::Kind::TimedOut))
        co_return finding; // later, when the server answers again
    finding.isSettled = true;
    finding.how = tr("Labhelm could not find out whether this took effect.");
    if (!plan)
        co_return finding;
    const auto wanted = call.merged[QStringLiteral("changes")].toArray();
    const auto now = plan->value(QStringLiteral("changes")).toArray();
    bool asWanted = true, asBefore = !wanted.isEmpty();
    for (const auto &change : wanted) {
        auto live = change[QLatin1String("after")]; // a change that the new plan no longer needs is in place
        for (const auto &still : now)
            if (still[QLatin1String("key")] == change[QLatin1String("key")])
                live = still[QLatin1String("before")];
        asWanted = asWanted && live == change[QLatin1String("after")];
        asBefore = asBefore && live == change[QLatin1String("before")];
    }
    if (asBefore) {
        finding.state = CallState::Failed;
        finding.error = tr("It did not take effect.");
        finding.how = tr("Labhelm looked: everything is as it was before.");
    } else if (asWanted && !wanted.isEmpty()) {
        finding.state = CallState::Done;
        finding.how = tr("Labhelm looked: the change is in place.");
    }
    co_return finding;
}
