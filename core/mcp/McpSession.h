#pragma once
#include "mcp/JsonRpc.h"
#include "mcp/Revisions.h"
#include "mcp/ToolCalls.h"
#include "mcp/ToolProjection.h"
#include <optional>

/// MCP with one proven program, in both eras, on whole lines; knows nothing of sockets.
class McpSession : public QObject
{
    Q_OBJECT
public:
    /// Both must outlive the session.
    struct Parts {
        Executor &executor;
        const ToolProjection &tools;
        bool isDemo = false;
    };
    McpSession(Parts parts, Actor actor);
    ~McpSession() override { m_calls.disconnect(this); }

    /// One line of the program. Answers come through outgoing(), perhaps before this returns.
    void receive(const QByteArray &line);
    /// The program is gone: its calls that have sent nothing are stopped.
    void close() { m_calls.cancelAll(); }
    /// What the program calls itself; text from outside, for display only.
    const QString &client() const { return m_client; }
    bool isActive() const { return m_isActive; }
    int running() const { return m_calls.count(); }
    ToolCalls &calls() { return m_calls; }

Q_SIGNALS:
    /// A line to send, without its end.
    void outgoing(const QByteArray &line);
    /// The first request that is more than a look around.
    void activated();
    /// Client, activity or number of running calls.
    void changed();

private:
    /// Takes the line that answers one request; an empty one = it is not answered.
    using Reply = std::function<void(const QByteArray &line)>;
    void receiveBatch(const QByteArray &line);
    void handle(const RpcMessage &message, const Reply &reply);
    void notice(const RpcMessage &message);
    void handleLegacy(const RpcMessage &message, const Reply &reply);
    void handleModern(const RpcMessage &message, const Reply &reply);
    void handleCommon(const RpcMessage &message, const Revision &revision, const Reply &reply);
    void initialize(const RpcMessage &message, const Reply &reply);
    void callTool(const RpcMessage &message, const Revision &revision, const Reply &reply);
    void activate();
    void setClient(const QJsonObject &info);
    QJsonObject serverInfo() const;

    Parts m;
    Actor m_actor;
    ToolCalls m_calls;
    std::optional<Revision> m_legacy; ///< agreed on by "initialize"
    QHash<QByteArray, Reply> m_open;  ///< tool calls that a batch waits for
    QString m_client;
    bool m_isActive = false;
};
