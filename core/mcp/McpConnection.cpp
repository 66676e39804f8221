#include "mcp/McpConnection.h"

namespace
{
using namespace std::chrono_literals;
constexpr auto handshakeTime = 10s;
constexpr auto keyringTime = 8s; ///< so that a locked keyring is told before the handshake is late
constexpr auto stallTime = 10s;
constexpr qint64 chunk = 64 * 1024;
constexpr qint64 bytesPerTurn = 1024 * 1024;
} // namespace

McpConnection::McpConnection(McpServerParts parts, const ToolProjection &tools, std::unique_ptr<QLocalSocket> socket,
                             Peer peer, QString session)
    : m(parts), m_tools(tools), m_socket(std::move(socket)), m_peer(std::move(peer)), m_sinceMs(parts.clock.wallMs())
{
    m_actor.kind = Actor::Kind::Agent;
    m_actor.session = std::move(session);
    m_socket->setReadBufferSize(chunk * 4); // what does not fit waits in the kernel, and so does its sender
    for (auto *timer : {&m_again, &m_deadline, &m_stall})
        timer->setSingleShot(true);
    m_again.setInterval(0);
    m_stall.setInterval(stallTime);
    connect(&m_again, &QTimer::timeout, this, &McpConnection::pump);
    connect(&m_deadline, &QTimer::timeout, this, [this] { refuse(Handshake::Refusal::Late); });
    connect(&m_stall, &QTimer::timeout, this, &McpConnection::overflow);
    connect(m_socket.get(), &QLocalSocket::readyRead, this, &McpConnection::pump);
    connect(m_socket.get(), &QLocalSocket::disconnected, this, &McpConnection::close);
    connect(m_socket.get(), &QLocalSocket::bytesWritten, this, &McpConnection::watchWriting);
    m_deadline.start(handshakeTime);
    m_again.start();
}

McpConnection::~McpConnection()
{
    m_socket->disconnect(this);
    m_stop.request_stop();
    if (m_session)
        m_session->disconnect(this);
}

McpSessionInfo McpConnection::info() const
{
    McpSessionInfo info;
    info.session = m_actor.session;
    info.agentId = m_actor.id;
    info.agentName = m_actor.name;
    info.kind = m_actor.kind;
    info.pid = m_actor.pid;
    info.program = m_actor.program;
    info.sinceMs = m_sinceMs;
    if (m_session) {
        info.client = m_session->client();
        info.running = m_session->running();
        info.isActive = m_session->isActive();
    }
    return info;
}

void McpConnection::pump()
{
    qint64 fed = 0;
    for (int lines = 0; lines < linesPerTurn && m_phase != Phase::Over && m_phase != Phase::Key && !isThrottled();) {
        if (takeLine()) {
            ++lines;
            continue;
        }
        if (m_phase == Phase::Over || m_socket->bytesAvailable() == 0)
            return;
        if (fed >= bytesPerTurn)
            break;
        const auto bytes = m_socket->read(chunk);
        fed += bytes.size();
        m_framing.feed(bytes);
    }
    if (m_phase != Phase::Over && m_phase != Phase::Key && !isThrottled())
        m_again.start(); // a timer, since a posted event would not let sockets and the window have their turn
}

bool McpConnection::takeLine()
{
    const auto line = m_framing.next();
    if (line && m_session)
        m_session->receive(*line);
    else if (line)
        shake(*line);
    if (!m_framing.overflowed())
        return line.has_value();
    if (!m_session) {
        refuse(Handshake::Refusal::Malformed);
        return false;
    }
    send(JsonRpc::error("null", {RpcError::InvalidRequest, QStringLiteral("A message may have 16 MiB at most.")}));
    m_socket->flush();
    close();
    return false;
}

