#include "audit/AuditLog.h"
#include "base/StrictJson.h"
#include "execution/Live.h"
#include <QJsonArray>

static QJsonObject actorJson(const Actor &actor)
{
    QJsonObject json{{QStringLiteral("kind"), actorKindName(actor.kind)},
                     {QStringLiteral("id"), actor.id},
                     {QStringLiteral("name"), actor.name}};
    if (!actor.session.isEmpty())
        json.insert(QStringLiteral("session"), actor.session);
    if (actor.pid)
        json.insert(QStringLiteral("pid"), actor.pid);
    if (!actor.program.isEmpty())
        json.insert(QStringLiteral("program"), actor.program);
    return json;
}

Future<qint64> Executor::append(Live &live, AuditEvent::Kind kind, QJsonObject body)
{
    if (!std::exchange(live.hasHeader, true)) {
        body.insert(QStringLiteral("actor"), actorJson(live.call.actor));
        body.insert(QStringLiteral("operation"), live.call.operation.left(80));
        body.insert(QStringLiteral("effect"), effectName(live.info.effect));
        body.insert(QStringLiteral("remote"), live.info.target.remote);
        body.insert(QStringLiteral("target"), live.info.target.key);
        body.insert(QStringLiteral("targetLabel"), live.info.target.label);
        body.insert(QStringLiteral("headline"), live.info.headline);
        body.insert(QStringLiteral("decision"), live.decision.why);
        if (live.args)
            body.insert(QStringLiteral("arguments"), live.operation->json(live.args));
        if (!live.call.reason.isEmpty())
            body.insert(QStringLiteral("reason"), live.call.reason.left(2000));
        if (!live.call.undoes.isEmpty())
            body.insert(QStringLiteral("undoes"), live.call.undoes);
        if (!live.call.partOf.isEmpty())
            body.insert(QStringLiteral("partOf"), live.call.partOf);
        if (!live.call.retries.isEmpty())
            body.insert(QStringLiteral("retries"), live.call.retries);
        if (m.isDemo)
            body.insert(QStringLiteral("isDemo"), true);
    }
    AuditEvent event;
    event.callId = live.info.callId;
    event.kind = kind;
    event.body = std::move(body);
    return m.audit.append(std::move(event));
}

OperationContext Executor::context(const LivePtr &live)
{
    OperationContext context{&m.services, live->call.actor, live->plan, live->stop.get_token()};
    context.report = [this, live](const Progress &progress) {
        live->info.progress = progress;
        Q_EMIT changed(live->info);
    };
    context.onTask = [this, live](const Upid &upid) {
        live->info.upid = upid.text;
        const auto recorded = append(*live, AuditEvent::Kind::Sent, {{QStringLiteral("upid"), upid.text}});
        Q_UNUSED(recorded) // the outcome waits for the same queue
        Q_EMIT changed(live->info);
    };
    context.previewStep = [this, live](Call step) { return previewStep(live, std::move(step)); };
    context.runStep = [this, live](PlanStep step) { return runStep(live, std::move(step)); };
    context.onInverse = [live](const Call &inverse, const QString &text) {
        live->inverse = inverse;
        live->inverseText = text;
    };
    return context;
}

QCoro::Task<Result<>> Executor::claimUndo(LivePtr live)
{
    if (live->call.undoes.isEmpty())
        co_return Result<>();
    AuditEvent claim;
    claim.callId = live->call.undoes;
    claim.kind = AuditEvent::Kind::UndoClaimed;
    claim.body = {{QStringLiteral("by"), live->info.callId}};
    auto claimed = co_await m.audit.append(std::move(claim)).until(live->stop.get_token());
    live->holdsClaim = claimed || claimed.error().kind == Error::Kind::Cancelled; // a claim that was queued still lands
    if (!claimed)
        co_return claimed.error();
    co_return Result<>();
}

Future<qint64> Executor::endUndo(Live &live, bool done)
{
    if (!std::exchange(live.holdsClaim, false))
        return ready<qint64>(0);
    AuditEvent end;
    end.callId = live.call.undoes;
    end.kind = done ? AuditEvent::Kind::Undone : AuditEvent::Kind::UndoReleased;
    end.body = {{QStringLiteral("by"), live.info.callId}};
    return m.audit.append(std::move(end));
}

