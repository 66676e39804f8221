#pragma once
#include "inventory/PollAnswers.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>

/// The answers of a small cluster, ways to break them, and a check that nothing was made up from what is left.
namespace PollSample
{
inline QJsonObject parsed(const char *text)
{
    return QJsonDocument::fromJson(text).object();
}

inline PollAnswers answers()
{
    PollAnswers made;
    made.remoteId = QStringLiteral("lab-1");
    made.remoteName = QStringLiteral("homelab");
    made.takenAtMs = 1'790'000'000'000;
    made.latencyMs = 12;
    made.resources = QJsonArray{
        parsed(
            R"({"type":"qemu","id":"qemu/100","vmid":100,"node":"pve1","name":"web","status":"running","template":0,"tags":"prod;db",
                   "pool":"dev","hastate":"started","cpu":0.25,"maxcpu":4,"mem":11,"maxmem":66624765952,"disk":12,"maxdisk":13,"uptime":14,
                   "netin":17,"netout":18,"diskread":19,"diskwrite":20})"),
        parsed(
            R"({"type":"qemu","id":"qemu/101","vmid":101,"node":"pve1","name":"db","status":"stopped","template":1,"cpu":0,"mem":0,"maxmem":1024})"),
        parsed(
            R"({"type":"qemu","id":"qemu/102","vmid":102,"node":"pve1","name":"sleeper","status":"stopped","lock":"suspended","template":0})"),
        parsed(
            R"({"type":"lxc","id":"lxc/103","vmid":103,"node":"pve1","name":"ct","status":"paused","template":0,"cpu":0.5,"mem":21})"),
        parsed(
            R"({"type":"lxc","id":"lxc/201","vmid":201,"node":"pve2","name":"away","status":"stopped","template":0,"cpu":0,"mem":0,"uptime":0,"maxmem":512})"),
        parsed(
            R"({"type":"node","id":"node/pve1","node":"pve1","status":"online","cpu":0.75,"maxcpu":8,"mem":31,"maxmem":32,"disk":33,"maxdisk":34,"uptime":35})"),
        parsed(R"({"type":"node","id":"node/pve2","node":"pve2","status":"offline","maxcpu":8,"maxmem":16000})"),
        parsed(
            R"({"type":"storage","id":"storage/pve1/local","storage":"local","node":"pve1","status":"available","plugintype":"dir",
                   "content":"iso,backup","shared":0,"disk":41,"maxdisk":42})"),
        parsed(
            R"({"type":"storage","id":"storage/pve2/local","storage":"local","node":"pve2","status":"available","plugintype":"dir",
                   "content":"iso","shared":0,"disk":43,"maxdisk":44})"),
        parsed(R"({"type":"pool","id":"/pool/dev","pool":"dev"})"),
        parsed(R"({"type":"pool","id":"/pool/empty","pool":"empty"})"),
        parsed(
            R"({"type":"network","id":"network/pve1/zone/localnetwork","network":"localnetwork","node":"pve1","status":"ok"})")};
    made.status = QJsonValue(QJsonArray{
        parsed(R"({"type":"cluster","id":"cluster","name":"lab","nodes":2,"version":2,"quorate":1})"),
        parsed(R"({"type":"node","id":"node/pve1","name":"pve1","online":1,"local":1,"nodeid":1,"ip":"10.0.0.2"})"),
        parsed(R"({"type":"node","id":"node/pve2","name":"pve2","online":0,"local":0,"nodeid":2,"ip":"10.0.0.3"})")});
    made.tasks = QJsonValue(QJsonArray{
        parsed(
            R"({"upid":"UPID:pve1:00006D6A:0005C5C7:6B0D48FC:qmshutdown:100:root@pam!ci:","starttime":1796032764,"user":"root@pam","tokenid":"ci","type":"qmshutdown","node":"pve1","id":"100","pid":28010})"),
        parsed(
            R"({"upid":"UPID:pve1:00006D3C:0005C54C:6B0D48FA:qmstart:100:root@pam:","starttime":1796032762,"endtime":1796032763,"status":"VM 100 already running","user":"root@pam","saved":"1"})"),
        parsed(
            R"({"upid":"UPID:pve2:00006CB9:0005AE4F:6B0D48C0:vzrestore:205:root@pam:","starttime":1796032704,"endtime":1796032705,"status":"OK","user":"root@pam","saved":"1"})")});
    made.version = parsed(R"({"release":"9.1","repoid":"c3897640","version":"9.1.6"})");
    return made;
}

/// Something that PVE should not have sent in this place.
inline QJsonValue oddValue(QRandomGenerator &dice, const QJsonValue &was)
{
    switch (dice.bounded(9)) {
    case 0: return QJsonValue(QJsonValue::Null);
    case 1: return QStringLiteral("");
    case 2: return QStringLiteral("unreadable");
    case 3: return was.isDouble() ? QJsonValue(was.toVariant().toString()) : QJsonValue(QStringLiteral("NaN"));
    case 4: return QJsonArray{was};
    case 5: return QJsonObject{{QStringLiteral("x"), was}};
    case 6: return -1;
    case 7: return was.isDouble() ? QJsonValue(1e300) : QJsonValue(true);
    default: return was.isDouble() ? QJsonValue(was.toDouble() + 0.125) : QJsonValue(false);
    }
}

