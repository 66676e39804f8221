#pragma once
#include "mcp/Handshake.h"
#include "mcp/LampOperations.h"
#include "mcp/McpServer.h"
#include "support/ExecutionStage.h"
#include <QFile>
#include <QLocalSocket>

/// A program that speaks to the server over its socket, step by step.
class SocketProgram
{
public:
    explicit SocketProgram(const QString &path) { socket.connectToServer(path); }
    void say(const QByteArray &bytes)
    {
        socket.write(bytes);
        socket.flush();
    }
    /// The next line; empty when the server has closed the connection, or in 20 s.
    QByteArray line()
    {
        (void)QTest::qWaitFor([this] { return socket.canReadLine() || socket.state() != QLocalSocket::ConnectedState; },
                              20'000);
        auto text = socket.readLine();
        text.chop(text.endsWith('\n') ? 1 : 0);
        return text;
    }
    /// The whole handshake: the last line of the server.
    QByteArray enter(const QString &id, const QByteArray &key)
    {
        const Handshake::ProgramSide side(id, Secret(key));
        say(side.hello());
        const auto challenge = line();
        const auto proof = side.answer(challenge);
        if (!proof)
            return challenge;
        say(*proof);
        return line();
    }
    QByteArray ask(const QByteArray &method, const QByteArray &id = "1")
    {
        say("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}\n");
        return line();
    }
    bool isClosed()
    {
        return QTest::qWaitFor([this] { return socket.state() == QLocalSocket::UnconnectedState; }, 20'000);
    }
    QLocalSocket socket;
};

/// A server over the lamp, with one paired agent and the terminal.
struct ServerStage {
    ServerStage()
    {
        Lamp::now = &lamp;
        agent = await(agents.pair(QStringLiteral("Operator")))->agent.id; // "operator" has a grant on the stage
        terminalKeyFile = *agents.openTerminal();
        if (const auto listening = server->listen(folder()); !listening)
            qFatal("%s", qPrintable(listening.error().message));
    }
    ~ServerStage() { server.reset(); }
    QString folder() const { return stage.folder.filePath(QStringLiteral("run")); }
    QByteArray key(const QString &id)
    {
        QFile file(agents.keyFile(id));
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
    }
    /// A program that has been let in.
    std::unique_ptr<SocketProgram> enter(const QString &id)
    {
        auto program = std::make_unique<SocketProgram>(server->path());
        if (!program->enter(id, key(id)).contains("welcome"))
            return nullptr;
        return program;
    }
    std::unique_ptr<SocketProgram> enter() { return enter(agent); }

    Lamp lamp;
    ExecutionStage stage{Catalogue(lamp::operations())};
    PairedAgents agents{stage.folder.filePath(QStringLiteral("config/agents.json")),
                        stage.folder.filePath(QStringLiteral("config/agents")), stage.secrets, stage.clock};
    std::unique_ptr<McpServer> server =
        std::make_unique<McpServer>(McpServerParts{*stage.executor, agents, stage.clock});
    QString agent, terminalKeyFile;
};