QCoro::Task<Result<>> Executor::recordIntent(LivePtr live)
{
    if (live->stop.stop_requested())
        co_return Error{Error::Kind::Cancelled, tr("Stopped before anything was sent.")};
    const auto plan = live->plan->json();
    QJsonObject body{{QStringLiteral("plan"), plan},
                     {QStringLiteral("before"), live->plan->before},
                     {QStringLiteral("changes"), plan[QStringLiteral("changes")]},
                     {QStringLiteral("requests"), plan[QStringLiteral("requests")]},
                     {QStringLiteral("effect"), effectName(live->info.effect)},
                     {QStringLiteral("headline"), live->info.headline},
                     {QStringLiteral("planHash"), QString::fromLatin1(live->plan->hash.toHex())},
                     {QStringLiteral("state"), callStateName(CallState::Running)}};
    const auto underWay = std::count_if(m_live.begin(), m_live.end(), [&live](const LivePtr &other) {
        return other != live && other->isSent && other->call.actor == live->call.actor;
    });
    auto admitted = m.limits.admitChange(live->call.actor, int(underWay));
    if (!admitted)
        co_return admitted.error();
    auto claimed = co_await claimUndo(live);
    if (!claimed)
        co_return claimed.error();
    live->isSent = true; // from here on a stop cannot promise that nothing happened
    auto written = co_await append(*live, AuditEvent::Kind::Intent, std::move(body)).until(live->stop.get_token());
    if (written)
        co_return Result<>();
    live->isSent = false;
    if (m_closing)
        co_return Error{Error::Kind::Cancelled, tr("Labhelm was closed before anything was sent.")};
    co_return Error{Error::Kind::Unavailable,
                    tr("This cannot be recorded, so it was not done. %1").arg(written.error().message),
                    written.error().detail};
}

/// The plan is the answer: nothing is sent.
QCoro::Task<CallResult> Executor::preview(LivePtr live)
{
    Result<QJsonValue> plan(QJsonValue(live->plan->json()));
    auto answered = co_await answerRead(std::move(live), std::move(plan));
    co_return answered;
}

QCoro::Task<CallResult> Executor::performRead(LivePtr live)
{
    auto answer = co_await live->operation->read(live->args, context(live));
    auto answered = co_await answerRead(std::move(live), std::move(answer));
    co_return answered;
}

/// Records what was read before anybody gets it.
QCoro::Task<CallResult> Executor::answerRead(LivePtr live, Result<QJsonValue> answer)
{
    const auto state = answer                                          ? CallState::Done
                       : answer.error().kind == Error::Kind::Cancelled ? CallState::Cancelled
                                                                       : CallState::Failed;
    if (live->isRecorded() && !m_closing) {
        QJsonObject body{{QStringLiteral("state"), callStateName(state)},
                         {QStringLiteral("durationMs"), m.clock.monotonicMs() - live->startedMonotonic}};
        if (!answer) {
            body.insert(QStringLiteral("error"), answer.error().message);
            body.insert(QStringLiteral("errorKind"), answer.error().code());
        }
        auto written = co_await append(*live, AuditEvent::Kind::Read, std::move(body)).until(live->stop.get_token());
        if (!written)
            co_return finish(
                live, CallState::Failed,
                Error{Error::Kind::Unavailable,
                      tr("This read cannot be recorded, so it is not answered. %1").arg(written.error().message)});
    }
    if (!answer)
        co_return finish(live, state, answer.error());
    co_return finish(live, state, Outcome{.changed = false, .answer = *std::move(answer)});
}

/// After the intent, only an error that proves that nothing was sent may say "failed" without a doubt.
static CallState stateOf(const Result<Outcome> &outcome)
{
    if (outcome)
        return outcome->warnings.isEmpty() ? CallState::Done : CallState::Warnings;
    switch (outcome.error().kind) {
    case Error::Kind::Unknown:
    case Error::Kind::Cancelled:
    case Error::Kind::TimedOut:
    case Error::Kind::Malformed: return CallState::Unknown;
    default: return CallState::Failed;
    }
}

