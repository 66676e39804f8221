#include "model/PveValue.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/Guests.h"
#include "operations/TypedOperation.h"
#include <QJsonArray>
#include <algorithm>

namespace
{
/// Lists guests of one or all connections.
struct GuestList {
    std::optional<RemoteRef> remote;
    std::optional<QString> kind, node, pool, tag, state;
    qint64 limit = 200;
};

template <class T>
void put(QJsonObject &to, const char *key, const std::optional<T> &value)
{
    if (value)
        to.insert(QLatin1String(key), *value);
}

/// Absent stays absent; what nobody can know is "unknown".
QJsonObject guestJson(const GuestState &guest, const QString &remote)
{
    QJsonObject one{{QStringLiteral("remote"), remote},
                    {QStringLiteral("vmid"), guest.vmid.number()},
                    {QStringLiteral("kind"), guestKindName(guest.kind)},
                    {QStringLiteral("status"), powerName(guest.power)}};
    const std::pair<const char *, QString> texts[] = {{"name", guest.name},
                                                      {"node", guest.node.text()},
                                                      {"pool", guest.pool},
                                                      {"lock", guest.lock},
                                                      {"ha", guest.haState}};
    for (const auto &[key, text] : texts)
        if (!text.isEmpty())
            one.insert(QLatin1String(key), text);
    put(one, "cpu", guest.cpu);
    put(one, "cpus", guest.cpus);
    put(one, "memory", guest.memory);
    put(one, "memory_max", guest.maxMemory);
    put(one, "disk_size", guest.maxDisk);
    put(one, "uptime", guest.uptime);
    if (guest.isTemplate)
        one.insert(QStringLiteral("template"), true);
    if (!guest.tags.isEmpty())
        one.insert(QStringLiteral("tags"), QJsonArray::fromStringList(guest.tags));
    return one;
}

bool fits(const GuestState &guest, const GuestList &args)
{
    const auto same = [](const std::optional<QString> &wanted, const QString &is) { return !wanted || *wanted == is; };
    return same(args.kind, guestKindName(guest.kind)) && same(args.node, guest.node.text()) &&
           same(args.pool, guest.pool) && same(args.state, powerName(guest.power)) &&
           (!args.tag || guest.tags.contains(*args.tag));
}

QCoro::Task<Result<QJsonValue>> listGuests(GuestList args, OperationContext context)
{
    QJsonArray guests, missing, notVisible;
    qint64 found = 0;
    Result<> last;
    const auto answers = co_await readEach(context, remotesToAsk(context, args.remote));
    for (const auto &[remote, answer] : answers) {
        if (!answer) {
            missing.append(missingRemote(remote, answer.error()));
            last = answer.error();
            continue;
        }
        const auto &state = **answer;
        for (const auto &guest : state.guests)
            if (fits(guest, args) && ++found <= args.limit)
                guests.append(guestJson(guest, remote));
        addMissingNodes(missing, state);
        if (!state.hidden.isEmpty())
            notVisible.append(QJsonObject{{QStringLiteral("remote"), remote}, {QStringLiteral("what"), state.hidden}});
    }
    const bool isNothing = std::none_of(answers.begin(), answers.end(), [](const auto &each) { return each.second; });
    if (!last && isNothing)
        co_return last.error();
    QJsonObject all{{QStringLiteral("guests"), guests}, {QStringLiteral("found"), found}};
    if (found > args.limit)
        all.insert(QStringLiteral("left_out"), found - args.limit);
    if (!missing.isEmpty())
        all.insert(QStringLiteral("missing"), missing);
    if (!notVisible.isEmpty())
        all.insert(QStringLiteral("not_visible"), notVisible);
    co_return QJsonValue(all);
}

/// Shows one guest: what it does now and how it is configured, told apart.
struct GuestGet {
    GuestRef guest;
};

/// What waits for a restart: {key, value, pending} or {key, value, delete: true}.
QJsonArray waitingChanges(const QJsonArray &all)
{
    QJsonArray waiting;
    for (const auto &entry : all) {
        const auto one = entry.toObject();
        if (!one[QLatin1String("pending")].isUndefined() || PveValue::integer(one, "delete").value_or(0) > 0)
            waiting.append(one);
    }
    return waiting;
}

QCoro::Task<Result<QJsonValue>> getGuest(GuestGet args, OperationContext context)
{
    const auto guest = args.guest;
    auto asksPending = getArray(context, guest.remote, guestRequest(Method::Get, guest, {"pending"}));
    auto now = co_await readGuest(context, guest);
    auto pending = co_await asksPending;
    if (!now)
        co_return now.error();
    if (!pending)
        co_return pending.error();
    QJsonObject runtime = now->status;
    for (const auto *known : {"name", "vmid", "type", "template", "tags", "lock"})
        runtime.remove(QLatin1String(known));
    auto config = now->config;
    const auto description = config.take(QStringLiteral("description"));
    const bool hasNotes = !description.isUndefined() && !description.isNull();
    QJsonObject all{{QStringLiteral("remote"), guest.remote},
                    {QStringLiteral("vmid"), guest.vmid.number()},
                    {QStringLiteral("kind"), guestKindName(guest.kind)},
                    {QStringLiteral("node"), guest.node.text()},
                    {QStringLiteral("name"), now->status.value(QLatin1String("name"))},
                    {QStringLiteral("status"), now->power},
                    {QStringLiteral("runtime"), runtime},
                    {QStringLiteral("config"), config},
                    {QStringLiteral("waiting_for_restart"), waitingChanges(*pending)}};
    if (!now->lock.isEmpty())
        all.insert(QStringLiteral("lock"), now->lock);
    if (context.actor.isProgram())
        all.insert(QStringLiteral("has_notes"), hasNotes); // notes are a sensitive read of their own
    else if (description.isString() || !hasNotes)
        all.insert(QStringLiteral("notes"), description.toString());
    co_return QJsonValue(all);
}

/// Shows a guest's load over time.
struct GuestMetrics {
    GuestRef guest;
    QString timeframe = QStringLiteral("hour");
    QString aggregate = QStringLiteral("AVERAGE");
};

QCoro::Task<Result<QJsonValue>> getMetrics(GuestMetrics args, OperationContext context)
{
    auto request =
        guestRequest(Method::Get, args.guest, {"rrddata"}, {{"timeframe", args.timeframe}, {"cf", args.aggregate}});
    auto answer = co_await getArray(context, args.guest.remote, std::move(request));
    if (!answer)
        co_return answer.error();
    QJsonObject metrics{{QStringLiteral("timeframe"), args.timeframe}, {QStringLiteral("points"), *answer}};
    co_return QJsonValue(metrics);
}

OperationPtr declareGuestList()
{
    return operation<GuestList>({
        .id = "guest.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List guests")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation",
            "Lists virtual machines and containers with their state. Guests on an offline node are \"unknown\".")},
        .effect = Effect::Reads,
        .target = &GuestList::remote,
        .params = {optional(&GuestList::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")}),
                   optional(&GuestList::kind, "kind",
                            {QT_TRANSLATE_NOOP("operation", "qemu (virtual machines) or lxc (containers)")},
                            {oneOf({"qemu", "lxc"})}),
                   optional(&GuestList::node, "node", {QT_TRANSLATE_NOOP("operation", "Only guests on this node")}),
                   optional(&GuestList::pool, "pool", {QT_TRANSLATE_NOOP("operation", "Only guests in this pool")}),
                   optional(&GuestList::tag, "tag", {QT_TRANSLATE_NOOP("operation", "Only guests with this tag")}),
                   optional(&GuestList::state, "state", {QT_TRANSLATE_NOOP("operation", "Only guests in this state")},
                            {oneOf({"running", "stopped", "paused", "suspended", "unknown"})}),
                   optional(&GuestList::limit, "limit",
                            {QT_TRANSLATE_NOOP("operation", "At most this many; the rest is counted")},
                            {range(1, 1000)})},
        .read = listGuests,
    });
}

