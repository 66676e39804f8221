#include "instance/SingleInstance.h"
#include "mcp/SocketFolder.h"
#include <QDir>
#include <QLocalSocket>
#include <unistd.h>

static const auto socketName = QStringLiteral("window.sock");

SingleInstance::SingleInstance(QString dataFolder, QString socketFolder, QObject *parent)
    : QObject(parent), m_dataFolder(std::move(dataFolder)), m_socketFolder(std::move(socketFolder))
{
    connect(&m_server, &QLocalServer::newConnection, this, [this] {
        while (auto *visitor = m_server.nextPendingConnection())
            visitor->deleteLater();
        Q_EMIT raiseAsked();
    });
}

SingleInstance::~SingleInstance() = default;

Result<> SingleInstance::take()
{
    if (!QDir().mkpath(m_dataFolder))
        return Error{Error::Kind::Unavailable, tr("The folder %1 cannot be made.").arg(m_dataFolder)};
    QFile::setPermissions(m_dataFolder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    m_lock = std::make_unique<QLockFile>(m_dataFolder + QStringLiteral("/labhelm.lock"));
    m_lock->setStaleLockTime(0);
    if (!m_lock->tryLock()) {
        if (m_lock->error() != QLockFile::LockFailedError)
            return Error{Error::Kind::Unavailable, tr("Nothing can be written in %1.").arg(m_dataFolder)};
        askToRaise();
        return Error{Error::Kind::Conflict, tr("Labhelm is running already; its window was brought to the front.")};
    }
    auto place = SocketFolder::take(m_socketFolder);
    if (!place)
        return place.error();
    m_place = *std::move(place);
    const auto descriptor = m_place->listen(socketName);
    if (!descriptor)
        return descriptor.error();
    m_server.listen(*descriptor);
    return {};
}

/// To be called is the whole message.
void SingleInstance::askToRaise() const
{
    const auto descriptor = connectToSocket(m_socketFolder + u'/' + socketName);
    if (descriptor)
        ::close(*descriptor);
}