static QJsonObject inverseJson(const Call &inverse, const QString &text)
{
    const auto arguments = StrictJson::parseObject(inverse.arguments);
    return {{QStringLiteral("operation"), inverse.operation},
            {QStringLiteral("arguments"), arguments.valueOr({})},
            {QStringLiteral("text"), text}};
}

QJsonObject Executor::outcomeJson(const Live &live, const Result<Outcome> &outcome)
{
    QJsonObject body{{QStringLiteral("state"), callStateName(stateOf(outcome))}};
    if (live.inverse)
        body.insert(QStringLiteral("inverse"), inverseJson(*live.inverse, live.inverseText));
    if (!outcome) {
        body.insert(QStringLiteral("error"), outcome.error().message);
        body.insert(QStringLiteral("errorKind"), outcome.error().code());
        return body;
    }
    if (!outcome->warnings.isEmpty())
        body.insert(QStringLiteral("warnings"), QJsonArray::fromStringList(outcome->warnings));
    if (!outcome->upid.isEmpty())
        body.insert(QStringLiteral("upid"), outcome->upid);
    if (!live.plan->done.isEmpty())
        body.insert(QStringLiteral("headline"), live.plan->done);
    if (const auto undo = outcome->changed ? live.operation->inverse(live.args, *live.plan) : std::nullopt)
        body.insert(QStringLiteral("inverse"), inverseJson(*undo, live.plan->undoText));
    return body;
}

QCoro::Task<CallResult> Executor::performChange(LivePtr live)
{
    Q_EMIT changed(live->info);
    auto outcome = co_await live->operation->perform(live->args, context(live));
    if (m_closing && !outcome && outcome.error().kind == Error::Kind::Cancelled)
        co_return finish(live, CallState::Unknown, std::move(outcome)); // Recovery settles it at the next start
    auto body = outcomeJson(*live, outcome);
    body.insert(QStringLiteral("durationMs"), m.clock.monotonicMs() - live->startedMonotonic);
    if (body.contains(QStringLiteral("headline")))
        live->info.headline = body[QStringLiteral("headline")].toString();
    auto written = co_await append(*live, AuditEvent::Kind::Outcome, std::move(body)).until(live->stop.get_token());
    const auto state = stateOf(outcome);
    auto ended =
        co_await endUndo(*live, state == CallState::Done || state == CallState::Warnings).until(live->stop.get_token());
    written = written ? std::move(ended) : std::move(written);
    if (!written && outcome && !m_closing)
        outcome->warnings << tr("The end of this call could not be recorded: %1").arg(written.error().message);
    co_return finish(live, state, std::move(outcome));
}

CallResult Executor::refuse(const LivePtr &live, const Error &error)
{
    const auto state = error.kind == Error::Kind::Cancelled ? CallState::Cancelled
                       : error.kind == Error::Kind::Denied  ? CallState::Denied
                                                            : CallState::Refused;
    const auto released = endUndo(*live, false);
    Q_UNUSED(released) // a lost row leaves the claim, which is the safe side
    if (live->isRecorded() || live->hasHeader) {
        const auto recorded = append(*live, AuditEvent::Kind::Refused,
                                     {{QStringLiteral("state"), callStateName(state)},
                                      {QStringLiteral("error"), error.message},
                                      {QStringLiteral("errorKind"), error.code()}});
        Q_UNUSED(recorded) // nothing was done, so nobody has to wait for the row
    }
    return finish(live, state, error);
}

CallResult Executor::finish(const LivePtr &live, CallState state, Result<Outcome> outcome)
{
    live->info.state = state;
    live->info.endedMs = m.clock.wallMs();
    if (!outcome)
        live->info.error = outcome.error().message;
    std::erase(m_live, live);
    const bool mayHaveChanged = live->isSent && !m_closing;
    Q_EMIT changed(live->info);
    if (mayHaveChanged)
        Q_EMIT clusterChanged(live->info.target.remote);
    return {live->info.callId, state, std::move(outcome), live->plan};
}
