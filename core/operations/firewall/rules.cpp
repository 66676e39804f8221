#include "operations/Families.h"
#include "operations/Firewalls.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
/// A rule that comes, or what is to be different about one.
struct RuleArgs {
    PlaceRef place;
    qint64 position = 0;
    QString type, action;
    std::optional<bool> enable;
    std::optional<QString> macro, proto, source, dest, sport, dport, iface, icmpType, log, comment;
    QStringList unset;
};

/// What was given, by PVE's names.
QJsonObject given(const RuleArgs &args)
{
    QJsonObject rule;
    const std::pair<const char *, std::optional<QString>> texts[] = {
        {"macro", args.macro}, {"proto", args.proto},    {"source", args.source}, {"dest", args.dest},
        {"sport", args.sport}, {"dport", args.dport},    {"iface", args.iface},   {"icmp-type", args.icmpType},
        {"log", args.log},     {"comment", args.comment}};
    for (const auto &[key, text] : texts)
        if (text)
            rule.insert(QLatin1String(key), *text);
    if (!args.type.isEmpty())
        rule.insert(QStringLiteral("type"), args.type);
    if (!args.action.isEmpty())
        rule.insert(QStringLiteral("action"), args.action);
    if (args.enable)
        rule.insert(QStringLiteral("enable"), *args.enable ? 1 : 0);
    return rule;
}

void addFields(ApiRequest &request, const QJsonObject &rule)
{
    for (auto each = rule.begin(); each != rule.end(); ++each)
        request.add(each.key(), each->toVariant().toString());
}

QCoro::Task<Result<Plan>> planAdd(RuleArgs args, OperationContext context)
{
    auto now = co_await readRules(context, args.place);
    if (!now)
        co_return now.error();
    if (args.position > qint64(now->rules.size()))
        co_return Error{Error::Kind::Invalid,
                        words(QT_TRANSLATE_NOOP("operation", "There are %1 rules; a new one can stand at 0 to %1."))
                            .arg(now->rules.size())};
    auto rule = given(args);
    if (!args.enable)
        rule.insert(QStringLiteral("enable"), 1);
    const auto text = ruleText(rule);
    Plan plan;
    plan.intent =
        words(QT_TRANSLATE_NOOP("operation", "Add rule to the firewall of %1: %2")).arg(args.place.label(), text);
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Added rule: %1")).arg(text);
    plan.changes.push_back({ruleKey(args.position), QJsonValue::Undefined, plainRule(rule)});
    noteRules(plan, *now, 1);
    judgeRules(plan, args.place, {}, rule);
    auto request = firewallRequest(Method::Post, args.place, {QStringLiteral("rules")});
    addFields(request, rule);
    if (!now->digest.isEmpty())
        request.add("digest", now->digest);
    plan.requests.push_back(std::move(request));
    if (args.position > 0) // PVE puts a new rule before all others, whatever position is asked for
        plan.requests.push_back(moveRequest(args.place, 0, args.position));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Deletes the rule again."));
    co_return plan;
}

std::optional<Call> addBack(const RuleArgs &args, const Plan &)
{
    return Call{QStringLiteral("firewall.rule.delete"),
                arguments({{QStringLiteral("place"), args.place.text()},
                           {QStringLiteral("positions"), QJsonArray{args.position}}})};
}

QCoro::Task<Result<Outcome>> performAdd(RuleArgs args, OperationContext context)
{
    auto outcome = co_await sendRuleSteps(args.place, std::move(context));
    co_return outcome;
}

/// The rule as it will be.
QJsonObject changedRule(QJsonObject rule, const QJsonObject &wanted, const QStringList &unset)
{
    for (auto each = wanted.begin(); each != wanted.end(); ++each)
        rule.insert(each.key(), *each);
    for (const auto &key : unset)
        rule.remove(QString(key).replace(u'_', u'-'));
    return rule;
}

/// What differs, as changes of the plan and as the request.
ApiRequest differences(const RuleArgs &args, const QJsonObject &old, const QJsonObject &fresh, Plan &plan)
{
    auto request = firewallRequest(Method::Put, args.place, {QStringLiteral("rules"), QString::number(args.position)});
    QStringList removed;
    for (auto each = fresh.begin(); each != fresh.end(); ++each)
        if (old[each.key()] != *each) {
            plan.changes.push_back({each.key(), old[each.key()], *each});
            request.add(QString(each.key()).replace(u'_', u'-'),
                        each->isBool() ? QString::number(each->toBool()) : each->toString());
        }
    for (auto each = old.begin(); each != old.end(); ++each)
        if (!fresh.contains(each.key())) {
            plan.changes.push_back({each.key(), *each});
            removed << QString(each.key()).replace(u'_', u'-');
        }
    if (!removed.isEmpty())
        request.add("delete", removed.join(u','));
    return request;
}

QCoro::Task<Result<Plan>> planSet(RuleArgs args, OperationContext context)
{
    const auto wanted = given(args);
    if (wanted.isEmpty() && args.unset.isEmpty())
        co_return Error{Error::Kind::Invalid,
                        words(QT_TRANSLATE_NOOP("operation", "Name at least one value to change."))};
    auto now = co_await readRules(context, args.place);
    if (!now)
        co_return now.error();
    if (!isThere(args.position, *now))
        co_return noRule(args.position, *now);
    const auto &before = now->rules[size_t(args.position)];
    const auto after = changedRule(before, wanted, args.unset);
    Plan plan;
    auto request = differences(args, plainRule(before), plainRule(after), plan);
    if (plan.changes.empty()) {
        plan.intent = words(QT_TRANSLATE_NOOP("operation", "There is nothing to change: rule %1 is so already."))
                          .arg(args.position);
        co_return plan;
    }
    request.add("digest", now->digest);
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Change rule %1 of the firewall of %2 to: %3"))
                      .arg(QString::number(args.position), args.place.label(), ruleText(after));
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Changed rule %1 to: %2"))
                    .arg(QString::number(args.position), ruleText(after));
    noteRules(plan, *now, 0);
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Before")), ruleText(before)});
    judgeRules(plan, args.place, before, after);
    plan.requests.push_back(std::move(request));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Sets the rule back."));
    co_return plan;
}

