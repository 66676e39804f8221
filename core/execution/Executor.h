#pragma once
#include "execution/Approver.h"
#include "execution/Execution.h"
#include "operations/Catalogue.h"
#include "policy/Limits.h"
#include "policy/Policy.h"
#include <QObject>
#include <unordered_map>

class AuditLog;

/// What the executor works with; all borrowed and all outliving it.
struct ExecutorParts {
    const Catalogue &catalogue;
    const Services &services;
    Policy &policy;
    Limits &limits;
    AuditLog &audit;
    Approver &approver;
    const Clock &clock;
    bool isDemo = false;
};

/// Runs every call, of anyone, through the pipeline: limit, parse, resolve, decide, plan, decide again, approve,
/// re-check, intent, perform, outcome, inverse. Owner's thread only. Destroy it before everything it borrows, and never
/// from inside one of its own calls.
class Executor : public QObject
{
    Q_OBJECT
public:
    explicit Executor(ExecutorParts parts);
    /// Stops what has sent nothing; what was sent stays unsettled in the audit log for Recovery.
    ~Executor() override;

    /// Starts a call and returns its id; `done` is called exactly once, possibly before this returns.
    QString start(Call call, std::function<void(const CallResult &)> done = {});
    /// The same for a coroutine. `started` hears the call's id first.
    QCoro::Task<CallResult> run(Call call, std::function<void(const QString &)> started = {});
    /// Stops a call that has sent nothing yet: true. One that has sent something goes on and is recorded: false.
    bool cancel(const QString &callId);
    void cancelAllOf(const Actor &actor);

    /// Calls that have not ended, oldest first.
    std::vector<ExecutionInfo> live() const;
    const Catalogue &catalogue() const { return m.catalogue; }
    const Inventory &inventory() const { return m.services.inventory; }
    /// Counts what a program was answered.
    void noteAnswer(const Actor &actor, qint64 bytes) { m.limits.noteAnswer(actor, bytes); }

    /// While paused, calls of programs are refused.
    void setPaused(bool paused);
    bool isPaused() const { return m_paused; }

Q_SIGNALS:
    /// A call began, moved on, progressed or ended (its state tells).
    void changed(const ExecutionInfo &info);
    /// A change took effect, so the inventory of this remote is out of date.
    void clusterChanged(const QString &remoteId);
    void pausedChanged(bool paused);

private:
    struct Live;
    using LivePtr = std::shared_ptr<Live>;
    LivePtr admit(Call call);
    QCoro::Task<void> drive(LivePtr live, std::function<void(const CallResult &)> done);
    QCoro::Task<CallResult> pipeline(LivePtr live);
    // The steps of a call, in order. A step's error refuses the call: nothing was sent.
    QCoro::Task<Result<>> understand(LivePtr live);
    Result<> checkLimit(const Live &live) const;
    Result<> parse(Live &live) const;
    QCoro::Task<Result<>> openUndo(LivePtr live);
    QCoro::Task<Result<>> openRetry(LivePtr live);
    Result<> resolve(Live &live) const;
    PolicyTarget placeOf(const Target &target) const;
    Result<> decide(Live &live, Effect effect) const;
    QCoro::Task<Result<>> makePlan(LivePtr live);
    QCoro::Task<Result<>> approve(LivePtr live);
    QCoro::Task<Result<>> askPerson(LivePtr live);
    QCoro::Task<Result<PlanStep>> previewStep(LivePtr parent, Call step);
    QCoro::Task<Result<StepDone>> runStep(LivePtr parent, PlanStep step);
    QCoro::Task<Result<>> recheck(LivePtr live);
    QCoro::Task<Result<>> claimUndo(LivePtr live);
    QCoro::Task<Result<>> recordIntent(LivePtr live);
    QCoro::Task<CallResult> preview(LivePtr live);
    QCoro::Task<CallResult> performRead(LivePtr live);
    QCoro::Task<CallResult> answerRead(LivePtr live, Result<QJsonValue> answer);
    QCoro::Task<CallResult> performChange(LivePtr live);

    OperationContext context(const LivePtr &live);
    static QJsonObject outcomeJson(const Live &live, const Result<Outcome> &outcome);
    Future<qint64> append(Live &live, AuditEvent::Kind kind, QJsonObject body);
    Future<qint64> endUndo(Live &live, bool done);
    CallResult refuse(const LivePtr &live, const Error &error);
    CallResult finish(const LivePtr &live, CallState state, Result<Outcome> outcome);
    /// What stays the same while steps of one plan change the same object one after the other: the plan without
    /// digests.
    static QByteArray shapeOf(const Live &live);
    void rememberDenial(const Live &live);
    bool wasDenied(const Live &live) const;

    ExecutorParts m;
    bool m_paused = false;
    bool m_closing = false;
    quint64 m_count = 0;
    std::vector<LivePtr> m_live; ///< oldest first
    std::unordered_map<std::string, qint64>
        m_denials; ///< a denied request → monotonic ms until which it is denied unasked
};
