#include "inventory/InventoryCache.h"
#include "inventory/InventoryFile.h"
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSaveFile>
#include <QTimerEvent>

namespace
{
constexpr auto ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(InventoryCache)
};

Result<void> writeAll(const QString &folder, const QHash<QString, InventoryPtr> &states)
{
    Result<void> outcome;
    if (!states.isEmpty() && !QDir(folder).exists() && QDir().mkpath(folder))
        QFile::setPermissions(folder, ownerOnly | QFileDevice::ExeOwner);
    for (auto state = states.begin(); state != states.end(); ++state) {
        const auto text = InventoryFile::write(**state);
        QSaveFile file(state.key());
        if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(ownerOnly) || file.write(text) != text.size() ||
            !file.commit())
            outcome = Error{Error::Kind::Unavailable,
                            Text::tr("The last known state cannot be kept on disk: %1.").arg(file.errorString()),
                            state.key()};
    }
    return outcome;
}

Result<InventorySnapshot> readFile(const QString &path)
{
    QFile file(path);
    if (path.isEmpty() || !file.open(QIODevice::ReadOnly))
        return Error{Error::Kind::NotFound, Text::tr("Nothing was kept of this cluster."), path};
    return InventoryFile::parse(file.readAll());
}
}

InventoryCache::InventoryCache(QString folder, Inventory &inventory, std::chrono::milliseconds every)
    : m_folder(std::move(folder)), m_inventory(inventory), m_every(every)
{
    connect(&inventory, &Inventory::refreshed, this, &InventoryCache::note);
    connect(&inventory, &Inventory::forgotten, this, &InventoryCache::drop);
}

InventoryCache::~InventoryCache()
{
    // Through the worker, so that an older write that still waits there cannot come last.
    Q_UNUSED(flush());
    m_background.waitForAll();
}

Future<void> InventoryCache::load(const QString &remoteId, const QString &remoteName)
{
    Promise<void> promise;
    auto future = promise.future();
    m_loading.insert(remoteId);
    loadNow(remoteId, remoteName, std::move(promise));
    return future;
}

QCoro::Task<void> InventoryCache::loadNow(QString remoteId, QString remoteName, Promise<void> promise)
{
    const std::function<Result<InventorySnapshot>()> work = [path = pathOf(remoteId)] { return readFile(path); };
    auto state = co_await m_background.run<InventorySnapshot>(work);
    if (!state) { // also when the cache has gone away
        promise.finish(state.error());
        co_return;
    }
    const bool isWanted = m_loading.remove(remoteId); // not if it was forgotten meanwhile
    const auto known = m_inventory.snapshot(remoteId);
    if (isWanted && state->remoteId == remoteId && (!known || known->reach == InventorySnapshot::Reach::Never)) {
        state->remoteName = remoteName;
        if (known)
            state->problem = known->problem;
        m_inventory.publish(std::move(*state));
    }
    promise.finish({});
}

Future<void> InventoryCache::flush()
{
    m_timer.stop();
    const auto states = std::exchange(m_dirty, {});
    return m_background.run<void>([folder = m_folder, states] { return writeAll(folder, states); });
}

void InventoryCache::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_timer.timerId())
        Q_UNUSED(flush());
}

void InventoryCache::note(const QString &remoteId)
{
    const auto snapshot = m_inventory.snapshot(remoteId);
    const auto path = pathOf(remoteId);
    if (path.isEmpty() || !snapshot || snapshot->reach != InventorySnapshot::Reach::Live)
        return;
    m_dirty.insert(path, snapshot);
    if (!m_timer.isActive())
        m_timer.start(static_cast<int>(m_every.count()), this);
}

void InventoryCache::drop(const QString &remoteId)
{
    m_loading.remove(remoteId);
    const auto path = pathOf(remoteId);
    if (path.isEmpty())
        return;
    m_dirty.remove(path);
    Q_UNUSED(m_background.run<void>([path]() -> Result<void> {
        QFile::remove(path);
        return {};
    }));
}

/// Empty for an id that is none of ours: it never becomes part of a path.
QString InventoryCache::pathOf(const QString &remoteId) const
{
    static const QRegularExpression form(QRegularExpression::anchoredPattern(QStringLiteral("[a-z0-9-]{1,64}")));
    return form.match(remoteId).hasMatch() && !remoteId.endsWith(u'\n')
               ? m_folder + u'/' + remoteId + QLatin1String(".json")
               : QString();
}
