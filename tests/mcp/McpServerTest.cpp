#include "mcp/LineFraming.h"
#include "mcp/McpConnection.h"
#include "mcp/ServerStage.h"
#include "support/TestMain.h"
#include <QElapsedTimer>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTimer>
#include <algorithm>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/// The socket: who gets in, and what one program can do to the others.
class McpServerTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ServerStage> m;

    static QByteArray callLine(int id)
    {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) +
               ",\"method\":\"tools/call\",\"params\":{\"name\":\"lamp_look\"}}\n";
    }
    static QByteArray initializeLine()
    {
        return "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
               "\"clientInfo\":{\"name\":\"a client\",\"version\":\"1.2\"}}}\n";
    }

private Q_SLOTS:
    void init() { m = std::make_unique<ServerStage>(); }
    void cleanup() { m.reset(); }

    void letsAPairedAgentAndTheTerminalIn();
    void showsAProgramThatOnlyLooksAroundAsInactive();
    void refusesWhoeverHasNotTheKey();
    void refusesAStaleTerminal();
    void saysThatTheKeyringIsLocked();
    void answersNoJsonBeforeTheHandshake();
    void listsWhoAsksToBePaired();
    void endsTheSessionsOfARevokedAgentAtOnce();
    void endsOneSessionWhenAsked();
    void actsUnderTheAgentsName();
    void refusesAnotherUserBeforeReading();
    void aSecondInstanceLeavesTheFirstServing();
    void silentProgramsKeepNobodyOut();
    void thirtyTwoProgramsAreEnough();
    void aSlowHandshakeIsEnded();
    void aProgramThatDoesNotReadIsDisconnected();
    void aFloodLeavesTheOthersTheirTurn();
    void aLineWithoutEndIsRefused();
    void bytesMayComeOneByOne();
    void aProgramThatGoesAwayLeavesNothingBehind();
};

void McpServerTest::letsAPairedAgentAndTheTerminalIn()
{
    QSignalSpy changed(m->server.get(), &McpServer::sessionsChanged);
    const auto agent = m->enter();
    const auto terminal = m->enter(PairedAgents::terminalId);
    QVERIFY(agent && terminal);
    const auto sessions = m->server->sessions();
    QCOMPARE(sessions.size(), size_t(2));
    QCOMPARE(sessions[0].agentId, m->agent);
    QCOMPARE(sessions[0].agentName, QStringLiteral("Operator"));
    QCOMPARE(sessions[0].kind, Actor::Kind::Agent);
    QCOMPARE(sessions[0].sinceMs, m->stage.clock.wall);
    QCOMPARE(sessions[1].kind, Actor::Kind::Terminal);
    QCOMPARE(sessions[1].pid, qint64(::getpid()));
    QVERIFY(sessions[0].session != sessions[1].session);
    QTRY_VERIFY(!changed.isEmpty());
    QVERIFY(agent->ask("ping").contains("\"result\":{}"));
}

void McpServerTest::showsAProgramThatOnlyLooksAroundAsInactive()
{
    const auto program = m->enter();
    program->say(initializeLine());
    QVERIFY(program->line().contains("2025-11-25"));
    QVERIFY(!m->server->sessions()[0].isActive);
    QCOMPARE(m->server->sessions()[0].client, QStringLiteral("a client 1.2"));
    QCOMPARE(m->agents.find(m->agent)->lastSeenMs, qint64(0));
    QVERIFY(program->ask("tools/list").contains("lamp_look"));
    QVERIFY(m->server->sessions()[0].isActive);
    QCOMPARE(m->agents.find(m->agent)->lastSeenMs, m->stage.clock.wall);
}

