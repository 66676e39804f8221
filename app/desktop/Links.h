#pragma once
#include "base/Clock.h"
#include "remotes/Remote.h"
#include <QObject>
#include <map>
#include <memory>

class Connections;
class Inventory;
class InventoryCache;
class Poller;

/// Keeps every known cluster connected and asked: what was last known is shown first, then the polling begins.
class Links : public QObject
{
    Q_OBJECT
public:
    /// All borrowed.
    Links(Connections &connections, Inventory &inventory, InventoryCache &cache, const Clock &clock);
    ~Links() override;
    void open(const Remote &remote);
    /// Opens anew, as after another address or sign-in.
    void reopen(const Remote &remote);
    void close(const QString &remoteId);
    /// Asks this cluster now: something has changed there.
    void refresh(const QString &remoteId);
    /// Whether somebody looks: then clusters are asked more often.
    void setActive(bool active);

private:
    Connections &m_connections;
    Inventory &m_inventory;
    InventoryCache &m_cache;
    const Clock &m_clock;
    std::map<QString, std::unique_ptr<Poller>> m_pollers;
    bool m_isActive = true;
};
