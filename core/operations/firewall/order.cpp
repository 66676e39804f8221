#include "operations/Families.h"
#include "operations/Firewalls.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include <algorithm>

namespace
{
/// Moves a rule to another place in the order.
struct RuleMove {
    PlaceRef place;
    qint64 position = 0, to = 0;
};

QCoro::Task<Result<Plan>> planMove(RuleMove args, OperationContext context)
{
    auto now = co_await readRules(context, args.place);
    if (!now)
        co_return now.error();
    for (const auto position : {args.position, args.to})
        if (!isThere(position, *now))
            co_return noRule(position, *now);
    const auto &rule = now->rules[size_t(args.position)];
    Plan plan;
    if (args.position == args.to) {
        plan.intent =
            words(QT_TRANSLATE_NOOP("operation", "There is nothing to change: the rule stands there already."));
        co_return plan;
    }
    plan.intent =
        words(QT_TRANSLATE_NOOP("operation", "Move rule %1 of the firewall of %2 to place %3: %4"))
            .arg(QString::number(args.position), args.place.label(), QString::number(args.to), ruleText(rule));
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Moved rule %1 to place %2")).arg(args.position).arg(args.to);
    noteRules(plan, *now, 0);
    plan.changes.push_back({QStringLiteral("place of ") + ruleText(rule), args.position, args.to});
    judgeRules(plan, args.place, rule, rule);
    plan.requests.push_back(moveRequest(args.place, args.position, args.to));
    plan.requests.back().add("digest", now->digest);
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Moves the rule back."));
    co_return plan;
}

std::optional<Call> moveBack(const RuleMove &args, const Plan &)
{
    return Call{QStringLiteral("firewall.rule.move"), arguments({{QStringLiteral("place"), args.place.text()},
                                                                 {QStringLiteral("position"), args.to},
                                                                 {QStringLiteral("to"), args.position}})};
}

/// Deletes rules.
struct RuleDelete {
    PlaceRef place;
    QList<qint64> positions;
};

QCoro::Task<Result<Plan>> planDelete(RuleDelete args, OperationContext context)
{
    auto now = co_await readRules(context, args.place);
    if (!now)
        co_return now.error();
    auto positions = args.positions;
    std::sort(positions.begin(), positions.end(),
              std::greater<>()); // from the last, so that none shifts before its turn
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    Plan plan;
    QStringList texts;
    for (const auto position : positions) {
        if (!isThere(position, *now))
            co_return noRule(position, *now);
        const auto &rule = now->rules[size_t(position)];
        texts.prepend(ruleText(rule));
        plan.changes.push_back({ruleKey(position), plainRule(rule)});
        judgeRules(plan, args.place, rule, {});
        plan.requests.push_back(
            firewallRequest(Method::Delete, args.place, {QStringLiteral("rules"), QString::number(position)}));
    }
    if (positions.isEmpty())
        co_return Error{Error::Kind::Invalid, words(QT_TRANSLATE_NOOP("operation", "Name at least one rule."))};
    plan.requests.front().add("digest", now->digest);
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Delete from the firewall of %1: %2"))
                      .arg(args.place.label(), texts.join(QStringLiteral("; ")));
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Deleted rule: %1")).arg(texts.join(QStringLiteral("; ")));
    noteRules(plan, *now, -int(positions.size()));
    plan.undo = positions.size() == 1 ? Undo::Exact : Undo::None;
    plan.undoText = positions.size() == 1
                        ? words(QT_TRANSLATE_NOOP("operation", "Adds the rule again at the same place."))
                        : words(QT_TRANSLATE_NOOP("operation", "Delete one at a time to be able to take it back."));
    co_return plan;
}

std::optional<Call> deleteBack(const RuleDelete &args, const Plan &plan)
{
    if (plan.undo != Undo::Exact)
        return std::nullopt;
    auto back = plan.changes.front().before.toObject();
    back.insert(QStringLiteral("place"), args.place.text());
    back.insert(QStringLiteral("position"), args.positions.front());
    return Call{QStringLiteral("firewall.rule.add"), arguments(back)};
}

QCoro::Task<Result<Outcome>> performDelete(RuleDelete args, OperationContext context)
{
    auto outcome = co_await sendRuleSteps(args.place, std::move(context));
    co_return outcome;
}

OperationPtr declareMove()
{
    return operation<RuleMove>({
        .id = "firewall.rule.move",
        .title = {QT_TRANSLATE_NOOP("operation", "Move firewall rule")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Moves a rule to another place in the order; the first that fits decides.")},
        .effect = Effect::Changes,
        .undo = Undo::Exact,
        .target = &RuleMove::place,
        .params = {required(&RuleMove::place, "place", placeHelp),
                   required(&RuleMove::position, "position",
                            {QT_TRANSLATE_NOOP("operation", "Which rule; 0 is the first")}, {range(0, 10000)}),
                   required(&RuleMove::to, "to", {QT_TRANSLATE_NOOP("operation", "Where it is to stand")},
                            {range(0, 10000)})},
        .plan = planMove,
        .inverse = moveBack,
    });
}

OperationPtr declareDelete()
{
    return operation<RuleDelete>({
        .id = "firewall.rule.delete",
        .title = {QT_TRANSLATE_NOOP("operation", "Delete firewall rules")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Deletes rules by their place, from the last to the first. One alone can "
                                      "be taken back.")},
        .effect = Effect::Disrupts,
        .undo = Undo::Exact,
        .target = &RuleDelete::place,
        .params = {required(&RuleDelete::place, "place", placeHelp),
                   required(&RuleDelete::positions, "positions",
                            {QT_TRANSLATE_NOOP("operation", "Which rules; 0 is the first")}, {range(0, 10000)})},
        .plan = planDelete,
        .perform = performDelete,
        .inverse = deleteBack,
    });
}
} // namespace

Operations firewallOrder()
{
    return list(declareMove(), declareDelete());
}
