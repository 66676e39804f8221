#include "mcp/McpServer.h"
#include "mcp/McpConnection.h"
#include "mcp/SocketFolder.h"
#include "mcp/ToolProjection.h"
#include <QElapsedTimer>
#include <QLocalServer>
#include <QTimer>
#include <algorithm>
#include <unistd.h>

namespace
{
constexpr int mostProven = 32;
constexpr int mostShaking = 32;
constexpr size_t mostRequests = 20;
constexpr qint64 noteGapMs = 1000;
constexpr int changeGapMs = 50;

/// Hands over bare descriptors, so that the peer is judged before a byte of it is read.
class Listener : public QLocalServer
{
public:
    std::function<void(qintptr)> accept;

protected:
    void incomingConnection(quintptr descriptor) override { accept(qintptr(descriptor)); }
};
} // namespace

/// What is behind the server.
struct McpServer::State {
    McpServerParts parts;
    ToolProjection tools;
    std::unique_ptr<SocketFolder> folder;
    Listener listener;
    std::vector<std::unique_ptr<McpConnection>> connections; ///< oldest first
    std::vector<PairingRequest> requests;                    ///< newest first
    quint64 count = 0;
    QTimer change; ///< gathers what many calls a second would tell
    QElapsedTimer sinceNote;
    int untold = 0;

    explicit State(McpServerParts with) : parts(with), tools(with.executor.catalogue()) {}
};

McpServer::McpServer(McpServerParts parts) : m(std::make_unique<State>(parts))
{
    m->change.setSingleShot(true);
    m->change.setInterval(changeGapMs);
    connect(&m->change, &QTimer::timeout, this, &McpServer::sessionsChanged);
    m->listener.accept = [this](qintptr descriptor) { welcome(descriptor); };
    connect(&parts.agents, &PairedAgents::revoked, this, [this](const QString &id) {
        for (size_t i = m->connections.size(); i-- > 0;)
            if (m->connections[i]->agentId() == id)
                m->connections[i]->close();
    });
}

McpServer::~McpServer()
{
    m->listener.close();
}

Result<> McpServer::listen(const QString &folder)
{
    auto taken = SocketFolder::take(folder);
    if (!taken)
        return taken.error();
    auto socket = (*taken)->listen(QStringLiteral("mcp.sock"));
    if (!socket)
        return socket.error();
    if (!m->listener.listen(*socket)) {
        ::close(*socket);
        return Error{Error::Kind::Unavailable, m->listener.errorString(), folder};
    }
    m->folder = *std::move(taken);
    return {};
}

bool McpServer::isListening() const
{
    return m->listener.isListening();
}

QString McpServer::path() const
{
    return m->folder ? m->folder->path() : QString();
}

void McpServer::welcome(qintptr descriptor)
{
    const auto peer = Peer::of(descriptor);
    if (!peer || peer->uid != ::geteuid()) {
        ::close(int(descriptor));
        note(tr("Another user of this machine (uid %1) tried to connect and was refused.").arg(peer ? peer->uid : 0));
        return;
    }
    auto socket = std::make_unique<QLocalSocket>();
    if (!socket->setSocketDescriptor(descriptor)) {
        ::close(int(descriptor));
        return;
    }
    makeRoom();
    const auto session = QStringLiteral("s%1").arg(++m->count);
    auto connection = std::make_unique<McpConnection>(m->parts, m->tools, std::move(socket), *peer, session);
    attend(*connection);
    m->connections.push_back(std::move(connection));
    const auto proven =
        std::count_if(m->connections.begin(), m->connections.end(), [](const auto &c) { return c->isProven(); });
    if (proven >= mostProven)
        m->connections.back()->refuse(Handshake::Refusal::Busy);
}

/// Silent strangers must not keep a paired agent out: the oldest of those who have not proved themselves gives way.
void McpServer::makeRoom()
{
    const auto isShaking = [](const auto &connection) { return !connection->isProven(); };
    if (std::count_if(m->connections.begin(), m->connections.end(), isShaking) < mostShaking)
        return;
    const auto oldest = std::find_if(m->connections.begin(), m->connections.end(), isShaking);
    (*oldest)->refuse(Handshake::Refusal::Busy);
}

void McpServer::attend(McpConnection &connection)
{
    auto *one = &connection;
    connect(one, &McpConnection::ended, this, [this, one] { drop(*one); });
    connect(one, &McpConnection::proven, this, &McpServer::noteChange);
    connect(one, &McpConnection::changed, this, &McpServer::noteChange);
    connect(one, &McpConnection::noted, this, &McpServer::note);
    connect(one, &McpConnection::askedToPair, this,
            [this, one](const QString &name) { listPairing(one->peer(), name); });
}

void McpServer::drop(McpConnection &connection)
{
    const auto found = std::find_if(m->connections.begin(), m->connections.end(),
                                    [&](const auto &c) { return c.get() == &connection; });
    if (found == m->connections.end())
        return;
    found->release()->deleteLater(); // it is still on the stack
    m->connections.erase(found);
    noteChange();
}

void McpServer::noteChange()
{
    if (!m->change.isActive())
        m->change.start();
}

void McpServer::listPairing(const Peer &peer, const QString &name)
{
    auto &all = m->requests;
    PairingRequest request{peer.behindPid, peer.behindProgram, name, m->parts.clock.wallMs()};
    const auto same = std::find_if(
        all.begin(), all.end(), [&](const auto &r) { return r.program == request.program && r.name == request.name; });
    if (same != all.end()) {
        request.times = same->times + 1;
        all.erase(same);
    }
    all.insert(all.begin(), request);
    all.resize(std::min(all.size(), mostRequests));
    Q_EMIT pairingRequestsChanged();
    Q_EMIT pairingRequested();
    note(tr("A program without a key (%1) asked to be let in. It can do nothing.").arg(peer.behindProgram));
}

void McpServer::note(const QString &text)
{
    if (m->sinceNote.isValid() && m->sinceNote.elapsed() < noteGapMs) {
        ++m->untold;
        return;
    }
    m->sinceNote.start();
    const auto untold = std::exchange(m->untold, 0);
    Q_EMIT noted(untold ? tr("%1 (and %2 more of the kind)").arg(text).arg(untold) : text);
}

std::vector<McpSessionInfo> McpServer::sessions() const
{
    std::vector<McpSessionInfo> all;
    for (const auto &connection : m->connections)
        if (connection->isProven())
            all.push_back(connection->info());
    return all;
}

const std::vector<PairingRequest> &McpServer::pairingRequests() const
{
    return m->requests;
}

void McpServer::dismissPairingRequest(qint64 pid)
{
    std::erase_if(m->requests, [pid](const auto &request) { return request.pid == pid; });
    Q_EMIT pairingRequestsChanged();
}

void McpServer::disconnectSession(const QString &session)
{
    const auto found = std::find_if(m->connections.begin(), m->connections.end(),
                                    [&](const auto &c) { return c->info().session == session; });
    if (found != m->connections.end())
        (*found)->close();
}
