#include "execution/Live.h"
#include <QCoreApplication>

static Error onlyReads(const Operation &operation)
{
    return {Error::Kind::Invalid,
            QCoreApplication::translate("Executor", "%1 only reads; a plan holds changes.").arg(operation.id)};
}

static PlanStep stepOf(const ExecutionInfo &info, Call call)
{
    PlanStep step;
    step.call = std::move(call);
    step.headline = info.headline;
    step.target = info.target.label;
    step.targetKey = info.target.key;
    step.effect = info.effect;
    return step;
}

static void fill(PlanStep &step, const Plan &plan)
{
    step.undo = plan.undo;
    step.undoText = plan.undoText;
    step.changes = plan.changes;
    step.losses = plan.losses;
    step.requests = plan.requests;
    step.before = plan.before;
}

/// A refusal that the steps before may mend: what it needs is not there yet, or is not in the right state.
static bool mayWait(const Error &error)
{
    return error.kind == Error::Kind::NotFound || error.kind == Error::Kind::Conflict;
}

QCoro::Task<Result<PlanStep>> Executor::previewStep(LivePtr parent, Call step)
{
    auto live = std::make_shared<Live>();
    live->call = step;
    live->call.actor = parent->call.actor;
    live->info.actor = parent->call.actor;
    live->info.headline = step.operation;
    live->stop = parent->stop;
    if (auto parsed = parse(*live); !parsed)
        co_return parsed.error();
    if (live->operation->isRead())
        co_return onlyReads(*live->operation);
    auto opened = co_await openUndo(live);
    if (!opened)
        co_return opened.error();
    auto again = co_await openRetry(live);
    if (!again)
        co_return again.error();
    auto possible = resolve(*live);
    if (possible) {
        auto decided = decide(*live, live->operation->effect);
        if (!decided)
            co_return decided.error();
        auto planned = co_await makePlan(live);
        possible = std::move(planned);
    }
    auto preview = stepOf(live->info, std::move(step));
    if (!possible && !mayWait(possible.error()))
        co_return possible.error();
    if (!possible) {
        preview.later = possible.error();
        preview.undo = live->operation->undo;
        co_return preview;
    }
    fill(preview, *live->plan);
    preview.isForPeople = live->plan->isForPeople || live->operation->isForPeople;
    preview.shape = shapeOf(*live);
    co_return preview;
}

QCoro::Task<Result<StepDone>> Executor::runStep(LivePtr parent, PlanStep step)
{
    auto call = step.call;
    call.actor = parent->call.actor;
    call.partOf = parent->info.callId;
    auto live = admit(std::move(call));
    live->stop = parent->stop;
    if (parent->isAllowed)
        live->allowed = step.shape;
    auto result = co_await pipeline(live);
    if (!result.outcome)
        co_return result.outcome.error();
    StepDone done;
    done.entry = result.callId;
    done.warnings = result.outcome->warnings;
    done.canUndo = live->inverse || (result.outcome->changed && live->operation->inverse(live->args, *live->plan));
    co_return done;
}
