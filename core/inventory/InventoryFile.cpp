#include "inventory/InventoryFile.h"
#include "base/StrictJson.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonObject>
#include <algorithm>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(InventoryFile)
};
constexpr int version = 2;
constexpr qsizetype longest = 64 * 1024 * 1024;
constexpr int mostTasks = 100;

template <class T>
QJsonValue maybe(const std::optional<T> &value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

/// Takes the fields of one row in order; a field of another kind than expected spoils the whole file.
class Row
{
public:
    Row(const QJsonValue &row, int size) : m_fields(row.toArray())
    {
        m_isFine = row.isArray() && m_fields.size() == size;
    }
    bool isFine() const { return m_isFine; }
    QString text()
    {
        return take([](const QJsonValue &field) { return field.isString(); }).toString();
    }
    bool flag()
    {
        return take([](const QJsonValue &field) { return field.isBool(); }).toBool();
    }
    qint64 integer()
    {
        return take([](const QJsonValue &field) { return field.isDouble(); }).toInteger();
    }
    std::optional<qint64> maybeInteger()
    {
        const auto field = take([](const QJsonValue &each) { return each.isDouble() || each.isNull(); });
        return field.isDouble() ? std::optional(field.toInteger()) : std::nullopt;
    }
    std::optional<double> maybeNumber()
    {
        const auto field = take([](const QJsonValue &each) { return each.isDouble() || each.isNull(); });
        return field.isDouble() ? std::optional(field.toDouble()) : std::nullopt;
    }
    template <class Choice>
    Choice choice(int count)
    {
        const auto number = integer();
        m_isFine = m_isFine && number >= 0 && number < count;
        return m_isFine ? static_cast<Choice>(number) : Choice();
    }
    template <class Id>
    Id id(bool mayBeEmpty = false)
    {
        const auto words = text();
        const auto valid = Id::from(words);
        m_isFine = m_isFine && (valid || (mayBeEmpty && words.isEmpty()));
        return valid ? *valid : Id();
    }
    Vmid vmid()
    {
        const auto valid = Vmid::from(integer());
        m_isFine = m_isFine && valid;
        return valid ? *valid : Vmid();
    }

private:
    template <class Fits>
    QJsonValue take(Fits fits)
    {
        const auto field = m_fields.at(m_next++); // undefined past the end
        m_isFine = m_isFine && fits(field);
        return field;
    }
    QJsonArray m_fields;
    int m_next = 0;
    bool m_isFine = true;
};

constexpr int nodeFields = 10, guestFields = 21, storageFields = 8, taskFields = 5;

QJsonArray toJson(const NodeState &node)
{
    return {node.name.text(),      int(node.status), maybe(node.cpu),     maybe(node.cpus),   maybe(node.memory),
            maybe(node.maxMemory), maybe(node.disk), maybe(node.maxDisk), maybe(node.uptime), maybe(node.lastSeenMs)};
}

NodeState nodeFrom(Row &row)
{
    NodeState node;
    node.name = row.id<NodeName>();
    node.status = row.choice<NodeState::Status>(3);
    node.cpu = row.maybeNumber();
    for (auto *field :
         {&node.cpus, &node.memory, &node.maxMemory, &node.disk, &node.maxDisk, &node.uptime, &node.lastSeenMs})
        *field = row.maybeInteger();
    return node;
}

QJsonArray toJson(const GuestState &guest)
{
    return {guest.vmid.number(),
            int(guest.kind),
            guest.node.text(),
            guest.name,
            int(guest.power),
            guest.isTemplate,
            guest.tags.join(u';'),
            guest.pool,
            guest.lock,
            guest.haState,
            maybe(guest.cpu),
            maybe(guest.cpus),
            maybe(guest.memory),
            maybe(guest.maxMemory),
            maybe(guest.disk),
            maybe(guest.maxDisk),
            maybe(guest.uptime),
            maybe(guest.netIn),
            maybe(guest.netOut),
            maybe(guest.diskRead),
            maybe(guest.diskWrite)};
}

GuestState guestFrom(Row &row)
{
    GuestState guest;
    guest.vmid = row.vmid();
    guest.kind = row.choice<GuestKind>(2);
    guest.node = row.id<NodeName>(true);
    guest.name = row.text();
    guest.power = row.choice<GuestState::Power>(5);
    guest.isTemplate = row.flag();
    guest.tags = row.text().split(u';', Qt::SkipEmptyParts);
    for (auto *field : {&guest.pool, &guest.lock, &guest.haState})
        *field = row.text();
    guest.cpu = row.maybeNumber();
    for (auto *field : {&guest.cpus, &guest.memory, &guest.maxMemory, &guest.disk, &guest.maxDisk, &guest.uptime,
                        &guest.netIn, &guest.netOut, &guest.diskRead, &guest.diskWrite})
        *field = row.maybeInteger();
    return guest;
}

QJsonArray toJson(const StorageState &storage)
{
    return {storage.name.text(), storage.node.text(), storage.isShared,    storage.isAvailable,
            storage.type,        storage.content,     maybe(storage.used), maybe(storage.size)};
}

StorageState storageFrom(Row &row)
{
    StorageState storage;
    storage.name = row.id<StorageName>();
    storage.node = row.id<NodeName>();
    storage.isShared = row.flag();
    storage.isAvailable = row.flag();
    storage.type = row.text();
    storage.content = row.text();
    storage.used = row.maybeInteger();
    storage.size = row.maybeInteger();
    return storage;
}

QJsonArray toJson(const TaskState &task)
{
    return {task.upid.text, task.user, task.startTime, maybe(task.endTime), task.status};
}

TaskState taskFrom(Row &row)
{
    TaskState task;
    task.upid = row.id<Upid>();
    task.user = row.text();
    task.startTime = row.integer();
    task.endTime = row.maybeInteger();
    task.status = row.text();
    return task;
}

template <class T>
QJsonArray rowsOf(const std::vector<T> &all)
{
    QJsonArray rows;
    for (const auto &each : all)
        rows.append(toJson(each));
    return rows;
}

template <class T>
bool readRows(const QJsonValue &rows, int fields, T (*from)(Row &), std::vector<T> &all)
{
    const auto array = rows.toArray();
    all.reserve(static_cast<size_t>(array.size()));
    for (const auto &entry : array) {
        Row row(entry, fields);
        if (!row.isFine())
            return false;
        all.push_back(from(row));
        if (!row.isFine())
            return false;
    }
    return rows.isArray();
}

QJsonArray wholeOf(const InventorySnapshot &snapshot)
{
    const auto quorate = snapshot.quorate ? QJsonValue(int(*snapshot.quorate)) : QJsonValue(QJsonValue::Null);
    return {snapshot.remoteId, snapshot.remoteName, snapshot.clusterName,     snapshot.takenAtMs, snapshot.hidden,
            quorate,           snapshot.version,    snapshot.pools.join(u';')};
}

bool readWhole(const QJsonValue &value, InventorySnapshot &snapshot)
{
    Row row(value, 8);
    if (!row.isFine())
        return false;
    snapshot.remoteId = row.text();
    snapshot.remoteName = row.text();
    snapshot.clusterName = row.text();
    snapshot.takenAtMs = row.integer();
    snapshot.hidden = row.text();
    if (const auto quorate = row.maybeInteger())
        snapshot.quorate = *quorate != 0;
    snapshot.version = row.text();
    snapshot.pools = row.text().split(u';', Qt::SkipEmptyParts);
    snapshot.reach = InventorySnapshot::Reach::Cached;
    return row.isFine();
}

bool isInOrder(const std::vector<GuestState> &guests)
{
    const auto bySame = [](const GuestState &one, const GuestState &other) { return one.vmid >= other.vmid; };
    return std::adjacent_find(guests.begin(), guests.end(), bySame) == guests.end();
}
}

