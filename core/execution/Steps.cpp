#include "audit/AuditLog.h"
#include "base/StrictJson.h"
#include "execution/Live.h"
#include "inventory/Inventory.h"
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QJsonArray>

static QString tr(const char *text)
{
    return QCoreApplication::translate("Executor", text);
}

Result<> Executor::checkLimit(const Live &live) const
{
    if (!live.call.actor.isProgram())
        return {};
    if (m_paused)
        return Error{Error::Kind::Limited, tr("Agents are paused. A person can resume them in Labhelm.")};
    const auto *operation = m.catalogue.find(live.call.operation);
    return m.limits.admit(live.call.actor, live.call.operation, live.call.arguments, operation && operation->waitsOnly);
}

Result<> Executor::parse(Live &live) const
{
    live.operation = m.catalogue.find(live.call.operation);
    if (!live.operation)
        return Error{Error::Kind::NotFound, tr("Labhelm has no operation \"%1\".").arg(live.call.operation.left(80))};
    live.info.headline = live.operation->title.translated();
    live.info.effect = live.operation->effect;
    auto args = live.operation->parse(live.call.arguments);
    if (!args)
        return args.error();
    live.args = *std::move(args);
    return {};
}

QCoro::Task<Result<>> Executor::openUndo(LivePtr live)
{
    const auto entry = live->operation->undoneEntry(live->args);
    if (entry.isEmpty())
        co_return Result<>();
    auto basis = co_await m.services.undo.basis(entry, live->call.actor, live->stop.get_token());
    if (!basis)
        co_return basis.error();
    live->call.operation = basis->inverse.operation;
    live->call.arguments = basis->inverse.arguments;
    live->call.undoes = entry;
    live->undone = basis->changes;
    live->info.operation = live->call.operation;
    co_return parse(*live);
}

/// Puts a failed call in the place of operation.retry. What runs now cannot be started a second time.
QCoro::Task<Result<>> Executor::openRetry(LivePtr live)
{
    const auto entry = live->operation->retriedEntry(live->args);
    if (entry.isEmpty())
        co_return Result<>();
    for (const auto &other : m_live)
        if (other != live && (other->call.retries == entry || other->info.callId == entry))
            co_return Error{Error::Kind::Conflict, tr("This runs already. Wait for its end.")};
    live->call.retries = entry;
    auto failed = co_await m.services.undo.failedCall(entry, live->call.actor, live->stop.get_token());
    if (!failed)
        co_return failed.error();
    live->call.operation = failed->operation;
    live->call.arguments = failed->arguments;
    live->info.operation = live->call.operation;
    if (auto parsed = parse(*live); !parsed)
        co_return parsed.error();
    if (!live->operation->undoneEntry(live->args).isEmpty() || !live->operation->retriedEntry(live->args).isEmpty())
        co_return Error{Error::Kind::Conflict,
                        tr("That entry was itself an undo or a retry. Choose the one it was about.")};
    co_return Result<>();
}

Result<> Executor::resolve(Live &live) const
{
    auto resolved = live.operation->resolve(live.args, m.services.inventory);
    if (!resolved)
        return resolved.error();
    live.args = *std::move(resolved);
    live.info.target = live.operation->target(live.args);
    return {};
}

/// What is known of the place where it would act.
PolicyTarget Executor::placeOf(const Target &target) const
{
    PolicyTarget place{.remote = target.remote, .node = target.node.text()};
    if (!target.guest)
        return place;
    place.guest = target.guest->key();
    place.node = target.guest->node.text();
    const auto state = m.services.inventory.snapshot(target.remote);
    if (const auto *guest = state ? state->guest(target.guest->vmid) : nullptr) {
        place.pool = guest->pool;
        place.tags = guest->tags;
    }
    return place;
}

Result<> Executor::decide(Live &live, Effect effect) const
{
    live.info.effect = std::max(live.info.effect, effect);
    const auto &operation = *live.operation;
    PolicyQuestion question{.actor = live.call.actor,
                            .effect = live.call.previewOnly ? Effect::Reads : live.info.effect,
                            .operation = operation.id,
                            .isSensitive = operation.isSensitive,
                            .target = placeOf(live.info.target),
                            .arguments = operation.json(live.args),
                            .nowMs = m.clock.wallMs()};
    question.isRaised = question.effect > operation.effect;
    question.isForPeople = operation.isForPeople || (live.plan && live.plan->isForPeople);
    live.decision = m.policy.decide(question);
    if (live.decision.verdict == Verdict::Deny)
        return Error{Error::Kind::Denied, live.decision.why};
    return {};
}