OperationPtr declareGuestGet()
{
    return operation<GuestGet>({
        .id = "guest.get",
        .title = {QT_TRANSLATE_NOOP("operation", "Show guest")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Shows what one guest does now, how it is configured, and what waits for a restart.")},
        .effect = Effect::Reads,
        .target = &GuestGet::guest,
        .params = {required(&GuestGet::guest, "guest",
                            {QT_TRANSLATE_NOOP("operation", "Id or name: 101, web, pve1/web or homelab:101")})},
        .read = getGuest,
    });
}

OperationPtr declareGuestMetrics()
{
    return operation<GuestMetrics>({
        .id = "guest.metrics",
        .title = {QT_TRANSLATE_NOOP("operation", "Show guest metrics")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Shows CPU, memory, network and disk load over time. A point without values is a gap.")},
        .effect = Effect::Reads,
        .target = &GuestMetrics::guest,
        .params = {required(&GuestMetrics::guest, "guest",
                            {QT_TRANSLATE_NOOP("operation", "Id or name: 101, web, pve1/web or homelab:101")}),
                   optional(&GuestMetrics::timeframe, "timeframe", {QT_TRANSLATE_NOOP("operation", "How far back")},
                            {oneOf({"hour", "day", "week", "month", "year"})}),
                   optional(&GuestMetrics::aggregate, "aggregate",
                            {QT_TRANSLATE_NOOP("operation", "Average or maximum of each interval")},
                            {oneOf({"AVERAGE", "MAX"})})},
        .read = getMetrics,
    });
}
} // namespace

Operations guestReads()
{
    return list(declareGuestList(), declareGuestGet(), declareGuestMetrics());
}
