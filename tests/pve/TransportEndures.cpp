#include "pve/HttpTransport.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"
#include <QElapsedTimer>

namespace
{
using std::chrono::milliseconds;

/// A twentieth of the real times.
HttpLimits brisk()
{
    HttpLimits limits;
    limits.connect = milliseconds(250);
    limits.firstByte = milliseconds(300);
    limits.firstByteOfWrite = milliseconds(600);
    limits.idle = milliseconds(300);
    limits.total = milliseconds(1500);
    limits.queue = milliseconds(400);
    return limits;
}

HttpRequest read(const QByteArray &path = "/version")
{
    HttpRequest request;
    request.path = path;
    return request;
}

/// The most memory this process has had, in bytes.
qint64 peakMemory()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const auto &line : status.readAll().split('\n'))
        if (line.startsWith("VmHWM:"))
            return line.simplified().split(' ').value(1).toLongLong() * 1024;
    return 0;
}

Remote at(const QTcpServer &server)
{
    Remote remote;
    remote.addresses = QStringList{QStringLiteral("127.0.0.1:%1").arg(server.serverPort())};
    remote.pins.insert(remote.addresses.first(), QByteArray(32, 'x'));
    return remote;
}
}

/// Whatever a server does, a read ends in time, in words, with bounded memory, and never as a wrong answer.
class TransportEndures : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readsAnAnswerThatIsCutAtAnyByteAsNone();
    void asksAgainOnASocketThatHasGoneStale();
    void asksAtMostThreeTimesIfTheServerAlwaysHangsUp();
    void givesUpOnAPortWhereNothingListens();
    void givesUpOnANameThatIsUnknown();
    void givesUpOnAServerThatNeverShakesHands();
    void givesUpOnAServerThatDoesNotSpeakTls();
    void givesUpOnASilentServer();
    void waitsLongerForAWriteThanForARead();
    void givesUpOnAnAnswerThatStalls();
    void givesUpOnAnAnswerThatDrips();
    void givesUpOnHeadersWithoutEnd();
    void stopsReadingAtTheCap();
    void stopsUnpackingAtTheCap();
    void refusesGarbage_data();
    void refusesGarbage();
    void readsOtherNodesInTimeWhileSevenAreSilent();
    void goesAwayAtAnyMoment();
};

// R17
void TransportEndures::readsAnAnswerThatIsCutAtAnyByteAsNone()
{
    const auto whole = ScriptedServer::bytes("200 OK", R"({"data":{"status":"running","maxmem":8589934592}})");
    ScriptedServer server;
    HttpTransport transport(server.remote());
    for (qsizetype length = 1; length < whole.size(); ++length) {
        server.script = [&](const auto &) { return ScriptedServer::say(whole.left(length), true); };
        const auto answer = await(transport.send(read()));
        QVERIFY2(!answer,
                 qPrintable(QStringLiteral("taken for an answer: %1 of %2 bytes").arg(length).arg(whole.size())));
        QVERIFY(answer.error().kind == Error::Kind::Unreachable || answer.error().kind == Error::Kind::Malformed);
    }
}

// R11
void TransportEndures::asksAgainOnASocketThatHasGoneStale()
{
    ScriptedServer server;
    HttpTransport transport(server.remote());
    QVERIFY(bool(await(transport.send(read()))));
    server.script = [&](const auto &) {
        return server.connections == 1 ? ScriptedServer::hangUp() : ScriptedServer::ok("2");
    };
    const auto answer = await(transport.send(read()));
    QVERIFY(bool(answer));
    QCOMPARE(answer->body, QByteArray("{\"data\":2}"));
    QCOMPARE(server.requests.size(), size_t(3));
}

void TransportEndures::asksAtMostThreeTimesIfTheServerAlwaysHangsUp()
{
    ScriptedServer server;
    server.script = [](const auto &) { return ScriptedServer::hangUp(); };
    HttpTransport transport(server.remote());
    const auto answer = await(transport.send(read()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Unreachable);
    QVERIFY2(server.requests.size() <= 3, qPrintable(QString::number(server.requests.size())));
}

void TransportEndures::givesUpOnAPortWhereNothingListens()
{
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost));
    const auto remote = at(taken);
    taken.close();
    HttpTransport transport(remote);
    for (const auto method : {Method::Get, Method::Post, Method::Delete}) {
        auto request = read();
        request.method = method;
        const auto answer = await(transport.send(request));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Unreachable);
        QVERIFY2(answer.error().message.contains(QLatin1String("refused")), qPrintable(answer.error().message));
    }
}

