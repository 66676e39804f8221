#include "inventory/PollAnswers.h"
#include "base/DisplayText.h"
#include "inventory/ResourceRow.h"
#include "inventory/Visibility.h"
#include "model/PveValue.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

namespace
{
using Reach = InventorySnapshot::Reach;
using Status = NodeState::Status;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(PollAnswers)
};

/// Reads one round; rows that do not say what they are about are counted and the first is quoted.
class Reading
{
public:
    Reading(const PollAnswers &answers, const InventorySnapshot *previous) : m_answers(answers), m_previous(previous) {}

    InventorySnapshot read()
    {
        readWhole();
        for (const auto &row : m_answers.resources.toArray())
            readResource(row.toObject());
        readStatus();
        readTasks();
        settle();
        return std::move(m_next);
    }

private:
    void readWhole();
    void readResource(const QJsonObject &row);
    void readGuest(const QJsonObject &row);
    void readStatus();
    void readStatusRow(const QJsonObject &row);
    void readTasks();
    void settle();
    void settleOffline();
    void settleAges();
    void keepVanished();
    void sortAll();
    void sayProblem();
    void notUnderstood(const QJsonObject &row);
    const GuestState *before(Vmid vmid) const { return m_previous ? m_previous->guest(vmid) : nullptr; }

    const PollAnswers &m_answers;
    const InventorySnapshot *m_previous;
    InventorySnapshot m_next;
    int m_unreadable = 0;
    QString m_anUnreadable; ///< the first of them, as it was sent
    bool m_lostGuests = false;
    QStringList m_problems;
};

void Reading::readWhole()
{
    m_next.remoteId = m_answers.remoteId;
    m_next.remoteName = m_answers.remoteName;
    m_next.reach = Reach::Live;
    m_next.takenAtMs = m_answers.takenAtMs;
    m_next.latencyMs = m_answers.latencyMs;
    m_next.version = PveValue::text(m_answers.version.toObject(), "version").value_or(QString());
    m_next.hidden = m_previous ? m_previous->hidden : QString();
    if (m_answers.permissions)
        if (const auto hidden = Visibility::hidden(*m_answers.permissions))
            m_next.hidden = *hidden;
}

void Reading::readResource(const QJsonObject &row)
{
    switch (ResourceRow::typeOf(row)) {
    case ResourceRow::Type::Guest: return readGuest(row);
    case ResourceRow::Type::Node:
        if (auto node = ResourceRow::node(row))
            return m_next.nodes.push_back(std::move(*node));
        break;
    case ResourceRow::Type::Storage:
        if (auto storage = ResourceRow::storage(row))
            return m_next.storages.push_back(std::move(*storage));
        break;
    case ResourceRow::Type::Pool:
        if (const auto pool = ResourceRow::pool(row); !pool.isEmpty())
            return m_next.pools.push_back(pool);
        break;
    case ResourceRow::Type::Other: return;
    case ResourceRow::Type::Unreadable: m_lostGuests = true; break;
    }
    notUnderstood(row);
}

void Reading::notUnderstood(const QJsonObject &row)
{
    if (++m_unreadable == 1)
        m_anUnreadable =
            DisplayText::visible(QString::fromUtf8(QJsonDocument(row).toJson(QJsonDocument::Compact).left(120)));
}

void Reading::readGuest(const QJsonObject &row)
{
    auto guest = ResourceRow::guest(row);
    if (!guest) {
        m_lostGuests = true;
        notUnderstood(row);
        return;
    }
    const auto *known = before(guest->vmid);
    if (known && guest->node.isEmpty())
        guest->node = known->node;
    if (known && !ResourceRow::isTemplate(row))
        guest->isTemplate = known->isTemplate;
    // A node that is silent for minutes takes its guests' names along (A12).
    if (known && !row.contains(QLatin1String("name")))
        guest->name = known->name;
    m_next.guests.push_back(std::move(*guest));
}

void Reading::readStatus()
{
    if (!m_answers.status || !m_answers.status->isArray()) {
        m_next.clusterName = m_previous ? m_previous->clusterName : QString();
        const bool mayNot = !m_answers.status && m_answers.status.error().kind == Error::Kind::Forbidden;
        if (!mayNot)
            m_problems << Text::tr("The state of the cluster could not be read.");
        return;
    }
    for (const auto &row : m_answers.status->toArray())
        readStatusRow(row.toObject());
}

