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
    void readsAnAnswerWithoutALength();
    void readsAnAnswerInChunks();
    void keepsTheReasonPhraseAsUtf8_data();
    void keepsTheReasonPhraseAsUtf8();
    void keepsOneConnectionForReadsInARow();
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
    void readsAPackedAnswer();
    void refusesGarbage_data();
    void refusesGarbage();
    void servesACrowdInTurn();
    void tellsARequestThatWaitedInVainThatItWasNotSent();
    void letsAStoppedReadMakeRoom();
    void doesNotSendAStoppedWriteThatStillWaited();
};

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

void TransportEndures::readsAnAnswerWithoutALength()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        return ScriptedServer::say("HTTP/1.1 401 No ticket\r\nConnection: close\r\n\r\n", true);
    };
    HttpTransport transport(server.remote());
    const auto answer = await(transport.send(read()));
    QVERIFY(bool(answer));
    QCOMPARE(answer->status, 401);
    QCOMPARE(answer->reason, QStringLiteral("No ticket"));
    QVERIFY(answer->body.isEmpty());
}

void TransportEndures::readsAnAnswerInChunks()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        return ScriptedServer::say(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"data\":\r\n2\r\n1}\r\n0\r\n\r\n");
    };
    HttpTransport transport(server.remote());
    const auto answer = await(transport.send(read()));
    QVERIFY(bool(answer));
    QCOMPARE(answer->body, QByteArray("{\"data\":1}"));
}

void TransportEndures::keepsTheReasonPhraseAsUtf8_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const auto *line :
         {"400 Parameter verification failed.", "403 Permission check failed (/vms/100, VM.Audit)",
          "500 k\xc3\xb6nnte nicht: \xe2\x80\x9enope\xe2\x80\x9c", "501 Method 'GET /x' not implemented",
          "596 Broken pipe", "595 No route to host", "424 node is not in a cluster"})
        QTest::newRow(line) << QByteArray(line);
}

void TransportEndures::keepsTheReasonPhraseAsUtf8()
{
    QFETCH(QByteArray, line);
    ScriptedServer server;
    server.script = [&](const auto &) { return ScriptedServer::say(ScriptedServer::bytes(line, R"({"data":null})")); };
    HttpTransport transport(server.remote());
    const auto answer = await(transport.send(read()));
    QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
    QCOMPARE(answer->status, line.left(3).toInt());
    QCOMPARE(answer->reason, QString::fromUtf8(line.mid(4)));
    QCOMPARE(answer->origin, server.address());
}

void TransportEndures::keepsOneConnectionForReadsInARow()
{
    ScriptedServer server;
    HttpTransport transport(server.remote());
    for (int i = 0; i < 20; ++i)
        QVERIFY(bool(await(transport.send(read()))));
    QCOMPARE(server.connections, 1);
}

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

void TransportEndures::givesUpOnAnAnswerThatStalls()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        return ScriptedServer::say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\":");
    };
    HttpTransport transport(server.remote(), brisk());
    QCOMPARE(await(transport.send(read())).error().kind, Error::Kind::TimedOut);
}

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

void TransportEndures::readsAPackedAnswer()
{
    ScriptedServer server;
    const QByteArray text = "{\"data\":\"" + QByteArray("lorem ipsum ").repeated(100000) + "\"}";
    server.script = [&](const auto &request) {
        if (!request.header("accept-encoding").contains("deflate"))
            return ScriptedServer::ok("\"not asked for\"");
        return ScriptedServer::say(
            ScriptedServer::bytes("200 OK", qCompress(text).mid(4), "Content-Encoding: deflate\r\n"));
    };
    HttpTransport transport(server.remote());
    const auto answer = await(transport.send(read()));
    QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().detail));
    QCOMPARE(answer->body, text);
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

void TransportEndures::servesACrowdInTurn()
{
    ScriptedServer server;
    server.script = [](const auto &request) { return ScriptedServer::ok('"' + request.path + '"'); };
    HttpTransport transport(server.remote());
    std::vector<Future<HttpAnswer>> answers;
    for (int i = 0; i < 300; ++i)
        answers.push_back(transport.send(read("/n" + QByteArray::number(i))));
    QVERIFY(waitUntil([&] { return transport.pending() == 0; }));
    for (size_t i = 0; i < answers.size(); ++i)
        QCOMPARE(answers[i].await_resume()->body, "{\"data\":\"/api2/json/n" + QByteArray::number(i) + "\"}");
    QVERIFY2(server.connections <= 12 + 60, qPrintable(QString::number(server.connections)));
}

void TransportEndures::tellsARequestThatWaitedInVainThatItWasNotSent()
{
    ScriptedServer server;
    server.script = [](const auto &) { return ScriptedServer::silence(); };
    auto limits = brisk();
    limits.writes = 1;
    limits.firstByteOfWrite = milliseconds(1000);
    HttpTransport transport(server.remote(), limits);
    auto write = read();
    write.method = Method::Post;
    auto first = transport.send(write);
    auto second = transport.send(write);
    QCOMPARE(await(std::move(second)).error().kind, Error::Kind::Unreachable);
    QCOMPARE(await(std::move(first)).error().kind, Error::Kind::Unknown);
    QCOMPARE(server.requests.size(), size_t(1));
}

void TransportEndures::letsAStoppedReadMakeRoom()
{
    ScriptedServer server;
    server.script = [](const auto &request) {
        return request.path.endsWith("/slow") ? ScriptedServer::silence() : ScriptedServer::ok();
    };
    HttpLimits limits;
    limits.reads = 1;
    HttpTransport transport(server.remote(), limits);
    std::stop_source stop;
    auto slow = read("/slow");
    slow.stop = stop.get_token();
    auto first = transport.send(slow);
    auto second = transport.send(read());
    QVERIFY(waitUntil([&] { return server.requests.size() == 1; }));
    stop.request_stop();
    QVERIFY(bool(await(std::move(second))));
    QCOMPARE(await(std::move(first)).error().kind, Error::Kind::Cancelled);
}

void TransportEndures::doesNotSendAStoppedWriteThatStillWaited()
{
    ScriptedServer server;
    ScriptedServer::Reply late;
    late.pieces.emplace_back(150, ScriptedServer::bytes("200 OK", R"({"data":null})"));
    server.script = [&](const auto &) { return late; };
    HttpLimits limits;
    limits.writes = 1;
    HttpTransport transport(server.remote(), limits);
    std::stop_source stop;
    auto write = read("/first");
    write.method = Method::Delete;
    auto first = transport.send(write);
    write.path = "/second";
    write.stop = stop.get_token();
    auto second = transport.send(write);
    stop.request_stop();
    QVERIFY(bool(await(std::move(first))));
    QCOMPARE(await(std::move(second)).error().kind, Error::Kind::Cancelled);
    server.script = [](const auto &) { return ScriptedServer::ok(); };
    QVERIFY(bool(await(transport.send(read())))); // it would have arrived by then
    QCOMPARE(server.arrived("DELETE"), 1);
}

LABHELM_TEST(TransportEndures)
#include "TransportEndures.moc"