void TransportEndures::givesUpOnANameThatIsUnknown()
{
    Remote remote;
    remote.addresses = QStringList{QStringLiteral("nothing.invalid")};
    HttpTransport transport(remote);
    const auto answer = await(transport.send(read()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Unreachable);
}

// R16: connect
void TransportEndures::givesUpOnAServerThatNeverShakesHands()
{
    QTcpServer deaf;
    QVERIFY(deaf.listen(QHostAddress::LocalHost));
    HttpTransport transport(at(deaf), brisk());
    for (const auto method : {Method::Get, Method::Post}) {
        auto request = read();
        request.method = method;
        QElapsedTimer took;
        took.start();
        const auto answer = await(transport.send(request));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Unreachable);
        QVERIFY(took.elapsed() >= 240);
    }
}

void TransportEndures::givesUpOnAServerThatDoesNotSpeakTls()
{
    QTcpServer plain;
    QVERIFY(plain.listen(QHostAddress::LocalHost));
    QByteArray heard;
    connect(&plain, &QTcpServer::newConnection, &plain, [&] {
        auto *socket = plain.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, socket, [&heard, socket] {
            heard += socket->readAll();
            socket->write("HTTP/1.1 301 Moved\r\nLocation: https://127.0.0.1/\r\nContent-Length: 0\r\n\r\n");
        });
    });
    HttpTransport transport(at(plain), brisk());
    auto request = read();
    request.method = Method::Post;
    request.headers = {{"Authorization", "CANARY"}};
    const auto answer = await(transport.send(request));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Unreachable);
    QVERIFY(!heard.contains("CANARY"));
}

// R16: first byte
void TransportEndures::givesUpOnASilentServer()
{
    ScriptedServer server;
    server.script = [](const auto &) { return ScriptedServer::silence(); };
    HttpTransport transport(server.remote(), brisk());
    const auto answer = await(transport.send(read()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::TimedOut);
    QCOMPARE(server.requests.size(), size_t(1));
}

void TransportEndures::waitsLongerForAWriteThanForARead()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        ScriptedServer::Reply late;
        late.pieces.emplace_back(450, ScriptedServer::bytes("200 OK", R"({"data":null})"));
        return late;
    };
    HttpTransport transport(server.remote(), brisk());
    auto write = read();
    write.method = Method::Put;
    QVERIFY(bool(await(transport.send(write))));
    QCOMPARE(await(transport.send(read())).error().kind, Error::Kind::TimedOut);
    server.script = [](const auto &) { return ScriptedServer::silence(); };
    QCOMPARE(await(transport.send(write)).error().kind, Error::Kind::Unknown);
}

// R16: idle
void TransportEndures::givesUpOnAnAnswerThatStalls()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        return ScriptedServer::say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\":");
    };
    HttpTransport transport(server.remote(), brisk());
    QCOMPARE(await(transport.send(read())).error().kind, Error::Kind::TimedOut);
}

// R16: total
void TransportEndures::givesUpOnAnAnswerThatDrips()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        ScriptedServer::Reply drip;
        drip.pieces.emplace_back(0, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
        for (int i = 0; i < 100; ++i)
            drip.pieces.emplace_back(50, "x");
        return drip;
    };
    HttpTransport transport(server.remote(), brisk());
    QElapsedTimer took;
    took.start();
    QCOMPARE(await(transport.send(read())).error().kind, Error::Kind::TimedOut);
    QVERIFY(took.elapsed() >= 1400);
}

// R16
void TransportEndures::givesUpOnHeadersWithoutEnd()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        ScriptedServer::Reply drip;
        drip.pieces.emplace_back(0, "HTTP/1.1 200 OK\r\n");
        for (int i = 0; i < 100; ++i)
            drip.pieces.emplace_back(50, "X-Filler: more\r\n");
        return drip;
    };
    HttpTransport transport(server.remote(), brisk());
    QCOMPARE(await(transport.send(read())).error().kind, Error::Kind::TimedOut);
}

// R18
void TransportEndures::stopsReadingAtTheCap()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        auto flood = ScriptedServer::say("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n");
        flood.flood = 104857600;
        return flood;
    };
    HttpLimits limits;
    limits.answerBytes = 4 * 1024 * 1024;
    HttpTransport transport(server.remote(), limits);
    const auto answer = await(transport.send(read()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Malformed);
    // what has left the server and was not read lies in the sockets and in one read-ahead
    QVERIFY2(server.flooded < 12 * 1024 * 1024, qPrintable(QString::number(server.flooded)));
    auto write = read();
    write.method = Method::Post;
    QCOMPARE(await(transport.send(write)).error().kind, Error::Kind::Unknown);
}

