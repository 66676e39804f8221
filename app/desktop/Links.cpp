#include "Links.h"
#include "inventory/Inventory.h"
#include "inventory/InventoryCache.h"
#include "inventory/Poller.h"
#include "pve/Connection.h"

Links::Links(Connections &connections, Inventory &inventory, InventoryCache &cache, const Clock &clock)
    : m_connections(connections), m_inventory(inventory), m_cache(cache), m_clock(clock)
{
}

Links::~Links() = default;

void Links::open(const Remote &remote)
{
    const auto loaded = m_cache.load(remote.id, remote.name);
    Q_UNUSED(loaded) // without a cache the first answer fills the tree
    auto poller = std::make_unique<Poller>(m_connections.open(remote), m_inventory, m_clock);
    poller->setActive(m_isActive);
    m_pollers[remote.id] = std::move(poller);
}

void Links::reopen(const Remote &remote)
{
    m_pollers.erase(remote.id);
    m_connections.close(remote.id);
    open(remote);
}

void Links::close(const QString &remoteId)
{
    m_pollers.erase(remoteId);
    m_connections.close(remoteId);
    m_inventory.forget(remoteId);
}

void Links::refresh(const QString &remoteId)
{
    const auto poller = m_pollers.find(remoteId);
    if (poller == m_pollers.end())
        return;
    const auto asked = poller->second->refresh();
    Q_UNUSED(asked) // the inventory tells when the answer is there
}

void Links::setActive(bool active)
{
    m_isActive = active;
    for (const auto &[id, poller] : m_pollers)
        poller->setActive(active);
}
