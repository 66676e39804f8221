#include "operations/Families.h"
#include "operations/Findings.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include <algorithm>

namespace
{
/// Finds nodes under pressure.
struct NodePressure {
    std::optional<RemoteRef> remote;
    qint64 cpu = 85, memory = 90, memoryCritical = 97, disk = 85, diskCritical = 95;
};

/// The guest that weighs most on a node, to be moved away.
Mend moveBiggest(const InventorySnapshot &state, const NodeState &node)
{
    const GuestState *biggest = nullptr;
    for (const auto &guest : state.guests)
        if (guest.node == node.name && guest.power == GuestState::Power::Running &&
            (!biggest || guest.memory.value_or(0) > biggest->memory.value_or(0)))
            biggest = &guest;
    const auto why = words(QT_TRANSLATE_NOOP("operation", "Move a guest to another node; the biggest one is named."));
    if (!biggest)
        return {QStringLiteral("guest.migrate"), {}, why};
    return {QStringLiteral("guest.migrate"), {{QStringLiteral("guest"), state.ref(*biggest).key()}}, why};
}

void judgeNode(const InventorySnapshot &state, const NodeState &node, const NodePressure &marks, Findings &findings)
{
    const auto name = node.name.text();
    if (node.status == NodeState::Status::Offline) {
        findings.add(
            state.remoteId, name, true, QStringLiteral("offline"),
            words(QT_TRANSLATE_NOOP("operation", "The node is offline.")),
            {{}, {}, words(QT_TRANSLATE_NOOP("operation", "Look at the machine: nothing here can turn it on."))});
        return;
    }
    if (node.cpu)
        findings.measure(state.remoteId, name, {QStringLiteral("cpu"), oneDecimal(*node.cpu * 100), double(marks.cpu)},
                         moveBiggest(state, node));
    if (const auto memory = percent(node.memory, node.maxMemory))
        findings.measure(state.remoteId, name,
                         {QStringLiteral("memory"), *memory, double(marks.memory), double(marks.memoryCritical)},
                         moveBiggest(state, node));
    if (const auto disk = percent(node.disk, node.maxDisk))
        findings.measure(state.remoteId, name,
                         {QStringLiteral("root_disk"), *disk, double(marks.disk), double(marks.diskCritical)},
                         {QStringLiteral("storage.content"),
                          {{QStringLiteral("storage"), state.remoteId + u':' + name + QLatin1String("/local")}},
                          words(QT_TRANSLATE_NOOP(
                              "operation", "See what lies on the node's own disk, then delete what nobody needs."))});
}

QJsonObject nodeJson(const InventorySnapshot &state, const NodeState &node)
{
    QJsonObject one{{QStringLiteral("remote"), state.remoteId},
                    {QStringLiteral("node"), node.name.text()},
                    {QStringLiteral("status"), nodeStatusName(node.status)}};
    if (node.cpu)
        one.insert(QStringLiteral("cpu"), oneDecimal(*node.cpu * 100));
    if (const auto memory = percent(node.memory, node.maxMemory))
        one.insert(QStringLiteral("memory"), *memory);
    if (const auto disk = percent(node.disk, node.maxDisk))
        one.insert(QStringLiteral("root_disk"), *disk);
    return one;
}

QCoro::Task<Result<QJsonValue>> findNodePressure(NodePressure args, OperationContext context)
{
    Findings findings;
    Gathered nodes;
    const auto answers = co_await readEach(context, remotesToAsk(context, args.remote));
    for (const auto &[remote, state] : answers) {
        nodes.note(remote, state);
        for (const auto &node : state ? (*state)->nodes : std::vector<NodeState>()) {
            judgeNode(**state, node, args, findings);
            nodes.add(nodeJson(**state, node));
        }
    }
    auto all = nodes.answer("nodes");
    if (!all)
        co_return all.error();
    all->insert(QStringLiteral("findings"), findings.ranked());
    co_return QJsonValue(*all);
}

/// Finds guests that need something.
struct GuestHealth {
    std::optional<RemoteRef> remote;
    qint64 memory = 90, disk = 85, diskCritical = 95;
};

/// What an insight on guests has looked at.
struct GuestSums {
    Findings findings;
    QJsonArray stopped, unknown, unmeasured;
    qint64 analysed = 0;
};

QJsonObject guestJson(const GuestRef &guest)
{
    return {{QStringLiteral("guest"), guest.key()}, {QStringLiteral("label"), guest.label()}};
}

void judgeGuest(const InventorySnapshot &state, const GuestState &guest, const GuestHealth &marks, GuestSums &sums)
{
    const auto ref = state.ref(guest);
    ++sums.analysed;
    if (guest.power == GuestState::Power::Unknown)
        sums.unknown.append(guestJson(ref));
    if (guest.power == GuestState::Power::Stopped)
        sums.stopped.append(guestJson(ref));
    if (guest.power != GuestState::Power::Running)
        return;
    const QJsonObject named{{QStringLiteral("guest"), ref.key()}};
    if (const auto memory = percent(guest.memory, guest.maxMemory))
        sums.findings.measure(state.remoteId, ref.label(), {QStringLiteral("memory"), *memory, double(marks.memory)},
                              {QStringLiteral("guest.config.set"), named,
                               words(QT_TRANSLATE_NOOP("operation", "Give it more memory, or find what takes it."))});
    if (guest.kind == GuestKind::Qemu) // PVE reports 0 for every machine
        sums.unmeasured.append(ref.key());
    else if (const auto disk = percent(guest.disk, guest.maxDisk))
        sums.findings.measure(state.remoteId, ref.label(),
                              {QStringLiteral("disk"), *disk, double(marks.disk), double(marks.diskCritical)},
                              {QStringLiteral("guest.disk.resize"), named,
                               words(QT_TRANSLATE_NOOP("operation", "Enlarge its disk, or clean it up inside."))});
}

QCoro::Task<Result<QJsonValue>> findGuestHealth(GuestHealth args, OperationContext context)
{
    GuestSums sums;
    Gathered gathered;
    const auto answers = co_await readEach(context, remotesToAsk(context, args.remote));
    for (const auto &[remote, state] : answers) {
        gathered.note(remote, state);
        for (const auto &guest : state ? (*state)->guests : std::vector<GuestState>())
            if (!guest.isTemplate)
                judgeGuest(**state, guest, args, sums);
    }
    auto all = gathered.answer("guests");
    if (!all)
        co_return all.error();
    all->remove(QStringLiteral("guests"));
    all->insert(QStringLiteral("findings"), sums.findings.ranked());
    all->insert(QStringLiteral("analysed"), sums.analysed);
    all->insert(QStringLiteral("stopped"), sums.stopped);
    all->insert(QStringLiteral("unknown"), sums.unknown);
    all->insert(QStringLiteral("disk_use_not_reported"), sums.unmeasured);
    co_return QJsonValue(*all);
}

Limit share()
{
    return range(1, 100);
}

OperationPtr declareNodePressure()
{
    return operation<NodePressure>({
        .id = "insight.node_pressure",
        .title = {QT_TRANSLATE_NOOP("operation", "Find nodes under pressure")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Finds nodes that are offline or short of CPU, memory or disk; each "
                                                   "finding cites the number, and names what mends it.")},
        .effect = Effect::Reads,
        .target = &NodePressure::remote,
        .params = {optional(&NodePressure::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")}),
                   optional(&NodePressure::cpu, "cpu",
                            {QT_TRANSLATE_NOOP("operation", "CPU in % from which it counts (85)")}, {share()}),
                   optional(&NodePressure::memory, "memory", {QT_TRANSLATE_NOOP("operation", "Memory in % (90)")},
                            {share()}),
                   optional(&NodePressure::memoryCritical, "memory_critical",
                            {QT_TRANSLATE_NOOP("operation", "Memory in % that is grave (97)")}, {share()}),
                   optional(&NodePressure::disk, "disk", {QT_TRANSLATE_NOOP("operation", "Own disk in % (85)")},
                            {share()}),
                   optional(&NodePressure::diskCritical, "disk_critical",
                            {QT_TRANSLATE_NOOP("operation", "Own disk in % that is grave (95)")}, {share()})},
        .read = findNodePressure,
    });
}

OperationPtr declareGuestHealth()
{
    return operation<GuestHealth>({
        .id = "insight.guest_health",
        .title = {QT_TRANSLATE_NOOP("operation", "Find guests that need something")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Finds running guests short of memory or disk, and lists those that are "
                                      "stopped or unknown. Templates are left out.")},
        .effect = Effect::Reads,
        .target = &GuestHealth::remote,
        .params = {optional(&GuestHealth::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")}),
                   optional(&GuestHealth::memory, "memory",
                            {QT_TRANSLATE_NOOP("operation", "Memory in % from which it counts (90)")}, {share()}),
                   optional(&GuestHealth::disk, "disk", {QT_TRANSLATE_NOOP("operation", "Disk in % (85)")}, {share()}),
                   optional(&GuestHealth::diskCritical, "disk_critical",
                            {QT_TRANSLATE_NOOP("operation", "Disk in % that is grave (95)")}, {share()})},
        .read = findGuestHealth,
    });
}
} // namespace

Operations insightsOnLoad()
{
    return list(declareNodePressure(), declareGuestHealth());
}