/// Everything a person allows: what, where, from which state, by which requests.
static QByteArray hashOf(const Operation &operation, const Arguments &args, const Plan &plan)
{
    const auto shape = plan.json();
    QJsonArray requests;
    for (const auto &request : plan.requests)
        requests.append(
            QString(methodName(request.method) + u' ' + QString::fromLatin1(request.path() + ' ' + request.form())));
    const QJsonObject bound{{QStringLiteral("operation"), operation.id},
                            {QStringLiteral("arguments"), operation.json(args)},
                            {QStringLiteral("before"), plan.before},
                            {QStringLiteral("changes"), shape[QStringLiteral("changes")]},
                            {QStringLiteral("steps"), shape[QStringLiteral("steps")]},
                            {QStringLiteral("requests"), requests}};
    return QCryptographicHash::hash(StrictJson::write(bound), QCryptographicHash::Sha256);
}

QByteArray Executor::shapeOf(const Live &live)
{
    const auto digest = QStringLiteral("digest");
    auto plan = *live.plan;
    plan.before.remove(digest);
    for (auto &request : plan.requests)
        request.parameters.removeIf([&digest](const auto &each) { return each.first == digest; });
    return hashOf(*live.operation, live.args, plan);
}

/// Where the live state is no longer what the row had left behind; empty = nowhere.
static QString differenceSince(const std::vector<PlanChange> &undone, const Plan &plan)
{
    const auto shown = [](const QJsonValue &value) {
        return value.isUndefined() ? tr("not set") : QString::fromUtf8(StrictJson::write(value));
    };
    for (const auto &change : undone)
        for (const auto &now : plan.changes)
            if (now.key == change.key && now.before != change.after)
                return tr("%1 was left at %2 and is now %3").arg(change.key, shown(change.after), shown(now.before));
    return {};
}

/// "jellyfin 104, web 101"
static QString targetsOf(const std::vector<PlanStep> &steps)
{
    QStringList targets;
    for (const auto &step : steps)
        if (!step.target.isEmpty() && !targets.contains(step.target))
            targets << step.target;
    return targets.join(QStringLiteral(", "));
}

QCoro::Task<Result<>> Executor::makePlan(LivePtr live)
{
    auto plan = co_await live->operation->plan(live->args, context(live));
    if (!plan)
        co_return plan.error();
    if (const auto difference = differenceSince(live->undone, *plan); !difference.isEmpty())
        co_return Error{Error::Kind::Conflict, tr("This cannot be undone any more: %1.").arg(difference)};
    if (plan->requests.empty() && !live->call.previewOnly)
        co_return Error{Error::Kind::Conflict, plan->intent};
    plan->hash = hashOf(*live->operation, live->args, *plan);
    live->info.headline = live->call.undoes.isEmpty() ? plan->intent : tr("Undo: %1").arg(plan->intent);
    const auto effect = std::max(live->operation->effect, plan->raised.value_or(Effect::Reads));
    if (!plan->steps.empty())
        live->info.target.label = targetsOf(plan->steps);
    live->plan = std::make_shared<const Plan>(*std::move(plan));
    co_return decide(*live, effect);
}

QCoro::Task<Result<>> Executor::approve(LivePtr live)
{
    if (!live->allowed.isEmpty() && live->plan && shapeOf(*live) == live->allowed) {
        live->isAllowed = true;
        QJsonObject step{{QStringLiteral("allowed"), true},
                         {QStringLiteral("answer"), tr("Allowed as a step of a plan.")}};
        auto noted = co_await append(*live, AuditEvent::Kind::Answered, std::move(step)).until(live->stop.get_token());
        if (!noted)
            co_return noted.error();
        co_return Result<>();
    }
    if (wasDenied(*live))
        co_return Error{Error::Kind::Denied, tr("A person denied this less than ten minutes ago.")};
    QJsonObject asked{{QStringLiteral("state"), callStateName(CallState::Waiting)}};
    if (live->plan)
        asked.insert(QStringLiteral("plan"), live->plan->json());
    auto written = co_await append(*live, AuditEvent::Kind::Asked, std::move(asked)).until(live->stop.get_token());
    if (!written)
        co_return written.error();
    live->info.state = CallState::Waiting;
    Q_EMIT changed(live->info);
    auto answered = co_await askPerson(live);
    live->info.state = CallState::Running;
    if (!answered)
        co_return answered.error();
    Q_EMIT changed(live->info);
    auto same = co_await recheck(std::move(live));
    co_return same;
}

