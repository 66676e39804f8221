#include "mcp/Peer.h"
#include <QFile>
#include <QFileInfo>
#include <sys/socket.h>

static qint64 parentOf(qint64 pid)
{
    QFile status(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const auto line = status.readAll();
    const auto afterName = line.mid(line.lastIndexOf(')') + 2).split(' '); // the name may hold blanks and brackets
    return afterName.size() > 1 ? afterName[1].toLongLong() : 0;
}

static QString programOf(qint64 pid)
{
    return QFileInfo(QStringLiteral("/proc/%1/exe").arg(pid)).symLinkTarget();
}

std::optional<Peer> Peer::of(qintptr socket)
{
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (::getsockopt(int(socket), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
        return std::nullopt;
    Peer peer;
    peer.uid = credentials.uid;
    peer.pid = credentials.pid;
    peer.behindPid = parentOf(peer.pid);
    if (peer.behindPid > 1)
        peer.behindProgram = programOf(peer.behindPid);
    return peer;
}