std::optional<Call> setBack(const RuleArgs &args, const Plan &plan)
{
    QJsonObject back{{QStringLiteral("place"), args.place.text()}, {QStringLiteral("position"), args.position}};
    QJsonArray unset;
    for (const auto &change : plan.changes)
        if (change.before.isUndefined())
            unset.append(change.key);
        else
            back.insert(change.key, change.before);
    if (!unset.isEmpty())
        back.insert(QStringLiteral("unset"), unset);
    return Call{QStringLiteral("firewall.rule.set"), arguments(back)};
}

std::vector<Field<RuleArgs>> ruleFields()
{
    const auto text = [](std::optional<QString> RuleArgs::*member, const char *name, const char *help,
                         qint64 most = 512) { return optional(member, name, {help}, {longest(most)}); };
    return {optional(&RuleArgs::enable, "enable", {QT_TRANSLATE_NOOP("operation", "Whether the rule counts")}),
            text(&RuleArgs::macro, "macro", QT_TRANSLATE_NOOP("operation", "Service by name, like SSH or HTTPS"), 128),
            text(&RuleArgs::proto, "proto", QT_TRANSLATE_NOOP("operation", "Protocol, like tcp"), 64),
            text(&RuleArgs::dport, "dport", QT_TRANSLATE_NOOP("operation", "Port or ports: 22, 80:85, 80,443")),
            text(&RuleArgs::source, "source", QT_TRANSLATE_NOOP("operation", "From: address, range, +set or alias")),
            text(&RuleArgs::dest, "dest", QT_TRANSLATE_NOOP("operation", "To: address, range, +set or alias")),
            text(&RuleArgs::sport, "sport", QT_TRANSLATE_NOOP("operation", "Port that it comes from")),
            text(&RuleArgs::iface, "iface",
                 QT_TRANSLATE_NOOP("operation", "Interface: net0 of a guest, vmbr0 of a node"), 20),
            text(&RuleArgs::icmpType, "icmp_type", QT_TRANSLATE_NOOP("operation", "Kind of ICMP message"), 64),
            optional(&RuleArgs::log, "log", {QT_TRANSLATE_NOOP("operation", "How loud matches are logged")},
                     {oneOf({"nolog", "emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"})}),
            text(&RuleArgs::comment, "comment", QT_TRANSLATE_NOOP("operation", "A note for people"))};
}

Limit ruleType()
{
    return oneOf({"in", "out", "forward", "group"});
}

OperationPtr declareAdd()
{
    std::vector<Field<RuleArgs>> params{
        required(&RuleArgs::place, "place", placeHelp),
        required(&RuleArgs::type, "type", {QT_TRANSLATE_NOOP("operation", "Direction, or group for a security group")},
                 {ruleType()}),
        required(&RuleArgs::action, "action",
                 {QT_TRANSLATE_NOOP("operation", "ACCEPT, DROP, REJECT, or the name of a security group")},
                 {matching("[A-Za-z][A-Za-z0-9_-]+"), longest(20)}),
        optional(&RuleArgs::position, "position", {QT_TRANSLATE_NOOP("operation", "Where it is to stand; 0 is first")},
                 {range(0, 10000)})};
    for (auto &field : ruleFields())
        params.push_back(std::move(field));
    return operation<RuleArgs>({
        .id = "firewall.rule.add",
        .title = {QT_TRANSLATE_NOOP("operation", "Add firewall rule")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Adds a rule to the firewall of the datacenter, a node or a guest. A rule "
                                      "that lets somebody in is judged as what widens access.")},
        .effect = Effect::Changes,
        .undo = Undo::Exact,
        .target = &RuleArgs::place,
        .params = std::move(params),
        .plan = planAdd,
        .perform = performAdd,
        .inverse = addBack,
    });
}

OperationPtr declareSet()
{
    std::vector<Field<RuleArgs>> params{
        required(&RuleArgs::place, "place", placeHelp),
        required(&RuleArgs::position, "position", {QT_TRANSLATE_NOOP("operation", "Which rule; 0 is the first")},
                 {range(0, 10000)}),
        optional(&RuleArgs::type, "type", {QT_TRANSLATE_NOOP("operation", "Direction, or group for a security group")},
                 {ruleType()}),
        optional(&RuleArgs::action, "action",
                 {QT_TRANSLATE_NOOP("operation", "ACCEPT, DROP, REJECT, or the name of a security group")},
                 {matching("[A-Za-z][A-Za-z0-9_-]+"), longest(20)})};
    for (auto &field : ruleFields())
        params.push_back(std::move(field));
    params.push_back(optional(
        &RuleArgs::unset, "unset", {QT_TRANSLATE_NOOP("operation", "Values to remove")},
        {oneOf({"macro", "proto", "source", "dest", "sport", "dport", "iface", "icmp_type", "log", "comment"})}));
    return operation<RuleArgs>({
        .id = "firewall.rule.set",
        .title = {QT_TRANSLATE_NOOP("operation", "Change firewall rule")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Changes the named values of one rule; the rest of it stays.")},
        .effect = Effect::Changes,
        .undo = Undo::Exact,
        .target = &RuleArgs::place,
        .params = std::move(params),
        .plan = planSet,
        .inverse = setBack,
    });
}

} // namespace

Operations firewallRules()
{
    return list(declareAdd(), declareSet());
}