void McpServerTest::refusesWhoeverHasNotTheKey()
{
    QSignalSpy noted(m->server.get(), &McpServer::noted);
    const Handshake::ProgramSide side(m->agent, Secret(QByteArray(64, '0')));
    SocketProgram wrong(m->server->path());
    wrong.say(side.hello());
    QVERIFY(wrong.line().startsWith("LABHELM/1 challenge "));
    wrong.say("LABHELM/1 proof " + QByteArray(64, '0') + '\n');
    QCOMPARE(wrong.line(), "LABHELM/1 refused proof");
    QVERIFY(wrong.isClosed());
    SocketProgram unknown(m->server->path());
    QCOMPARE(unknown.enter(QStringLiteral("nobody"), QByteArray(64, '0')), "LABHELM/1 refused unpaired");
    QVERIFY(m->server->sessions().empty());
    QVERIFY(noted.size() >= 1);
}

void McpServerTest::refusesAStaleTerminal()
{
    const auto old = m->key(PairedAgents::terminalId);
    QVERIFY(m->agents.openTerminal());
    SocketProgram program(m->server->path());
    // the server proves itself with the new key, so the program does not even answer
    QVERIFY(program.enter(PairedAgents::terminalId, old).contains("challenge"));
}

void McpServerTest::saysThatTheKeyringIsLocked()
{
    /// A keyring that nobody unlocks.
    class LockedStore : public SecretStore
    {
    public:
        Future<Secret> read(const QString &) override { return ready<Secret>(locked()); }
        Future<void> write(const QString &, const Secret &) override { return ready<void>(locked()); }
        Future<void> remove(const QString &) override { return ready<void>(locked()); }

    private:
        static Error locked() { return {Error::Kind::Unavailable, QStringLiteral("locked"), {}}; }
    };
    LockedStore store;
    PairedAgents agents(m->stage.folder.filePath(QStringLiteral("config/agents.json")),
                        m->stage.folder.filePath(QStringLiteral("config/agents")), store, m->stage.clock);
    QVERIFY(agents.load());
    McpServer server({*m->stage.executor, agents, m->stage.clock});
    QVERIFY(server.listen(m->stage.folder.filePath(QStringLiteral("other"))));
    SocketProgram program(server.path());
    QCOMPARE(program.enter(m->agent, m->key(m->agent)), "LABHELM/1 refused locked");
}

void McpServerTest::answersNoJsonBeforeTheHandshake()
{
    SocketProgram program(m->server->path());
    QCOMPARE(program.ask("ping"), "LABHELM/1 refused version");
    QVERIFY(program.isClosed());
    SocketProgram endless(m->server->path());
    endless.say(QByteArray(4096, 'x'));
    QCOMPARE(endless.line(), "LABHELM/1 refused malformed");
    SocketProgram eager(m->server->path());
    const Handshake::ProgramSide side(m->agent, Secret(m->key(m->agent)));
    eager.say(side.hello() + callLine(1));
    QVERIFY(eager.line().startsWith("LABHELM/1 challenge"));
    QCOMPARE(eager.line(), "LABHELM/1 refused proof");
    QCOMPARE(m->lamp.looks, 0);
}

void McpServerTest::listsWhoAsksToBePaired()
{
    QSignalSpy requested(m->server.get(), &McpServer::pairingRequested);
    for (int i = 0; i < 2; ++i) {
        SocketProgram program(m->server->path());
        program.say("LABHELM/1 pair my%20agent\n");
        QCOMPARE(program.line(), "LABHELM/1 refused pairing");
        QVERIFY(program.isClosed());
    }
    QCOMPARE(requested.size(), 2);
    QCOMPARE(m->server->pairingRequests().size(), size_t(1));
    const auto request = m->server->pairingRequests()[0];
    QCOMPARE(request.name, QStringLiteral("my agent"));
    QCOMPARE(request.times, 2);
    QCOMPARE(request.pid, qint64(::getppid()));
    for (int i = 0; i < 30; ++i) {
        SocketProgram program(m->server->path());
        program.say("LABHELM/1 pair agent" + QByteArray::number(i) + '\n');
        QVERIFY(!program.line().isEmpty());
    }
    QCOMPARE(m->server->pairingRequests().size(), size_t(20));
    m->server->dismissPairingRequest(request.pid);
    QVERIFY(m->server->pairingRequests().empty());
    QVERIFY(m->agents.all().size() == 1);
}