void Reading::readStatusRow(const QJsonObject &row)
{
    const auto type = row.value(QLatin1String("type")).toString();
    if (type == QLatin1String("cluster")) {
        m_next.clusterName = row.value(QLatin1String("name")).toString();
        m_next.quorate = PveValue::boolean(row, "quorate");
        return;
    }
    const auto name = NodeName::from(row.value(QLatin1String("name")).toString());
    if (type != QLatin1String("node") || !name)
        return notUnderstood(row);
    auto found = std::find_if(m_next.nodes.begin(), m_next.nodes.end(),
                              [&](const NodeState &node) { return node.name == *name; });
    if (found == m_next.nodes.end()) {
        m_next.nodes.emplace_back().name = *name;
        found = std::prev(m_next.nodes.end());
    }
    // Membership is fresher than the list of resources.
    if (const auto online = PveValue::boolean(row, "online"))
        found->status = *online ? Status::Online : Status::Offline;
}

void Reading::readTasks()
{
    if (!m_answers.tasks || !m_answers.tasks->isArray()) {
        if (m_previous)
            m_next.tasks = m_previous->tasks;
        m_problems << Text::tr("The list of tasks could not be read.");
        return;
    }
    for (const auto &row : m_answers.tasks->toArray()) {
        if (auto task = ResourceRow::task(row.toObject()))
            m_next.tasks.push_back(std::move(*task));
        else
            notUnderstood(row.toObject());
    }
}

void Reading::settle()
{
    if (m_lostGuests)
        keepVanished();
    sortAll();
    settleOffline();
    settleAges();
    sayProblem();
}

/// Of rows that could not be read nobody knows which guest they were: those that are missing now stay, as unknown.
void Reading::keepVanished()
{
    if (!m_previous)
        return;
    QSet<Vmid> seen;
    for (const auto &guest : m_next.guests)
        seen.insert(guest.vmid);
    for (const auto &guest : m_previous->guests) {
        if (seen.contains(guest.vmid))
            continue;
        m_next.guests.push_back(guest);
        ResourceRow::forgetRuntime(m_next.guests.back());
    }
}

template <class Row, class Key>
void sortUniquely(std::vector<Row> &rows, Key key)
{
    std::stable_sort(rows.begin(), rows.end(), [&](const Row &one, const Row &other) { return key(one) < key(other); });
    const auto same = [&](const Row &one, const Row &other) { return key(one) == key(other); };
    rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
}

void Reading::sortAll()
{
    sortUniquely(m_next.guests, [](const GuestState &guest) { return guest.vmid; });
    sortUniquely(m_next.nodes, [](const NodeState &node) { return node.name.text(); });
    sortUniquely(m_next.storages,
                 [](const StorageState &storage) { return std::pair(storage.node.text(), storage.name.text()); });
    sortUniquely(m_next.tasks, [](const TaskState &task) { return std::pair(-task.startTime, task.upid.text); });
    m_next.pools.sort();
    m_next.pools.removeDuplicates();
}

/// What is said about a guest or storage holds only if its node is known to be there: PVE repeats what it heard last.
void Reading::settleOffline()
{
    QSet<NodeName> online;
    for (auto &node : m_next.nodes) {
        if (node.status == Status::Online)
            online.insert(node.name);
        if (node.status != Status::Offline)
            continue;
        node.cpu.reset();
        for (auto *number : {&node.memory, &node.disk, &node.uptime})
            number->reset();
    }
    for (auto &guest : m_next.guests)
        if (!online.contains(guest.node))
            ResourceRow::forgetRuntime(guest);
    for (auto &storage : m_next.storages) {
        if (online.contains(storage.node))
            continue;
        storage.isAvailable = false;
        storage.used.reset();
    }
}

/// Since when a node is away: the time of the last answer in which it was online.
void Reading::settleAges()
{
    for (auto &node : m_next.nodes) {
        const auto *known = m_previous ? m_previous->node(node.name) : nullptr;
        if (node.status == Status::Online || !known)
            continue;
        node.lastSeenMs = known->status == Status::Online ? std::optional(m_previous->takenAtMs) : known->lastSeenMs;
    }
}

void Reading::sayProblem()
{
    if (m_unreadable > 0)
        m_problems << Text::tr("Entries of the answer that could not be understood: %1, such as %2.")
                          .arg(QString::number(m_unreadable), m_anUnreadable);
    m_next.problem = m_problems.join(u' ');
}
}

Result<InventorySnapshot> readAnswers(const PollAnswers &answers, const InventorySnapshot *previous)
{
    if (!answers.resources.isArray())
        return Error{Error::Kind::Malformed, Text::tr("The list of what the cluster holds could not be understood."),
                     QStringLiteral("/cluster/resources: no list")};
    return Reading(answers, previous).read();
}
