#pragma once
#include "base/Clock.h"
#include "execution/Executor.h"
#include "mcp/PairedAgents.h"
#include <memory>
#include <vector>

/// One connected program that has proved who it is.
struct McpSessionInfo {
    QString session; ///< unique for the life of the server
    QString agentId;
    QString agentName; ///< as paired; text from outside
    Actor::Kind kind = Actor::Kind::Agent;
    qint64 pid = 0;        ///< of the program behind the bridge; 0 = unknown
    QString program;       ///< its path, a hint; empty = unknown
    QString client;        ///< "claude-code 2.1": what it calls itself; text from outside, empty = not said
    qint64 sinceMs = 0;    ///< wall time of the connection
    int running = 0;       ///< calls under way
    bool isActive = false; ///< a real request came; probes that only look around never become active
};

/// A program without a key that asked to be let in. Nobody answers it here: a person pairs it with "Connect an agent…".
struct PairingRequest {
    qint64 pid = 0;
    QString program; ///< path of the program behind the bridge, a hint; empty = unknown
    QString name;    ///< what it calls itself; text from outside
    qint64 askedAtMs = 0;
    int times = 1; ///< how often this program asked
};

class McpConnection;
struct Peer;

/// What the server works with; all borrowed and all outliving it.
struct McpServerParts {
    Executor &executor;
    PairedAgents &agents;
    const Clock &clock;
    bool isDemo = false;
};

/// The local socket that agents and the terminal connect to. Owner's thread only; destroy it before the executor.
class McpServer : public QObject
{
    Q_OBJECT
public:
    explicit McpServer(McpServerParts parts);
    ~McpServer() override;

    /// Takes the folder (made with mode 0700; ours alone, no link) and listens in it. Conflict: another instance serves
    /// it; Unavailable: the folder is not ours alone, or something that is not a dead socket of ours has the name.
    Result<> listen(const QString &folder);
    bool isListening() const;
    /// Path of the socket.
    QString path() const;

    /// Proven programs, oldest first. Show those that are active.
    std::vector<McpSessionInfo> sessions() const;
    /// Newest first; at most 20 programs.
    const std::vector<PairingRequest> &pairingRequests() const;
    void dismissPairingRequest(qint64 pid);
    /// Ends the connection; its calls that have sent nothing are stopped.
    void disconnectSession(const QString &session);

Q_SIGNALS:
    /// At most twenty times a second.
    void sessionsChanged();
    void pairingRequested();
    void pairingRequestsChanged();
    /// Worth a row in the audit log: an unproven program, another user, a peer that reads nothing. At most one a
    /// second.
    void noted(const QString &text);

private:
    struct State;
    void welcome(qintptr descriptor);
    void attend(McpConnection &connection);
    void makeRoom();
    void listPairing(const Peer &peer, const QString &name);
    void note(const QString &text);
    void noteChange();
    void drop(McpConnection &connection);
    std::unique_ptr<State> m;
};