void McpServerTest::endsTheSessionsOfARevokedAgentAtOnce()
{
    const auto program = m->enter();
    const auto terminal = m->enter(PairedAgents::terminalId);
    const auto removed = m->agents.revoke(m->agent);
    QCOMPARE(m->server->sessions().size(), size_t(1));
    QVERIFY(program->isClosed());
    QVERIFY(terminal->ask("ping").contains("result"));
    QVERIFY(removed.isReady());
}

void McpServerTest::endsOneSessionWhenAsked()
{
    const auto first = m->enter();
    const auto second = m->enter();
    m->server->disconnectSession(m->server->sessions()[0].session);
    QVERIFY(first->isClosed());
    QVERIFY(second->ask("ping").contains("result"));
}

void McpServerTest::actsUnderTheAgentsName()
{
    const auto program = m->enter();
    program->say(initializeLine());
    QVERIFY(!program->line().isEmpty());
    program->say(callLine(1));
    QVERIFY(program->line().contains("brightness"));
    QTRY_COMPARE(m->stage.rows().size(), 1);
    const auto actor = m->stage.rows()[0].actor;
    QCOMPARE(actor.id, m->agent);
    QCOMPARE(actor.session, m->server->sessions()[0].session);
    QCOMPARE(actor.pid, qint64(::getppid()));
}

