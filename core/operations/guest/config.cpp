#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "operations/Families.h"
#include "operations/Guests.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include <QJsonArray>
#include <algorithm>

namespace
{
const Text guestHelp{QT_TRANSLATE_NOOP("operation", "Id or name: 101, web, pve1/web or homelab:101")};

/// Changes a guest's configuration, key by key; what is not named stays.
struct ConfigSet {
    GuestRef guest;
    std::optional<QString> name, startup;
    std::optional<qint64> memory, balloon, swap, cores, sockets, cpuunits;
    std::optional<double> cpulimit;
    std::optional<bool> onboot, protection;
    QStringList unset;
};

/// Reads one key of a configuration in the form in which arguments come, so that "4096" and 4096 are the same.
QJsonValue normal(const QJsonObject &config, const QString &key)
{
    static const QStringList numbers{"memory", "balloon", "swap", "cores", "sockets", "cpuunits", "cpulimit"};
    static const QStringList switches{"onboot", "protection"};
    const auto value = config[key];
    if (value.isUndefined())
        return value;
    if (switches.contains(key))
        if (const auto on = PveValue::boolean(value))
            return *on;
    if (key == QLatin1String("memory"))
        if (const auto number = PveValue::given(value, "current"); number && *number)
            return **number;
    if (numbers.contains(key))
        if (const auto number = PveValue::number(value))
            return *number;
    return value;
}

/// The wanted keys by PVE's own names for this kind of guest.
QJsonObject wantedKeys(const ConfigSet &args)
{
    QJsonObject wanted;
    const auto want = [&wanted](const char *key, const auto &value) {
        if (value)
            wanted.insert(QLatin1String(key), QJsonValue(*value));
    };
    want(args.guest.kind == GuestKind::Qemu ? "name" : "hostname", args.name);
    want("startup", args.startup);
    want("memory", args.memory);
    want("balloon", args.balloon);
    want("swap", args.swap);
    want("cores", args.cores);
    want("sockets", args.sockets);
    want("cpuunits", args.cpuunits);
    want("cpulimit", args.cpulimit);
    want("onboot", args.onboot);
    want("protection", args.protection);
    return wanted;
}

Result<> fitsKind(const ConfigSet &args, const QJsonObject &wanted)
{
    static const QStringList machinesOnly{"balloon", "sockets"};
    static const QStringList containersOnly{"swap"};
    const bool isMachine = args.guest.kind == GuestKind::Qemu;
    for (const auto &key : wanted.keys() + args.unset) {
        if (isMachine ? containersOnly.contains(key) : machinesOnly.contains(key))
            return Error{
                Error::Kind::Invalid,
                isMachine
                    ? words(QT_TRANSLATE_NOOP("operation", "A virtual machine has no \"%1\"; only containers do."))
                          .arg(key)
                    : words(QT_TRANSLATE_NOOP("operation", "A container has no \"%1\"; only virtual machines do."))
                          .arg(key)};
        if (args.unset.contains(key) && wanted.contains(key))
            return Error{Error::Kind::Invalid,
                         words(QT_TRANSLATE_NOOP("operation", "\"%1\" is both set and unset.")).arg(key)};
    }
    return {};
}

QString formValue(const QJsonValue &value)
{
    if (value.isBool())
        return value.toBool() ? QStringLiteral("1") : QStringLiteral("0");
    return value.toVariant().toString();
}

QString unitOf(const QString &key)
{
    static const QStringList mebibytes{"memory", "balloon", "swap"};
    return mebibytes.contains(key) ? QStringLiteral(" MiB") : QString();
}

QString changeText(const PlanChange &change)
{
    return words(QT_TRANSLATE_NOOP("operation", "%1 %2 → %3%4"))
        .arg(change.key, valueText(change.before), valueText(change.after),
             change.after.isUndefined() ? QString() : unitOf(change.key));
}

ApiRequest configRequest(const GuestRef &guest, const std::vector<PlanChange> &changes, const QString &digest)
{
    auto request = guestRequest(guest.kind == GuestKind::Qemu ? Method::Post : Method::Put, guest, {"config"});
    QStringList removed;
    for (const auto &change : changes) {
        if (change.after.isUndefined())
            removed << change.key;
        else
            request.add(change.key, formValue(change.after));
    }
    if (!removed.isEmpty())
        request.add("delete", removed.join(u','));
    if (!digest.isEmpty())
        request.add("digest", digest);
    return request;
}

/// The part that config.set and notes.set share: compare, say it in words, make the request.
Plan planChanges(const GuestRef &guest, const GuestNow &now, const QJsonObject &wanted, const QStringList &unset)
{
    Plan plan;
    for (auto it = wanted.begin(); it != wanted.end(); ++it)
        if (const auto before = normal(now.config, it.key()); before != it.value())
            plan.changes.push_back({it.key(), before, it.value()});
    for (const auto &key : unset)
        if (const auto before = normal(now.config, key); !before.isUndefined())
            plan.changes.push_back({key, before});
    if (plan.changes.empty()) {
        plan.intent =
            words(QT_TRANSLATE_NOOP("operation", "There is nothing to change: %1 is configured like this already."))
                .arg(guest.label());
        return plan;
    }
    for (const auto &change : plan.changes)
        plan.before.insert(change.key, change.before.isUndefined() ? QJsonValue(QJsonValue::Null) : change.before);
    plan.before.insert(QStringLiteral("digest"), now.digest);
    plan.facts.push_back(stateFact(now));
    plan.requests.push_back(configRequest(guest, plan.changes, now.digest));
    plan.undo = Undo::Exact;
    return plan;
}

void sayWhenItCounts(Plan &plan, const GuestRef &guest, const GuestNow &now)
{
    static const QStringList atStart{"memory", "cores", "sockets", "balloon"};
    const bool waits = guest.kind == GuestKind::Qemu && now.power != QLatin1String("stopped") &&
                       std::any_of(plan.changes.begin(), plan.changes.end(),
                                   [](const PlanChange &change) { return atStart.contains(change.key); });
    if (waits)
        plan.facts.push_back(
            {words(QT_TRANSLATE_NOOP("operation", "Takes effect")),
             words(QT_TRANSLATE_NOOP("operation", "after the next stop and start, unless hot-plug is set up"))});
}

QCoro::Task<Result<Plan>> planConfig(ConfigSet args, OperationContext context)
{
    const auto wanted = wantedKeys(args);
    if (wanted.isEmpty() && args.unset.isEmpty())
        co_return Error{Error::Kind::Invalid,
                        words(QT_TRANSLATE_NOOP("operation", "Name at least one value to change."))};
    if (auto fits = fitsKind(args, wanted); !fits)
        co_return fits.error();
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (!now->lock.isEmpty())
        co_return mayChange(args.guest, *now).error();
    auto plan = planChanges(args.guest, *now, wanted, args.unset);
    if (plan.requests.empty())
        co_return plan;
    QStringList texts, undone;
    for (const auto &change : plan.changes) {
        texts << changeText(change);
        undone << words(QT_TRANSLATE_NOOP("operation", "%1 back to %2%3"))
                      .arg(change.key, valueText(change.before),
                           change.before.isUndefined() ? QString() : unitOf(change.key));
    }
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Change %1")).arg(texts.join(QStringLiteral(", ")));
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Changed %1")).arg(texts.join(QStringLiteral(", ")));
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Sets %1.")).arg(undone.join(QStringLiteral(", ")));
    sayWhenItCounts(plan, args.guest, *now);
    co_return plan;
}

std::optional<Call> configBack(const ConfigSet &args, const Plan &plan)
{
    QJsonObject back{{QStringLiteral("guest"), args.guest.key()}};
    QJsonArray unset;
    for (const auto &change : plan.changes) {
        const auto name = change.key == QLatin1String("hostname") ? QStringLiteral("name") : change.key;
        if (change.before.isUndefined())
            unset.append(change.key);
        else
            back.insert(name, change.before);
    }
    if (!unset.isEmpty())
        back.insert(QStringLiteral("unset"), unset);
    return Call{QStringLiteral("guest.config.set"), arguments(back)};
}

/// Writes a guest's notes.
struct NotesSet {
    GuestRef guest;
    QString notes;
};

QCoro::Task<Result<Plan>> planNotes(NotesSet args, OperationContext context)
{
    auto now = co_await readGuest(context, args.guest);
    if (!now)
        co_return now.error();
    if (!now->lock.isEmpty())
        co_return mayChange(args.guest, *now).error();
    const QString key = QStringLiteral("description");
    const auto wanted = args.notes.isEmpty() ? QJsonObject() : QJsonObject{{key, args.notes}};
    auto plan = planChanges(args.guest, *now, wanted, args.notes.isEmpty() ? QStringList{key} : QStringList());
    if (plan.requests.empty())
        co_return plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Change the notes of %1")).arg(args.guest.label());
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Changed the notes"));
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Puts the old notes back."));
    co_return plan;
}

std::optional<Call> notesBack(const NotesSet &args, const Plan &plan)
{
    const QJsonObject back{{QStringLiteral("guest"), args.guest.key()},
                           {QStringLiteral("notes"), plan.changes.front().before.toString()}};
    return Call{QStringLiteral("guest.notes.set"), arguments(back)};
}

Limit mebibytes(qint64 least)
{
    return range(least, 268435456);
}

QStringList unsettable()
{
    return {"name",    "hostname", "startup",  "balloon", "swap",       "cores",
            "sockets", "cpuunits", "cpulimit", "onboot",  "protection", "memory"};
}

OperationPtr configSet()
{
    return operation<ConfigSet>({
        .id = "guest.config.set",
        .title = {QT_TRANSLATE_NOOP("operation", "Change configuration")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Changes the named values of a guest's configuration; everything else stays as it is.")},
        .effect = Effect::Changes,
        .taskTypes = {"qmconfig"},
        .undo = Undo::Exact,
        .target = &ConfigSet::guest,
        .params =
            {required(&ConfigSet::guest, "guest", guestHelp),
             optional(&ConfigSet::name, "name", {QT_TRANSLATE_NOOP("operation", "Name; the host name of a container")},
                      {longest(63), matching("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")}),
             optional(&ConfigSet::memory, "memory", {QT_TRANSLATE_NOOP("operation", "Memory in MiB")}, {mebibytes(16)}),
             optional(&ConfigSet::balloon, "balloon",
                      {QT_TRANSLATE_NOOP("operation", "Least memory in MiB when ballooning; 0 turns it off")},
                      {mebibytes(0)}),
             optional(&ConfigSet::swap, "swap", {QT_TRANSLATE_NOOP("operation", "Swap in MiB (containers)")},
                      {mebibytes(0)}),
             optional(&ConfigSet::cores, "cores",
                      {QT_TRANSLATE_NOOP("operation", "CPU cores; per socket for virtual machines")}, {range(1, 8192)}),
             optional(&ConfigSet::sockets, "sockets",
                      {QT_TRANSLATE_NOOP("operation", "CPU sockets (virtual machines)")}, {range(1, 8192)}),
             optional(&ConfigSet::cpulimit, "cpulimit",
                      {QT_TRANSLATE_NOOP("operation", "Most CPUs it may use; 0 is no limit")}, {range(0, 8192)}),
             optional(&ConfigSet::cpuunits, "cpuunits",
                      {QT_TRANSLATE_NOOP("operation", "CPU weight against other guests")}, {range(1, 262144)}),
             optional(&ConfigSet::onboot, "onboot", {QT_TRANSLATE_NOOP("operation", "Start when the node starts")}),
             optional(&ConfigSet::startup, "startup",
                      {QT_TRANSLATE_NOOP("operation", "Start order, like order=3,up=30")}, {longest(100)}),
             optional(&ConfigSet::protection, "protection",
                      {QT_TRANSLATE_NOOP("operation", "Refuse to delete the guest or its disks")}),
             optional(&ConfigSet::unset, "unset",
                      {QT_TRANSLATE_NOOP("operation", "Values to remove, so that the default counts")},
                      {oneOf(unsettable())})},
        .plan = planConfig,
        .inverse = configBack,
    });
}

OperationPtr declareNotesSet()
{
    return operation<NotesSet>({
        .id = "guest.notes.set",
        .title = {QT_TRANSLATE_NOOP("operation", "Write notes")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Replaces a guest's notes (Markdown). Empty notes remove them.")},
        .effect = Effect::Changes,
        .taskTypes = {"qmconfig"},
        .undo = Undo::Exact,
        .target = &NotesSet::guest,
        .params = {required(&NotesSet::guest, "guest", guestHelp),
                   required(&NotesSet::notes, "notes", {QT_TRANSLATE_NOOP("operation", "The whole new text")},
                            {longest(8192)})},
        .plan = planNotes,
        .inverse = notesBack,
    });
}
} // namespace

Operations guestConfig()
{
    return list(configSet(), declareNotesSet());
}
