#include "model/PveValue.h"
#include "operations/Families.h"
#include "operations/Firewalls.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
/// Changes options of a firewall.
struct OptionsSet {
    PlaceRef place;
    std::optional<bool> enable, ebtables, dhcp, ndp, radv, macfilter, ipfilter, nosmurfs, tcpflags;
    std::optional<QString> policyIn, policyOut, policyForward, logLevelIn, logLevelOut;
    QStringList unset;
};

/// An option and where it exists: d(atacenter), n(ode), g(uest).
struct OptionPlace {
    const char *name;
    const char *places;
    bool isSwitch;
};
constexpr OptionPlace options[] = {
    {"enable", "dng", true},       {"ebtables", "d", true},       {"dhcp", "g", true},
    {"ndp", "ng", true},           {"radv", "g", true},           {"macfilter", "g", true},
    {"ipfilter", "g", true},       {"nosmurfs", "n", true},       {"tcpflags", "n", true},
    {"policy_in", "dg", false},    {"policy_out", "dg", false},   {"policy_forward", "d", false},
    {"log_level_in", "ng", false}, {"log_level_out", "ng", false}};

const OptionPlace &optionCalled(const QString &name)
{
    return *std::find_if(std::begin(options), std::end(options),
                         [&](const OptionPlace &each) { return name == QLatin1String(each.name); });
}

QJsonObject wantedOptions(const OptionsSet &args)
{
    QJsonObject wanted;
    const auto want = [&wanted](const char *name, const auto &value) {
        if (value)
            wanted.insert(QLatin1String(name), QJsonValue(*value));
    };
    want("enable", args.enable);
    want("ebtables", args.ebtables);
    want("dhcp", args.dhcp);
    want("ndp", args.ndp);
    want("radv", args.radv);
    want("macfilter", args.macfilter);
    want("ipfilter", args.ipfilter);
    want("nosmurfs", args.nosmurfs);
    want("tcpflags", args.tcpflags);
    want("policy_in", args.policyIn);
    want("policy_out", args.policyOut);
    want("policy_forward", args.policyForward);
    want("log_level_in", args.logLevelIn);
    want("log_level_out", args.logLevelOut);
    return wanted;
}

Result<> fitsPlace(const OptionsSet &args, const QStringList &names)
{
    const char here = args.place.isGuest() ? 'g' : args.place.isDatacenter() ? 'd' : 'n';
    for (const auto &name : names)
        if (!strchr(optionCalled(name).places, here))
            return Error{Error::Kind::Invalid,
                         words(QT_TRANSLATE_NOOP("operation", "The firewall of %1 has no option \"%2\"."))
                             .arg(args.place.label(), name)};
    return {};
}

/// As arguments have it; Undefined where it is not set.
QJsonValue valueOf(const QJsonObject &now, const QString &name)
{
    const auto value = now[name];
    if (value.isUndefined() || !optionCalled(name).isSwitch)
        return value;
    const auto on = PveValue::boolean(value);
    return on ? QJsonValue(*on) : value;
}

/// Off, or open by default.
bool isOpening(const PlanChange &change)
{
    const auto isOff = change.after.isUndefined() || change.after == QJsonValue(false);
    return (change.key == QLatin1String("enable") && isOff) ||
           (change.key.startsWith(QLatin1String("policy_")) && change.key != QLatin1String("policy_out") &&
            change.after.toString() == QLatin1String("ACCEPT")) ||
           ((change.key == QLatin1String("macfilter") || change.key == QLatin1String("ipfilter")) && isOff);
}

void judge(Plan &plan, const PlaceRef &place)
{
    static const QStringList doors{"enable", "ebtables", "policy_in", "policy_out", "policy_forward"};
    for (const auto &change : plan.changes) {
        if (isOpening(change))
            plan.raised = Effect::Destroys;
        plan.isForPeople = plan.isForPeople || (!place.isGuest() && doors.contains(change.key));
    }
    if (plan.raised)
        plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Careful")),
                              words(QT_TRANSLATE_NOOP("operation", "this can open access from outside")), true});
    if (plan.isForPeople)
        plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Careful")),
                              words(QT_TRANSLATE_NOOP("operation", "this can shut out Labhelm and you")), true});
}

ApiRequest optionsRequest(const PlaceRef &place, const std::vector<PlanChange> &changes, const QString &digest)
{
    auto request = firewallRequest(Method::Put, place, {QStringLiteral("options")});
    QStringList removed;
    for (const auto &change : changes)
        if (change.after.isUndefined())
            removed << change.key;
        else
            request.add(change.key,
                        change.after.isBool() ? QString::number(change.after.toBool()) : change.after.toString());
    if (!removed.isEmpty())
        request.add("delete", removed.join(u','));
    if (!digest.isEmpty())
        request.add("digest", digest);
    return request;
}