void McpServerTest::refusesAnotherUserBeforeReading()
{
    if (::geteuid() != 0)
        return; // only root can become somebody else
    QSignalSpy noted(m->server.get(), &McpServer::noted);
    const auto path = QFile::encodeName(m->server->path());
    // the modes alone would keep it out: they are opened here to see the check behind them
    for (auto folder = m->folder(); folder.size() > 4; folder = QFileInfo(folder).path())
        ::chmod(QFile::encodeName(folder).constData(), 0755);
    ::chmod(path.constData(), 0666);
    const pid_t child = ::fork();
    if (child == 0) {
        sockaddr_un to{};
        to.sun_family = AF_UNIX;
        qstrncpy(to.sun_path, path.constData(), sizeof to.sun_path);
        const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
        const bool isIn = ::setgid(65534) == 0 && ::setuid(65534) == 0 &&
                          ::connect(socket, reinterpret_cast<const sockaddr *>(&to), sizeof to) == 0;
        char byte = 0;
        ::_exit(isIn && ::read(socket, &byte, 1) <= 0 ? 42 : 1);
    }
    int status = 0;
    QVERIFY(QTest::qWaitFor([&] { return ::waitpid(child, &status, WNOHANG) == child; }, 20'000));
    QCOMPARE(WEXITSTATUS(status), 42);
    QCOMPARE(noted.size(), 1);
    QVERIFY(noted[0][0].toString().contains(QLatin1String("65534")));
}

void McpServerTest::aSecondInstanceLeavesTheFirstServing()
{
    const auto before = m->enter();
    {
        McpServer second({*m->stage.executor, m->agents, m->stage.clock});
        const auto listening = second.listen(m->folder());
        QVERIFY(!listening);
        QCOMPARE(listening.error().kind, Error::Kind::Conflict);
    }
    QVERIFY(before->ask("ping").contains("result"));
    QVERIFY(m->enter());
}

void McpServerTest::silentProgramsKeepNobodyOut()
{
    std::vector<std::unique_ptr<SocketProgram>> silent;
    for (int i = 0; i < 500; ++i) {
        silent.push_back(std::make_unique<SocketProgram>(m->server->path()));
        QCoreApplication::processEvents(); // the server lives on this thread and has to take them
    }
    const auto open = [&silent] {
        return std::count_if(silent.begin(), silent.end(), [](const auto &program) {
            return program->socket.state() == QLocalSocket::ConnectedState;
        });
    };
    QTRY_VERIFY(open() <= 32);
    QElapsedTimer time;
    time.start();
    const auto program = m->enter();
    QVERIFY(program);
    QVERIFY2(time.elapsed() < 1000, qPrintable(QString::number(time.elapsed())));
    QVERIFY(program->ask("ping").contains("result"));
}

void McpServerTest::thirtyTwoProgramsAreEnough()
{
    std::vector<std::unique_ptr<SocketProgram>> programs;
    for (int i = 0; i < 32; ++i) {
        programs.push_back(m->enter());
        QVERIFY(programs.back());
    }
    SocketProgram surplus(m->server->path());
    QCOMPARE(surplus.line(), "LABHELM/1 refused busy");
    programs.pop_back();
    QTRY_COMPARE(m->server->sessions().size(), size_t(31));
    QVERIFY(m->enter());
}

void McpServerTest::aSlowHandshakeIsEnded()
{
    SocketProgram program(m->server->path());
    program.say("LABHELM/1 ag");
    QCOMPARE(program.line(), "LABHELM/1 refused late");
    QVERIFY(program.isClosed());
}

void McpServerTest::aProgramThatDoesNotReadIsDisconnected()
{
    QSignalSpy noted(m->server.get(), &McpServer::noted);
    const auto program = m->enter();
    const auto other = m->enter(PairedAgents::terminalId);
    program->socket.setReadBufferSize(1);
    program->say(initializeLine());
    const QByteArray note(200'000, 'n');
    for (int i = 0; i < 60; ++i) {
        auto line = callLine(i + 1);
        line.replace("\"lamp_look\"", "\"lamp_look\",\"arguments\":{\"note\":\"" + note + "\"}");
        program->say(line);
    }
    QTRY_COMPARE_WITH_TIMEOUT(m->server->sessions().size(), size_t(1), 20'000);
    QCOMPARE(noted.size(), 1);
    QVERIFY(other->ask("ping").contains("result"));
}

void McpServerTest::aFloodLeavesTheOthersTheirTurn()
{
    constexpr int flood = 20'000;
    const auto program = m->enter();
    const auto other = m->enter(PairedAgents::terminalId);
    int turns = 0;
    QTimer window;
    connect(&window, &QTimer::timeout, this, [&turns] { ++turns; });
    window.start(0);
    QByteArray lines;
    for (int i = 0; i < flood; ++i)
        lines += "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    program->say(lines + "{\"jsonrpc\":\"2.0\",\"id\":\"end\",\"method\":\"ping\"}\n");
    QVERIFY(other->ask("ping").contains("result"));
    QVERIFY(program->socket.bytesAvailable() == 0); // the other one did not wait for the flood's end
    QVERIFY(program->line().contains("end"));
    QVERIFY2(turns >= flood / McpConnection::linesPerTurn / 2, qPrintable(QString::number(turns)));
}

void McpServerTest::aLineWithoutEndIsRefused()
{
    const auto program = m->enter();
    program->say(QByteArray(LineFraming::messageCap + 1, 'x'));
    QVERIFY(program->line().contains("-32600"));
    QVERIFY(program->isClosed());
    QTRY_VERIFY(m->server->sessions().empty());
}

void McpServerTest::bytesMayComeOneByOne()
{
    const auto program = m->enter();
    for (const char c : QByteArray("{\"jsonrpc\":\"2.0\",\"id\":\"\xc3\xa9\",\"method\":\"ping\"}\r\n\n"))
        program->say(QByteArray(1, c));
    QVERIFY(program->line().contains("\"id\":\"\xc3\xa9\""));
}

void McpServerTest::aProgramThatGoesAwayLeavesNothingBehind()
{
    auto program = m->enter();
    m->lamp.holds = true;
    program->say(initializeLine() + callLine(1) + callLine(2));
    QTRY_COMPARE(m->lamp.held.size(), size_t(2));
    QTRY_COMPARE(m->server->sessions()[0].running, 2);
    program.reset();
    QTRY_VERIFY(m->server->sessions().empty());
    QTRY_VERIFY(m->stage.executor->live().empty());
}

LABHELM_TEST(McpServerTest)
#include "McpServerTest.moc"