QCoro::Task<Result<>> Executor::askPerson(LivePtr live)
{
    Promise<Approval> promise;
    auto answer = promise.future();
    m.approver.ask({live->info.callId, live->call.actor, live->operation, live->operation->json(live->args),
                    live->info.target, live->info.effect, live->plan, live->call.reason, live->call.undoes,
                    m.clock.wallMs()},
                   std::move(promise));
    auto approval = co_await std::move(answer).until(live->stop.get_token());
    m.approver.withdraw(live->info.callId);
    if (!approval && live->stop.stop_requested())
        co_return Error{Error::Kind::Cancelled, m_closing ? tr("Labhelm was closed before anybody answered.")
                                                          : tr("The caller gave up before anybody answered.")};
    const bool fits = approval && (!live->plan || approval->planHash == live->plan->hash);
    const bool allowed = fits && approval->allowed;
    const auto words = approval ? approval->reason : QString();
    QJsonObject body{{QStringLiteral("allowed"), allowed}};
    if (!words.isEmpty())
        body.insert(QStringLiteral("answer"), words);
    if (allowed && !approval->leftOut.isEmpty())
        body.insert(QStringLiteral("leftOut"), int(approval->leftOut.size()));
    auto noted = co_await append(*live, AuditEvent::Kind::Answered, std::move(body)).until(live->stop.get_token());
    if (!noted)
        co_return noted.error();
    if (allowed) {
        live->isAllowed = true;
        live->leftOut = approval->leftOut;
        co_return Result<>();
    }
    if (approval)
        rememberDenial(*live);
    if (live->call.actor.kind == Actor::Kind::Person)
        co_return Error{Error::Kind::Denied, tr("You decided against it.")};
    co_return Error{Error::Kind::Denied,
                    words.isEmpty() ? tr("A person denied this.") : tr("A person denied this: %1").arg(words)};
}

QCoro::Task<Result<>> Executor::recheck(LivePtr live)
{
    if (!live->plan)
        co_return Result<>();
    auto again = co_await live->operation->plan(live->args, context(live));
    if (!again)
        co_return again.error();
    if (hashOf(*live->operation, live->args, *again) != live->plan->hash)
        co_return Error{Error::Kind::Conflict,
                        tr("%1 changed after this was allowed, so nothing was done. Ask again to see the new state.")
                            .arg(live->info.target.label)};
    again->hash = live->plan->hash;
    for (const int index : live->leftOut)
        if (index >= 0 && size_t(index) < again->steps.size())
            again->steps[size_t(index)].isChosen = false;
    live->plan = std::make_shared<const Plan>(*std::move(again));
    co_return Result<>();
}

static std::string denialKey(const Actor &actor, const Operation &operation, const Arguments &args)
{
    const auto text = actor.id.toUtf8() + '\n' + operation.id.toUtf8() + '\n' + StrictJson::write(operation.json(args));
    return QCryptographicHash::hash(text, QCryptographicHash::Sha256).toStdString();
}

void Executor::rememberDenial(const Live &live)
{
    constexpr qint64 tenMinutes = 10 * 60 * 1000;
    const auto now = m.clock.monotonicMs();
    std::erase_if(m_denials, [now](const auto &denial) { return denial.second <= now; });
    if (live.call.actor.isProgram())
        m_denials[denialKey(live.call.actor, *live.operation, live.args)] = now + tenMinutes;
}

bool Executor::wasDenied(const Live &live) const
{
    const auto found = m_denials.find(denialKey(live.call.actor, *live.operation, live.args));
    return found != m_denials.end() && m.clock.monotonicMs() < found->second;
}