QByteArray InventoryFile::write(const InventorySnapshot &snapshot)
{
    std::vector<TaskState> ended;
    for (const auto &task : snapshot.tasks)
        if (!task.isRunning() && ended.size() < mostTasks)
            ended.push_back(task);
    const QJsonObject file{{QStringLiteral("version"), version},
                           {QStringLiteral("whole"), wholeOf(snapshot)},
                           {QStringLiteral("nodes"), rowsOf(snapshot.nodes)},
                           {QStringLiteral("guests"), rowsOf(snapshot.guests)},
                           {QStringLiteral("storages"), rowsOf(snapshot.storages)},
                           {QStringLiteral("tasks"), rowsOf(ended)}};
    return StrictJson::write(file);
}

Result<InventorySnapshot> InventoryFile::parse(const QByteArray &text)
{
    const Error broken{Error::Kind::Malformed, Text::tr("What was last known of this cluster cannot be read.")};
    StrictJson::Limits limits;
    limits.bytes = longest;
    limits.exactIntegers = false; // counters of bytes may be as large as they like
    const auto json = StrictJson::parseObject(text, limits);
    if (!json || json->value(QLatin1String("version")).toInteger() != version)
        return broken;
    InventorySnapshot snapshot;
    const bool isFine =
        readWhole(json->value(QLatin1String("whole")), snapshot) &&
        readRows(json->value(QLatin1String("nodes")), nodeFields, nodeFrom, snapshot.nodes) &&
        readRows(json->value(QLatin1String("guests")), guestFields, guestFrom, snapshot.guests) &&
        readRows(json->value(QLatin1String("storages")), storageFields, storageFrom, snapshot.storages) &&
        readRows(json->value(QLatin1String("tasks")), taskFields, taskFrom, snapshot.tasks);
    if (!isFine || !isInOrder(snapshot.guests))
        return broken;
    return snapshot;
}
