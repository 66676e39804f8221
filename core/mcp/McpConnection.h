#pragma once
#include "mcp/Handshake.h"
#include "mcp/LineFraming.h"
#include "mcp/McpServer.h"
#include "mcp/McpSession.h"
#include "mcp/Peer.h"
#include <QLocalSocket>
#include <QTimer>

/// One connected program: first the handshake, then MCP. Reads only as fast as it answers, and gives up on a peer that
/// does not read.
class McpConnection : public QObject
{
    Q_OBJECT
public:
    static constexpr qint64 mostUnsent = 1024 * 1024;
    static constexpr int linesPerTurn = 64; ///< then others have their turn

    /// `socket` is connected and of our user. All of `parts` and `tools` must outlive this.
    McpConnection(McpServerParts parts, const ToolProjection &tools, std::unique_ptr<QLocalSocket> socket, Peer peer,
                  QString session);
    ~McpConnection() override;

    bool isProven() const { return m_session != nullptr; }
    const QString &agentId() const { return m_actor.id; }
    McpSessionInfo info() const;
    const Peer &peer() const { return m_peer; }
    /// Says why and ends the handshake.
    void refuse(Handshake::Refusal refusal);
    /// Ends the connection now.
    void close();

Q_SIGNALS:
    void proven();
    void askedToPair(const QString &name);
    void changed();
    /// Worth a row in the audit log.
    void noted(const QString &text);
    /// Nothing more comes. Delete it later, not in the slot.
    void ended();

private:
    enum class Phase { Hello, Key, Proof, Open, Over };
    void pump();
    bool takeLine();
    void shake(const QByteArray &line);
    QCoro::Task<> challenge(std::stop_token stop);
    void open();
    void send(const QByteArray &line);
    void overflow();
    void watchWriting();
    bool isThrottled() const { return m_socket->bytesToWrite() > mostUnsent / 4; }

    McpServerParts m;
    const ToolProjection &m_tools;
    std::unique_ptr<QLocalSocket> m_socket;
    Peer m_peer;
    Actor m_actor;
    qint64 m_sinceMs;
    Phase m_phase = Phase::Hello;
    LineFraming m_framing{Handshake::longestLine};
    Handshake::ServerSide m_handshake;
    std::unique_ptr<McpSession> m_session;
    QTimer m_again, m_deadline, m_stall;
    std::stop_source m_stop;
};
