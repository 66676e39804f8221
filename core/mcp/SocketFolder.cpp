#include "mcp/SocketFolder.h"
#include "base/PrivateFile.h"
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace
{
QString tr(const char *text)
{
    return QCoreApplication::translate("SocketFolder", text);
}

Error unavailable(const QString &message, const QString &detail)
{
    return {Error::Kind::Unavailable, message, detail};
}

QString systemWords(int number)
{
    return QString::fromLocal8Bit(std::strerror(number));
}

/// Through the folder's descriptor, so that the length of its path does not matter: sun_path holds 107 bytes.
sockaddr_un address(int folder, const QString &name)
{
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    const auto path = QFile::encodeName(QStringLiteral("/proc/self/fd/%1/%2").arg(folder).arg(name));
    std::memcpy(to.sun_path, path.constData(), qMin(size_t(path.size()), sizeof to.sun_path - 1));
    return to;
}

int connectIn(int folder, const QString &name)
{
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto to = address(folder, name);
    if (socket >= 0 && ::connect(socket, reinterpret_cast<const sockaddr *>(&to), sizeof to) == 0)
        return socket;
    const int failed = errno;
    if (socket >= 0)
        ::close(socket);
    errno = failed;
    return -1;
}

Result<> isOursAlone(int folder, const QString &path)
{
    struct stat found {
    };
    if (::fstat(folder, &found) != 0)
        return unavailable(tr("%1 cannot be examined: %2").arg(path, systemWords(errno)), path);
    if (found.st_uid != ::geteuid())
        return unavailable(tr("%1 belongs to another user, so Labhelm does not listen there.").arg(path), path);
    if ((found.st_mode & 0077) != 0)
        return unavailable(tr("%1 is open to other users, so Labhelm does not listen there.").arg(path), path);
    return {};
}
} // namespace

SocketFolder::SocketFolder(QString folder, int descriptor)
    : m_folder(std::move(folder)), m_descriptor(descriptor), m_lock(m_folder + QStringLiteral("/mcp.lock"))
{
    m_lock.setStaleLockTime(0); // never by age; a lock whose process is gone is taken over
}

SocketFolder::~SocketFolder()
{
    struct stat found {
    };
    const auto name = QFile::encodeName(m_name);
    if (m_inode && ::fstatat(m_descriptor, name.constData(), &found, AT_SYMLINK_NOFOLLOW) == 0 &&
        found.st_ino == m_inode)
        ::unlinkat(m_descriptor, name.constData(), 0);
    ::close(m_descriptor);
}

Result<std::unique_ptr<SocketFolder>> SocketFolder::take(const QString &folder)
{
    struct stat found {
    };
    const auto name = QFile::encodeName(folder);
    if (::lstat(name.constData(), &found) != 0)
        if (auto made = PrivateFile::makeFolder(folder); !made)
            return made.error();
    const int descriptor = ::open(name.constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return unavailable(tr("%1 is no folder of its own: %2").arg(folder, systemWords(errno)), folder);
    std::unique_ptr<SocketFolder> taken(new SocketFolder(folder, descriptor));
    if (auto ours = isOursAlone(descriptor, folder); !ours)
        return ours.error();
    if (auto locked = taken->lock(); !locked)
        return locked.error();
    return taken;
}

Result<> SocketFolder::lock()
{
    if (m_lock.tryLock(0))
        return {};
    if (m_lock.error() == QLockFile::LockFailedError)
        return Error{Error::Kind::Conflict, tr("Labhelm is running already."), m_folder};
    return unavailable(tr("%1 cannot be locked.").arg(m_folder), m_folder);
}

Result<> SocketFolder::makeWay()
{
    struct stat found {
    };
    const auto name = QFile::encodeName(m_name);
    if (::fstatat(m_descriptor, name.constData(), &found, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? Result<>() : unavailable(tr("%1: %2").arg(path(), systemWords(errno)), path());
    if (!S_ISSOCK(found.st_mode) || found.st_uid != ::geteuid())
        return unavailable(tr("%1 is not a socket of Labhelm. It was left as it is.").arg(path()), path());
    const int probe = connectIn(m_descriptor, m_name);
    if (probe >= 0) {
        ::close(probe);
        return Error{Error::Kind::Conflict, tr("Another program listens at %1.").arg(path()), path()};
    }
    if (errno != ECONNREFUSED || ::unlinkat(m_descriptor, name.constData(), 0) != 0)
        return unavailable(tr("%1: %2").arg(path(), systemWords(errno)), path());
    return {};
}

Result<int> SocketFolder::listen(const QString &name)
{
    m_name = name;
    if (auto way = makeWay(); !way)
        return way.error();
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0)
        return unavailable(systemWords(errno), path());
    const auto at = address(m_descriptor, m_name);
    // on Linux the mode of an unbound socket becomes that of the file that bind() makes
    struct stat made {
    };
    if (::fchmod(socket, 0600) != 0 || ::bind(socket, reinterpret_cast<const sockaddr *>(&at), sizeof at) != 0 ||
        ::listen(socket, 128) != 0 ||
        ::fstatat(m_descriptor, QFile::encodeName(m_name).constData(), &made, AT_SYMLINK_NOFOLLOW) != 0) {
        const auto failed = unavailable(tr("%1: %2").arg(path(), systemWords(errno)), path());
        ::close(socket);
        return failed;
    }
    m_inode = made.st_ino;
    return socket;
}

Result<int> connectToSocket(const QString &path)
{
    const QFileInfo file(path);
    const auto unreachable = [&] { return Error{Error::Kind::Unreachable, systemWords(errno), path}; };
    const int folder = ::open(QFile::encodeName(file.path()).constData(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return unreachable();
    const int socket = connectIn(folder, file.fileName());
    const int failed = errno;
    ::close(folder);
    errno = failed;
    return socket < 0 ? Result<int>(unreachable()) : Result<int>(socket);
}