QCoro::Task<Result<Plan>> planOptions(OptionsSet args, OperationContext context)
{
    const auto wanted = wantedOptions(args);
    if (wanted.isEmpty() && args.unset.isEmpty())
        co_return Error{Error::Kind::Invalid,
                        words(QT_TRANSLATE_NOOP("operation", "Name at least one value to change."))};
    if (auto fits = fitsPlace(args, wanted.keys() + args.unset); !fits)
        co_return fits.error();
    auto asks = firewallRequest(Method::Get, args.place, {QStringLiteral("options")});
    auto now = co_await getObject(context, args.place.remote, std::move(asks));
    if (!now)
        co_return now.error();
    Plan plan;
    for (auto each = wanted.begin(); each != wanted.end(); ++each)
        if (const auto before = valueOf(*now, each.key()); before != *each)
            plan.changes.push_back({each.key(), before, *each});
    for (const auto &name : args.unset)
        if (const auto before = valueOf(*now, name); !before.isUndefined())
            plan.changes.push_back({name, before});
    if (plan.changes.empty()) {
        plan.intent =
            words(QT_TRANSLATE_NOOP("operation", "There is nothing to change: the firewall of %1 is set so already."))
                .arg(args.place.label());
        co_return plan;
    }
    QStringList texts;
    for (const auto &change : plan.changes)
        texts << words(QT_TRANSLATE_NOOP("operation", "%1 %2 → %3"))
                     .arg(change.key, valueText(change.before), valueText(change.after));
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Change the firewall of %1: %2"))
                      .arg(args.place.label(), texts.join(QStringLiteral(", ")));
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Changed firewall: %1")).arg(texts.join(QStringLiteral(", ")));
    plan.before = {{QStringLiteral("options"), *now}};
    judge(plan, args.place);
    plan.requests.push_back(optionsRequest(args.place, plan.changes, now->value(QLatin1String("digest")).toString()));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Sets the options back."));
    co_return plan;
}

std::optional<Call> optionsBack(const OptionsSet &args, const Plan &plan)
{
    QJsonObject back{{QStringLiteral("place"), args.place.text()}};
    QJsonArray unset;
    for (const auto &change : plan.changes)
        if (change.before.isUndefined())
            unset.append(change.key);
        else
            back.insert(change.key, change.before);
    if (!unset.isEmpty())
        back.insert(QStringLiteral("unset"), unset);
    return Call{QStringLiteral("firewall.options.set"), arguments(back)};
}

QStringList optionNames()
{
    QStringList names;
    for (const auto &option : options)
        names << QLatin1String(option.name);
    return names;
}

std::vector<Field<OptionsSet>> optionFields()
{
    const Limit policy = oneOf({"ACCEPT", "DROP", "REJECT"});
    const Limit level = oneOf({"nolog", "emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"});
    return {
        required(&OptionsSet::place, "place", placeHelp),
        optional(&OptionsSet::enable, "enable", {QT_TRANSLATE_NOOP("operation", "Turn the firewall on")}),
        optional(&OptionsSet::policyIn, "policy_in", {QT_TRANSLATE_NOOP("operation", "What comes in and fits no rule")},
                 {policy}),
        optional(&OptionsSet::policyOut, "policy_out",
                 {QT_TRANSLATE_NOOP("operation", "What goes out and fits no rule")}, {policy}),
        optional(&OptionsSet::policyForward, "policy_forward",
                 {QT_TRANSLATE_NOOP("operation", "What passes through (datacenter)")}, {oneOf({"ACCEPT", "DROP"})}),
        optional(&OptionsSet::logLevelIn, "log_level_in",
                 {QT_TRANSLATE_NOOP("operation", "How loud what comes in is logged")}, {level}),
        optional(&OptionsSet::logLevelOut, "log_level_out",
                 {QT_TRANSLATE_NOOP("operation", "How loud what goes out is logged")}, {level}),
        optional(&OptionsSet::dhcp, "dhcp", {QT_TRANSLATE_NOOP("operation", "Allow DHCP (guest)")}),
        optional(&OptionsSet::ndp, "ndp", {QT_TRANSLATE_NOOP("operation", "Allow neighbour discovery (node, guest)")}),
        optional(&OptionsSet::radv, "radv", {QT_TRANSLATE_NOOP("operation", "Allow router advertisements (guest)")}),
        optional(&OptionsSet::macfilter, "macfilter",
                 {QT_TRANSLATE_NOOP("operation", "Hold it to its own MAC address (guest)")}),
        optional(&OptionsSet::ipfilter, "ipfilter",
                 {QT_TRANSLATE_NOOP("operation", "Hold it to its own IP addresses (guest)")}),
        optional(&OptionsSet::nosmurfs, "nosmurfs", {QT_TRANSLATE_NOOP("operation", "Drop smurf attacks (node)")}),
        optional(&OptionsSet::tcpflags, "tcpflags", {QT_TRANSLATE_NOOP("operation", "Drop odd TCP flags (node)")}),
        optional(&OptionsSet::ebtables, "ebtables",
                 {QT_TRANSLATE_NOOP("operation", "Filter below IP too (datacenter)")}),
        optional(&OptionsSet::unset, "unset",
                 {QT_TRANSLATE_NOOP("operation", "Options to remove, so that the default counts")},
                 {oneOf(optionNames())})};
}
} // namespace

Operations firewallOptions()
{
    return list(operation<OptionsSet>({
        .id = "firewall.options.set",
        .title = {QT_TRANSLATE_NOOP("operation", "Change firewall options")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Turns a firewall on or off and sets what happens where no rule fits. For "
                                      "the datacenter and nodes only a person may do it.")},
        .effect = Effect::Disrupts,
        .undo = Undo::Exact,
        .target = &OptionsSet::place,
        .params = optionFields(),
        .plan = planOptions,
        .inverse = optionsBack,
    }));
}
