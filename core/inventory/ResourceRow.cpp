#include "inventory/ResourceRow.h"
#include "model/PveValue.h"
#include <QRegularExpression>

namespace
{
std::optional<qint64> amount(const QJsonObject &row, const char *key)
{
    const auto value = PveValue::integer(row, key);
    return value && *value >= 0 ? value : std::nullopt;
}

std::optional<double> load(const QJsonObject &row, const char *key)
{
    const auto value = PveValue::number(row, key);
    return value && *value >= 0 ? value : std::nullopt;
}

/// A string and nothing else; empty where it is missing.
QString word(const QJsonObject &row, const char *key)
{
    return row.value(QLatin1String(key)).toString();
}

/// The part of "qemu/101", "node/pve1" or "storage/pve1/local" after the n-th slash.
QString partOfId(const QJsonObject &row, int n)
{
    return word(row, "id").section(u'/', n, n);
}

NodeName nodeOf(const QJsonObject &row, int partOfRowId)
{
    for (const auto &text : {word(row, "node"), partOfId(row, partOfRowId)})
        if (const auto name = NodeName::from(text))
            return *name;
    return {};
}

QString typeWord(const QJsonObject &row)
{
    const auto type = row.value(QLatin1String("type"));
    if (type.isString())
        return type.toString();
    const auto id = word(row, "id");
    return id.startsWith(QLatin1String("/pool/")) ? QStringLiteral("pool") : id.section(u'/', 0, 0);
}

Vmid vmidOf(const QJsonObject &row)
{
    if (const auto number = PveValue::integer(row, "vmid"))
        if (const auto vmid = Vmid::from(*number))
            return *vmid;
    const auto fromId = Vmid::from(partOfId(row, 1));
    return fromId ? *fromId : Vmid();
}

GuestState::Power powerOf(const QJsonObject &row)
{
    const auto status = word(row, "status");
    const auto lock = row.value(QLatin1String("lock"));
    if (status == QLatin1String("stopped")) {
        // A guest suspended to disk is stopped with this lock until it is resumed.
        if (!lock.isUndefined() && !lock.isString())
            return GuestState::Power::Unknown;
        return lock.toString() == QLatin1String("suspended") ? GuestState::Power::Suspended
                                                             : GuestState::Power::Stopped;
    }
    if (status == QLatin1String("running"))
        return GuestState::Power::Running;
    if (status == QLatin1String("paused"))
        return GuestState::Power::Paused;
    if (status == QLatin1String("suspended"))
        return GuestState::Power::Suspended;
    return GuestState::Power::Unknown;
}

QStringList tagsOf(const QJsonObject &row)
{
    static const QRegularExpression separators(QStringLiteral("[;, ]"));
    return word(row, "tags").split(separators, Qt::SkipEmptyParts);
}
}

ResourceRow::Type ResourceRow::typeOf(const QJsonObject &row)
{
    const auto type = typeWord(row);
    if (type == QLatin1String("qemu") || type == QLatin1String("lxc"))
        return Type::Guest;
    if (type == QLatin1String("node"))
        return Type::Node;
    if (type == QLatin1String("storage"))
        return Type::Storage;
    if (type == QLatin1String("pool"))
        return Type::Pool;
    // A kind that we do not know is none of ours, unless its own id says otherwise.
    static const QStringList ours{QStringLiteral("qemu"), QStringLiteral("lxc"), QStringLiteral("node"),
                                  QStringLiteral("storage")};
    return type.isEmpty() || ours.contains(partOfId(row, 0)) ? Type::Unreadable : Type::Other;
}

std::optional<GuestState> ResourceRow::guest(const QJsonObject &row)
{
    GuestState guest;
    guest.vmid = vmidOf(row);
    if (guest.vmid.isEmpty())
        return std::nullopt;
    guest.kind = typeWord(row) == QLatin1String("lxc") ? GuestKind::Lxc : GuestKind::Qemu;
    if (const auto name = NodeName::from(word(row, "node")))
        guest.node = *name;
    guest.name = word(row, "name");
    guest.lock = word(row, "lock");
    guest.power = powerOf(row);
    guest.isTemplate = isTemplate(row).value_or(false);
    guest.tags = tagsOf(row);
    guest.pool = word(row, "pool");
    guest.haState = word(row, "hastate");
    guest.cpu = load(row, "cpu");
    guest.cpus = amount(row, "maxcpu");
    guest.memory = amount(row, "mem");
    guest.maxMemory = amount(row, "maxmem");
    guest.disk = amount(row, "disk");
    guest.maxDisk = amount(row, "maxdisk");
    guest.uptime = amount(row, "uptime");
    guest.netIn = amount(row, "netin");
    guest.netOut = amount(row, "netout");
    guest.diskRead = amount(row, "diskread");
    guest.diskWrite = amount(row, "diskwrite");
    return guest;
}

std::optional<bool> ResourceRow::isTemplate(const QJsonObject &row)
{
    return PveValue::boolean(row, "template");
}

void ResourceRow::forgetRuntime(GuestState &guest)
{
    guest.power = GuestState::Power::Unknown;
    guest.cpu.reset();
    for (auto *number :
         {&guest.memory, &guest.disk, &guest.uptime, &guest.netIn, &guest.netOut, &guest.diskRead, &guest.diskWrite})
        number->reset();
}

std::optional<NodeState> ResourceRow::node(const QJsonObject &row)
{
    NodeState node;
    node.name = nodeOf(row, 1);
    if (node.name.isEmpty())
        return std::nullopt;
    const auto status = word(row, "status");
    if (status == QLatin1String("online"))
        node.status = NodeState::Status::Online;
    if (status == QLatin1String("offline"))
        node.status = NodeState::Status::Offline;
    node.cpu = load(row, "cpu");
    node.cpus = amount(row, "maxcpu");
    node.memory = amount(row, "mem");
    node.maxMemory = amount(row, "maxmem");
    node.disk = amount(row, "disk");
    node.maxDisk = amount(row, "maxdisk");
    node.uptime = amount(row, "uptime");
    return node;
}

std::optional<StorageState> ResourceRow::storage(const QJsonObject &row)
{
    StorageState storage;
    storage.node = nodeOf(row, 1);
    for (const auto &text : {word(row, "storage"), partOfId(row, 2)})
        if (const auto name = StorageName::from(text); name && storage.name.isEmpty())
            storage.name = *name;
    if (storage.name.isEmpty() || storage.node.isEmpty())
        return std::nullopt;
    storage.isShared = PveValue::boolean(row, "shared").value_or(false);
    storage.isAvailable = word(row, "status") == QLatin1String("available");
    storage.type = word(row, "plugintype");
    storage.content = word(row, "content");
    storage.used = amount(row, "disk");
    storage.size = amount(row, "maxdisk");
    return storage;
}

QString ResourceRow::pool(const QJsonObject &row)
{
    const auto name = word(row, "pool");
    return name.isEmpty() ? word(row, "id").mid(QLatin1String("/pool/").size()) : name;
}

std::optional<TaskState> ResourceRow::task(const QJsonObject &row)
{
    auto upid = Upid::from(word(row, "upid"));
    if (!upid)
        return std::nullopt;
    TaskState task;
    task.user = upid->tokenId.isEmpty() ? upid->user : upid->user + u'!' + upid->tokenId;
    task.startTime = amount(row, "starttime").value_or(upid->startTime);
    task.endTime = amount(row, "endtime");
    const auto status = word(row, "status");
    task.status = status == QLatin1String("RUNNING") ? QString() : status;
    task.upid = std::move(*upid);
    return task;
}