inline QJsonArray brokenRows(const QJsonArray &whole, QRandomGenerator &dice, QStringList &what)
{
    auto rows = whole;
    const auto at = dice.bounded(int(rows.size()));
    auto row = rows[at].toObject();
    const auto keys = row.keys();
    if (keys.isEmpty() || dice.bounded(20) == 0) {
        what << QStringLiteral("row %1").arg(at);
        rows[at] = oddValue(dice, rows[at]);
        return rows;
    }
    const auto key = keys[dice.bounded(int(keys.size()))];
    // What is no lock is no lock: nobody can tell a lock that was dropped.
    const bool isOptional = key == QLatin1String("lock");
    if (dice.bounded(2) && !isOptional)
        row.remove(key);
    else if (row[key].isString() && key != QLatin1String("type") && !isOptional && dice.bounded(2))
        row[key] = dice.bounded(1000);
    else if (key != QLatin1String("type"))
        row[key] = isOptional ? QJsonValue(QJsonValue::Null) : oddValue(dice, row[key]);
    else
        row[key] = QJsonValue(QJsonValue::Null);
    what << QStringLiteral("row %1 %2=%3")
                .arg(at)
                .arg(key, QString::fromUtf8(QJsonDocument(QJsonArray{row[key]}).toJson(QJsonDocument::Compact)));
    rows[at] = row;
    return rows;
}

inline PollAnswers broken(QRandomGenerator &dice, int faults, QStringList &what)
{
    auto made = answers();
    for (int i = 0; i < faults; ++i) {
        switch (dice.bounded(12)) {
        case 0: made.version = oddValue(dice, made.version); break;
        case 1: made.status = oddValue(dice, QJsonValue()); break;
        case 2: made.tasks = oddValue(dice, QJsonValue()); break;
        case 3: made.resources = dice.bounded(4) ? made.resources : oddValue(dice, QJsonValue()); break;
        case 4: made.permissions = oddValue(dice, QJsonValue()); break;
        case 5:
        case 6:
            if (made.status && !made.status->toArray().isEmpty())
                made.status = QJsonValue(brokenRows(made.status->toArray(), dice, what));
            break;
        case 7:
        case 8:
            if (made.tasks && !made.tasks->toArray().isEmpty())
                made.tasks = QJsonValue(brokenRows(made.tasks->toArray(), dice, what));
            break;
        default:
            if (!made.resources.toArray().isEmpty())
                made.resources = brokenRows(made.resources.toArray(), dice, what);
        }
    }
    return made;
}

template <class T>
bool isMadeUp(const std::optional<T> &was, const std::optional<T> &is)
{
    // A fraction that stands where there was one is a number like any other; a whole number has to be the one that was
    // sent.
    if constexpr (std::is_same_v<T, double>)
        return is && *is == 0 && was && *was != 0;
    else
        return is && was != is;
}

inline QString madeUpOf(const GuestState &was, const GuestState &is)
{
    using Power = GuestState::Power;
    if (is.power != was.power && is.power != Power::Unknown)
        return QStringLiteral("guest %1 is %2").arg(is.vmid.text(), powerName(is.power));
    if (isMadeUp(was.cpu, is.cpu))
        return QStringLiteral("cpu");
    const std::pair<std::optional<qint64>, std::optional<qint64>> numbers[] = {
        {was.cpus, is.cpus},          {was.memory, is.memory},   {was.maxMemory, is.maxMemory},
        {was.disk, is.disk},          {was.maxDisk, is.maxDisk}, {was.uptime, is.uptime},
        {was.netIn, is.netIn},        {was.netOut, is.netOut},   {was.diskRead, is.diskRead},
        {was.diskWrite, is.diskWrite}};
    int at = 0;
    for (const auto &[before, after] : numbers) {
        ++at;
        if (isMadeUp(before, after))
            return QStringLiteral("number %1 of guest %2").arg(at).arg(is.vmid.text());
    }
    return {};
}

/// What `is` claims though `whole`, the truth, does not say it; empty: nothing.
inline QString madeUp(const InventorySnapshot &whole, const InventorySnapshot &is)
{
    for (const auto &guest : is.guests)
        if (const auto *was = whole.guest(guest.vmid))
            if (const auto fault = madeUpOf(*was, guest); !fault.isEmpty())
                return fault;
    for (const auto &node : is.nodes) {
        const auto *was = whole.node(node.name);
        if (was && node.status != was->status && node.status != NodeState::Status::Unknown)
            return QStringLiteral("node %1 is %2").arg(node.name.text(), nodeStatusName(node.status));
        if (was && (isMadeUp(was->cpu, node.cpu) || isMadeUp(was->memory, node.memory) ||
                    isMadeUp(was->maxMemory, node.maxMemory)))
            return QStringLiteral("number of node ") + node.name.text();
    }
    for (const auto &storage : is.storages)
        for (const auto &was : whole.storages)
            if (was.name == storage.name && was.node == storage.node &&
                ((storage.isAvailable && !was.isAvailable) || isMadeUp(was.used, storage.used) ||
                 isMadeUp(was.size, storage.size)))
                return QStringLiteral("storage on ") + storage.node.text();
    for (const auto &task : is.tasks)
        for (const auto &was : whole.tasks)
            if (was.upid == task.upid && task.status == QLatin1String("OK") && was.status != task.status)
                return QStringLiteral("success of ") + task.upid.text;
    if (is.quorate && is.quorate != whole.quorate)
        return QStringLiteral("quorum");
    return {};
}
}
