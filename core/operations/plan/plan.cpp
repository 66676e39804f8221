#include "base/StrictJson.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include <QJsonArray>
#include <algorithm>

namespace
{
/// Several changes that are shown together, allowed together and run in order.
struct PlanRun {
    std::vector<StepCall> steps;
};

Call callOf(const StepCall &step)
{
    Call call;
    call.operation = step.operation;
    call.arguments = StrictJson::write(step.arguments);
    return call;
}

QString numbered(size_t index, const QString &text)
{
    return words(QT_TRANSLATE_NOOP("operation", "Step %1: %2")).arg(index + 1).arg(text);
}

Error at(size_t index, const Error &error)
{
    return {error.kind, numbered(index, error.message), error.detail};
}

/// What stands for all steps in the plan of the whole.
void add(Plan &plan, const PlanStep &step)
{
    const auto number = QString::number(plan.steps.size() + 1);
    plan.raised = std::max(plan.raised.value_or(Effect::Reads), step.effect);
    plan.undo = std::max(plan.undo, step.undo);
    plan.isForPeople = plan.isForPeople || step.isForPeople;
    for (const auto &loss : step.losses)
        plan.losses << numbered(plan.steps.size(), loss);
    for (const auto &request : step.requests)
        plan.requests.push_back(request);
    plan.before.insert(number, step.before);
    plan.steps.push_back(step);
}

QString undoWords(const Plan &plan)
{
    switch (plan.undo) {
    case Undo::Exact: return words(QT_TRANSLATE_NOOP("operation", "Takes all steps back, the last one first."));
    case Undo::Partly:
        return words(QT_TRANSLATE_NOOP("operation", "Takes back what can be taken back, the last step first."));
    case Undo::None: break;
    }
    const auto exact = std::count_if(plan.steps.begin(), plan.steps.end(),
                                     [](const PlanStep &step) { return step.undo != Undo::None; });
    return exact == 0 ? QString()
                      : words(QT_TRANSLATE_NOOP("operation", "Only %1 of %2 steps can be taken back."))
                            .arg(exact)
                            .arg(plan.steps.size());
}

QCoro::Task<Result<Plan>> planSteps(PlanRun args, OperationContext context)
{
    Plan plan;
    plan.undo = Undo::Exact;
    for (size_t index = 0; index < args.steps.size(); ++index) {
        const auto &step = args.steps[index];
        if (step.operation == QLatin1String("plan.run"))
            co_return Error{Error::Kind::Invalid,
                            numbered(index, words(QT_TRANSLATE_NOOP("operation", "A plan cannot hold another plan.")))};
        auto call = callOf(step);
        auto previewed = co_await context.previewStep(std::move(call));
        if (!previewed)
            co_return at(index, previewed.error());
        if (previewed->later && index == 0)
            co_return at(index, *previewed->later);
        add(plan, *previewed);
    }
    QStringList headlines;
    for (const auto &step : plan.steps)
        headlines << step.headline;
    const auto all = headlines.join(QStringLiteral("; "));
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Run a plan: %1")).arg(all);
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Ran a plan: %1")).arg(all);
    plan.undoText = undoWords(plan);
    co_return plan;
}

/// The undo of each step that was done, the last one first.
Call inverseOf(const QStringList &entries)
{
    QJsonArray steps;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
        steps.append(QJsonObject{{QStringLiteral("operation"), QStringLiteral("undo.apply")},
                                 {QStringLiteral("arguments"), QJsonObject{{QStringLiteral("entry"), *entry}}}});
    Call call;
    call.operation = QStringLiteral("plan.run");
    call.arguments = StrictJson::write(QJsonObject{{QStringLiteral("steps"), steps}});
    return call;
}

Error stopped(const Error &error, size_t index, size_t done)
{
    auto told = at(index, error);
    if (done > 0)
        told.message +=
            u' ' + words(QT_TRANSLATE_NOOP("operation", "%1 were done before it; none after it was run.")).arg(done);
    return told;
}

QCoro::Task<Result<Outcome>> runSteps(PlanRun, OperationContext context)
{
    Outcome outcome;
    QStringList done, undoable;
    const auto plan = context.plan;
    for (size_t index = 0; index < plan->steps.size(); ++index) {
        if (!plan->steps[index].isChosen)
            continue;
        context.report({double(index) / double(plan->steps.size()), plan->steps[index].headline});
        auto ended = co_await context.runStep(plan->steps[index]);
        if (!ended)
            co_return stopped(ended.error(), index, size_t(done.size()));
        done << ended->entry;
        for (const auto &warning : ended->warnings)
            outcome.warnings << numbered(index, warning);
        if (ended->canUndo)
            undoable << ended->entry;
        if (!undoable.isEmpty())
            context.onInverse(inverseOf(undoable), plan->undoText);
    }
    outcome.answer = QJsonObject{{QStringLiteral("entries"), QJsonArray::fromStringList(done)}};
    co_return outcome;
}

OperationPtr declarePlanRun()
{
    return operation<PlanRun>({
        .id = "plan.run",
        .title = {QT_TRANSLATE_NOOP("operation", "Run a plan")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Runs several changes in order, allowed together, and stops at the first that fails. What was "
                         "done can be undone as one. It is judged by the steps in it.")},
        .effect = Effect::Changes,
        .undo = Undo::Partly,
        .params = {required(&PlanRun::steps, "steps",
                            {QT_TRANSLATE_NOOP("operation", "The steps in order: the operation's id, like "
                                                            "snapshot.create, and its arguments")})},
        .plan = planSteps,
        .perform = runSteps,
    });
}
} // namespace

Operations plans()
{
    return list(declarePlanRun());
}
