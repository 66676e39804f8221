#pragma once
#include "base/Background.h"
#include "inventory/Inventory.h"
#include <QBasicTimer>
#include <QCoro/QCoroTask>
#include <QHash>
#include <QSet>

/// Keeps the last live state of each remote on disk, so that the window starts full, greyed with its age.
/// Owner's thread only; files are read and written on another. What cannot be written is tried again with the next
/// state.
class InventoryCache : public QObject
{
    Q_OBJECT
public:
    /// Writes into `folder` (made if missing, 0700) at most once per `every`. The inventory is borrowed.
    InventoryCache(QString folder, Inventory &inventory, std::chrono::milliseconds every = std::chrono::seconds(10));
    /// Writes what is not yet written; this is the one call that waits for the disk.
    ~InventoryCache() override;

    /// Publishes as Cached what was last known, unless something newer is known by then. NotFound: nothing was kept;
    /// Malformed: it cannot be read and the next live state will replace it.
    Future<void> load(const QString &remoteId, const QString &remoteName);
    /// Writes now; resolves when it is on disk. Unavailable: it could not be written.
    Future<void> flush();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    QCoro::Task<void> loadNow(QString remoteId, QString remoteName, Promise<void> promise);
    void note(const QString &remoteId);
    void drop(const QString &remoteId);
    QString pathOf(const QString &remoteId) const;

    const QString m_folder;
    Inventory &m_inventory;
    const std::chrono::milliseconds m_every;
    QHash<QString, InventoryPtr> m_dirty; ///< by path
    QSet<QString> m_loading;
    QBasicTimer m_timer;
    Background m_background;
};
