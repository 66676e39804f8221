#include "simulator/world/World.h"
#include <algorithm>

World::World(const Clock &clock, quint64 seed) : m_clock(clock), m_seed(seed) {}

void World::settle()
{
    const auto now = m_clock.wallMs();
    while (!m_due.empty() && m_due.begin()->first <= now) {
        auto next = m_due.extract(m_due.begin());
        m_at = next.key();
        next.mapped()();
    }
    m_at = 0;
}

void World::after(std::chrono::milliseconds delay, std::function<void()> what)
{
    m_due.emplace(nowMs() + delay.count(), std::move(what));
}

ClusterNode *World::node(const QString &name)
{
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const auto &node) { return node.name == name; });
    return found == nodes.end() ? nullptr : &*found;
}

StorageDefinition *World::storage(const QString &name)
{
    const auto found =
        std::find_if(storages.begin(), storages.end(), [&](const auto &storage) { return storage.name == name; });
    return found == storages.end() ? nullptr : &*found;
}

void World::poolsChanged()
{
    access.poolOfPath.clear();
    for (const auto &pool : pools) {
        for (const auto &guest : pool.guests)
            access.poolOfPath.insert(QStringLiteral("/vms/") + guest, pool.name);
        for (const auto &storage : pool.storages)
            access.poolOfPath.insert(QStringLiteral("/storage/") + storage, pool.name);
    }
}

QString World::poolOf(qint64 vmid) const
{
    const auto text = QString::number(vmid);
    for (const auto &pool : pools)
        if (pool.guests.contains(text))
            return pool.name;
    return {};
}

const HaResource *World::haOf(const Guest &guest) const
{
    const auto sid = (guest.isQemu() ? QStringLiteral("vm:") : QStringLiteral("ct:")) + QString::number(guest.vmid);
    const auto found = std::find_if(ha.begin(), ha.end(), [&](const auto &resource) { return resource.sid == sid; });
    return found == ha.end() ? nullptr : &*found;
}

void World::setOnline(const QString &name, bool online)
{
    if (auto *changed = node(name); changed && changed->online != online) {
        changed->online = online;
        changed->changedAt = now();
        if (online)
            changed->bootedAt = now();
    }
}

bool World::hasFreshNumbers(const QString &name) const
{
    const auto *asked = node(name);
    return asked && (asked->online || now() - asked->changedAt < 300);
}

Guest *World::guest(qint64 vmid)
{
    const auto found = m_guests.find(vmid);
    return found == m_guests.end() ? nullptr : found->second.get();
}

QList<Guest *> World::guests()
{
    QList<Guest *> all;
    for (const auto &[vmid, guest] : m_guests)
        all.append(guest.get());
    return all;
}

QList<const Guest *> World::guests() const
{
    QList<const Guest *> all;
    for (const auto &[vmid, guest] : m_guests)
        all.append(guest.get());
    return all;
}

Guest &World::add(Guest guest)
{
    auto &slot = m_guests[guest.vmid];
    slot = std::make_unique<Guest>(std::move(guest));
    return *slot;
}

void World::remove(qint64 vmid)
{
    const auto text = QString::number(vmid);
    for (auto &pool : pools)
        pool.guests.removeAll(text);
    poolsChanged();
    firewalls.erase(QStringLiteral("guest/") + text);
    m_guests.erase(vmid);
}

void World::start(Guest &guest)
{
    for (const auto &key : std::as_const(guest.pendingDeletes))
        guest.config.remove(key);
    for (auto it = guest.pending.begin(); it != guest.pending.end(); ++it)
        guest.config.insert(it.key(), it.value());
    guest.pending.clear();
    guest.pendingDeletes.clear();
    guest.cloudInitDrive.reset();
    guest.run = Guest::Run::Running;
    guest.startedAt = now();
    guest.pid = nextPid();
    if (!guest.stops.isEmpty() && guest.stops.last().second == 0)
        guest.stops.last().second = now();
}

void World::stop(Guest &guest)
{
    guest.run = Guest::Run::Stopped;
    guest.startedAt = 0;
    guest.pid = 0;
    guest.stops.append({now(), 0});
}

void World::setConfig(qint64 vmid, const QString &key, const QString &value)
{
    auto *changed = guest(vmid);
    if (!changed)
        return;
    if (value.isEmpty())
        changed->config.remove(key);
    else
        changed->config.insert(key, value);
}