// R18
void TransportEndures::stopsUnpackingAtTheCap()
{
    ScriptedServer server;
    // qCompress puts a length before a zlib stream, and a zlib stream is what "deflate" means
    const auto bomb = qCompress(QByteArray(200 * 1024 * 1024, '\0'), 9).mid(4);
    QVERIFY(bomb.size() < 300 * 1024);
    server.script = [&](const auto &) {
        return ScriptedServer::say(ScriptedServer::bytes("200 OK", bomb, "Content-Encoding: deflate\r\n"));
    };
    HttpLimits limits;
    limits.answerBytes = 4 * 1024 * 1024;
    HttpTransport transport(server.remote(), limits);
    const auto before = peakMemory();
    const auto answer = await(transport.send(read()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Malformed);
    const auto grown = (peakMemory() - before) / (1024 * 1024);
    QVERIFY2(grown <= 32, qPrintable(QString::number(grown)));
}

void TransportEndures::refusesGarbage_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("words") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n\r\n");
    QTest::newRow("zeros") << QByteArray(5000, '\0');
    QTest::newRow("a line without end") << QByteArray(100000, 'A');
    QTest::newRow("another protocol") << QByteArray("ICY 200 OK\r\n\r\nx");
    QTest::newRow("a status that is no number") << QByteArray("HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n");
    QTest::newRow("a length that is no number")
        << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n{\"data\":1}");
    QTest::newRow("chunks that are none")
        << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n");
    QTest::newRow("packed that is not") << QByteArray(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde");
}

// R17
void TransportEndures::refusesGarbage()
{
    QFETCH(QByteArray, bytes);
    ScriptedServer server;
    server.script = [&](const auto &) { return ScriptedServer::say(bytes, true); };
    HttpTransport transport(server.remote(), brisk());
    const auto answer = await(transport.send(read()));
    if (answer) // then what is in it must not be more than what came
        QVERIFY(bytes.contains(answer->body));
    auto write = read();
    write.method = Method::Delete;
    server.requests.clear();
    const auto written = await(transport.send(write));
    QCOMPARE(server.requests.size(), size_t(1));
    if (!written)
        QCOMPARE(written.error().kind, Error::Kind::Unknown);
}

// R10: eight nodes behind one address, one to seven of them silent
void TransportEndures::readsOtherNodesInTimeWhileSevenAreSilent()
{
    for (int silent = 1; silent <= 7; ++silent) {
        ScriptedServer server;
        server.script = [silent](const auto &request) {
            const auto node = request.path.mid(request.path.indexOf("/nodes/n") + 8).split('/').first().toInt();
            return node <= silent ? ScriptedServer::silence() : ScriptedServer::ok();
        };
        HttpTransport transport(server.remote());
        std::vector<Future<HttpAnswer>> lost;
        for (int node = 1; node <= silent; ++node)
            lost.push_back(transport.send(read("/nodes/n" + QByteArray::number(node) + "/status")));
        qint64 slowest = 0;
        for (int node = silent + 1; node <= 8; ++node) {
            QElapsedTimer timer;
            timer.start();
            QVERIFY(bool(await(transport.send(read("/nodes/n" + QByteArray::number(node) + "/status")))));
            slowest = qMax(slowest, timer.elapsed());
        }
        QVERIFY2(slowest < 1000, qPrintable(QString::number(slowest)));
        for (const auto &one : lost)
            QVERIFY(!one.isReady());
    }
}

void TransportEndures::goesAwayAtAnyMoment()
{
    ScriptedServer server;
    auto write = read();
    write.method = Method::Post;
    for (int moment = 0; moment < 60; ++moment) {
        auto transport = std::make_unique<HttpTransport>(server.remote());
        std::vector<Future<HttpAnswer>> answers;
        for (int i = 0; i < 4; ++i)
            answers.push_back(transport->send(i % 2 ? read() : write));
        for (int i = 0; i < moment; ++i)
            QCoreApplication::processEvents(QEventLoop::AllEvents);
        QElapsedTimer took;
        took.start();
        transport.reset(); // must not wait for a network thread that waits for this one
        QVERIFY2(took.elapsed() < 2000, qPrintable(QString::number(took.elapsed())));
        QVERIFY(std::all_of(answers.begin(), answers.end(), [](const auto &answer) { return answer.isReady(); }));
    }
}

LABHELM_TEST(TransportEndures)
#include "TransportEndures.moc"
