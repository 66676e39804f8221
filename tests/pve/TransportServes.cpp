#include "pve/HttpTransport.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"

namespace
{
using std::chrono::milliseconds;

HttpRequest read(const QByteArray &path = "/version")
{
    HttpRequest request;
    request.path = path;
    return request;
}
}

/// What a server may properly do is understood, and many requests share few connections in order.
class TransportServes : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readsAnAnswerWithoutALength();
    void readsAnAnswerInChunks();
    void keepsTheReasonPhraseAsUtf8_data();
    void keepsTheReasonPhraseAsUtf8();
    void keepsOneConnectionForReadsInARow();
    void readsAPackedAnswer();
    void servesACrowdInTurn();
    void tellsARequestThatWaitedInVainThatItWasNotSent();
    void letsAStoppedReadMakeRoom();
    void doesNotSendAStoppedWriteThatStillWaited();
    void keepsNoCookies();
};

void TransportServes::readsAnAnswerWithoutALength()
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

void TransportServes::readsAnAnswerInChunks()
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

void TransportServes::keepsTheReasonPhraseAsUtf8_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const auto *line :
         {"400 Parameter verification failed.", "403 Permission check failed (/vms/100, VM.Audit)",
          "500 k\xc3\xb6nnte nicht: \xe2\x80\x9enope\xe2\x80\x9c", "501 Method 'GET /x' not implemented",
          "596 Broken pipe", "595 No route to host", "424 node is not in a cluster"})
        QTest::newRow(line) << QByteArray(line);
}

void TransportServes::keepsTheReasonPhraseAsUtf8()
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

void TransportServes::keepsOneConnectionForReadsInARow()
{
    ScriptedServer server;
    HttpTransport transport(server.remote());
    for (int i = 0; i < 20; ++i)
        QVERIFY(bool(await(transport.send(read()))));
    QCOMPARE(server.connections, 1);
}

void TransportServes::readsAPackedAnswer()
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

void TransportServes::servesACrowdInTurn()
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

void TransportServes::tellsARequestThatWaitedInVainThatItWasNotSent()
{
    ScriptedServer server;
    server.script = [](const auto &) { return ScriptedServer::silence(); };
    HttpLimits limits;
    limits.queue = milliseconds(400);
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

void TransportServes::letsAStoppedReadMakeRoom()
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

void TransportServes::doesNotSendAStoppedWriteThatStillWaited()
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

void TransportServes::keepsNoCookies()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        return ScriptedServer::say(
            ScriptedServer::bytes("200 OK", R"({"data":1})", "Set-Cookie: PVEAuthCookie=other; path=/\r\n"));
    };
    HttpTransport transport(server.remote());
    QVERIFY(bool(await(transport.send(read()))));
    auto ours = read();
    ours.headers = {{"Cookie", "PVEAuthCookie=ours"}};
    QVERIFY(bool(await(transport.send(ours))));
    QVERIFY(bool(await(transport.send(read()))));
    QCOMPARE(server.requests[1].header("cookie"), QByteArray("PVEAuthCookie=ours"));
    QVERIFY(server.requests[2].header("cookie").isEmpty());
    QCOMPARE(server.connections, 1);
}

LABHELM_TEST(TransportServes)
#include "TransportServes.moc"
