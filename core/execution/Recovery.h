#pragma once
#include "audit/AuditQuery.h"
#include <QCoro/QCoroTask>
#include <QJsonObject>
#include <QPointer>

class AuditLog;
class Executor;

/// Settles, at start, what an earlier run left in the middle: a change that was sent by its task's end, by the state it
/// finds, or left unknown and said so; a call that had sent nothing is over; an undo that never ended gives its claim
/// back.
class Recovery
{
public:
    /// All borrowed. Log and query must outlive a run; one during which the executor goes away ends soon.
    Recovery(AuditLog &log, AuditQuery &query, Executor &executor);
    ~Recovery();
    /// Returns how many calls got an outcome. Calls that are running now are left alone; one whose task still runs, or
    /// whose remote does not answer, waits for the next run.
    QCoro::Task<Result<int>> run();

private:
    struct Finding;
    QCoro::Task<Result<bool>> settleOne(QString callId);
    QCoro::Task<Result<>> settleClaims();
    QCoro::Task<Finding> settle(CallDetail call);
    QCoro::Task<Finding> settleByTask(QString upid);
    QCoro::Task<Finding> settleByTaskList(CallDetail call);
    QCoro::Task<Finding> settleByState(CallDetail call);
    QCoro::Task<Result<QJsonObject>> ask(QString operation, QJsonObject arguments, bool preview);
    bool isLive(const QString &callId) const;
    bool isInReach(const QString &remoteId) const;
    AuditLog &m_log;
    AuditQuery &m_query;
    QPointer<Executor> m_executor;
};