void McpConnection::shake(const QByteArray &line)
{
    if (m_phase == Phase::Proof) {
        m_handshake.isProof(line) ? open() : refuse(Handshake::Refusal::Proof);
        return;
    }
    if (const auto refusal = m_handshake.hear(line)) {
        refuse(*refusal);
        return;
    }
    const auto &hello = m_handshake.hello();
    if (hello.agentId.isEmpty()) {
        Q_EMIT askedToPair(hello.name);
        refuse(Handshake::Refusal::Pairing);
        return;
    }
    m_actor.id = hello.agentId;
    m_phase = Phase::Key;
    const auto task = challenge(m_stop.get_token());
}

QCoro::Task<> McpConnection::challenge(std::stop_token stop)
{
    const auto key = co_await m.agents.key(m_actor.id).until(stop).within(keyringTime);
    if (stop.stop_requested() || m_phase != Phase::Key)
        co_return;
    if (!key) {
        const bool isUnknown = key.error().kind == Error::Kind::NotFound;
        refuse(isUnknown ? Handshake::Refusal::Unpaired : Handshake::Refusal::Locked);
        co_return;
    }
    m_phase = Phase::Proof;
    m_socket->write(m_handshake.challenge(*key));
    m_socket->flush();
    m_again.start();
}

void McpConnection::open()
{
    const bool isTerminal = m_actor.id == PairedAgents::terminalId;
    const auto agent = m.agents.find(m_actor.id);
    if (!isTerminal && !agent) {
        refuse(Handshake::Refusal::Unpaired); // revoked while it proved itself
        return;
    }
    m_actor.kind = isTerminal ? Actor::Kind::Terminal : Actor::Kind::Agent;
    m_actor.name = isTerminal ? tr("Terminal") : agent->name;
    m_actor.pid = isTerminal ? m_peer.pid : m_peer.behindPid;
    m_actor.program = m_peer.behindProgram;
    m_deadline.stop();
    m_framing.setCap(LineFraming::messageCap);
    m_phase = Phase::Open;
    m_session = std::make_unique<McpSession>(McpSession::Parts{m.executor, m_tools, m.isDemo}, m_actor);
    connect(m_session.get(), &McpSession::outgoing, this, &McpConnection::send);
    connect(m_session.get(), &McpSession::changed, this, &McpConnection::changed);
    connect(m_session.get(), &McpSession::activated, this, [this] { m.agents.noteSeen(m_actor.id, m_actor.program); });
    m_socket->write(Handshake::ServerSide::welcome(m_actor.session));
    m_socket->flush();
    Q_EMIT proven();
}

void McpConnection::send(const QByteArray &line)
{
    if (m_phase != Phase::Open)
        return;
    if (m_socket->bytesToWrite() > mostUnsent) {
        overflow();
        return;
    }
    m.executor.noteAnswer(m_actor, line.size());
    m_socket->write(line + '\n');
    m_socket->flush();
    watchWriting();
}

void McpConnection::watchWriting()
{
    if (m_phase == Phase::Over)
        return;
    if (m_socket->bytesToWrite() == 0)
        m_stall.stop();
    else
        m_stall.start(); // anew with each byte that leaves
    if (!isThrottled() && (m_framing.size() > 0 || m_socket->bytesAvailable() > 0))
        m_again.start();
}

void McpConnection::overflow()
{
    if (m_phase == Phase::Over)
        return;
    Q_EMIT noted(tr("%1 did not read its answers and was disconnected.").arg(m_actor.name));
    close();
}

void McpConnection::refuse(Handshake::Refusal refusal)
{
    if (m_phase == Phase::Over || m_session)
        return;
    if (refusal == Handshake::Refusal::Proof || refusal == Handshake::Refusal::Unpaired)
        Q_EMIT noted(tr("A program without the right key (%1) was refused.").arg(m_peer.behindProgram));
    m_socket->write(Handshake::refusalLine(refusal));
    m_socket->flush();
    close();
}

void McpConnection::close()
{
    if (std::exchange(m_phase, Phase::Over) == Phase::Over)
        return;
    for (auto *timer : {&m_again, &m_deadline, &m_stall})
        timer->stop();
    m_stop.request_stop();
    if (m_session)
        m_session->close();
    m_socket->abort();
    Q_EMIT ended();
}
