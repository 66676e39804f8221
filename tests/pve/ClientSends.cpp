#include "pve/Client.h"
#include "pve/HttpTransport.h"
#include "pve/Session.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"
#include <QJsonArray>

namespace
{
/// A client that is signed in to a scripted server with a token.
struct Signed {
    ScriptedServer server;
    MemoryStore secrets;
    Remote remote;
    HttpTransport transport;
    Session session;
    Client client;
    explicit Signed(const HttpLimits &limits = {})
        : remote(server.remote()), transport(remote, limits), session(remote, transport, secrets),
          client(transport, session)
    {
        const auto kept = await(secrets.write(remote.secretKey(), Secret("c0ffee-secret")));
        Q_ASSERT(kept);
    }
    Result<ApiAnswer> send(Method method, QStringList segments, QList<std::pair<QString, QString>> parameters = {})
    {
        return await(client.send({method, std::move(segments), std::move(parameters)}, {}));
    }
};

QStringList config()
{
    return {QStringLiteral("nodes"), QStringLiteral("pve1"), QStringLiteral("qemu"), QStringLiteral("100"),
            QStringLiteral("config")};
}
}

/// What a client puts on the wire, and what it makes of what comes back.
class ClientSends : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void givesTheDataAndWhatStandsBesideIt();
    void signsWithTheTokenOfTheStore();
    void encodesEachSegmentAndValueOnce();
    void putsTheParametersOfDeleteInTheQuery();
    void refusesAPathThatWouldLeadElsewhere_data();
    void refusesAPathThatWouldLeadElsewhere();
    void readsALongAnswerAwayFromThisThread();
    void endsAtOnceWhenAReadIsStopped();
    void callsAStoppedWriteUnknown();
    void answersWhatPendsWhenTheTransportGoes();
};

void ClientSends::givesTheDataAndWhatStandsBesideIt()
{
    Signed with;
    with.server.script = [](const auto &) {
        return ScriptedServer::say(ScriptedServer::bytes("200 OK", R"({"total":20,"data":[1,66624765952]})"));
    };
    const auto answer = with.send(Method::Get, config());
    QVERIFY(bool(answer));
    QCOMPARE(answer->data.toArray()[1].toInteger(), 66624765952);
    QCOMPARE(answer->beside[QLatin1String("total")].toInt(), 20);
    QVERIFY(!answer->beside.contains(QLatin1String("data")));
}

void ClientSends::signsWithTheTokenOfTheStore()
{
    Signed with;
    QVERIFY(bool(with.send(Method::Get, config())));
    QVERIFY(bool(with.send(Method::Put, config())));
    for (const auto &request : with.server.requests) {
        QCOMPARE(request.header("authorization"), QByteArray("PVEAPIToken=root@pam!test=c0ffee-secret"));
        QVERIFY(request.header("cookie").isEmpty());
        QVERIFY(request.header("csrfpreventiontoken").isEmpty());
    }
}

void ClientSends::encodesEachSegmentAndValueOnce()
{
    Signed with;
    const QStringList path{QStringLiteral("nodes"), QStringLiteral("UPID:a@b!c:"),
                           QStringLiteral("local:iso/ä b+%2F.iso")};
    QVERIFY(bool(with.send(Method::Post, path,
                           {{QStringLiteral("net0"), QStringLiteral("virtio,bridge=vmbr0;x")},
                            {QStringLiteral("description"), QStringLiteral("a+b c&d\nü 100%")}})));
    QCOMPARE(with.server.requests[0].path,
             QByteArray("/api2/json/nodes/UPID%3Aa%40b%21c%3A/local%3Aiso%2F%C3%A4%20b%2B%252F.iso"));
    QCOMPARE(with.server.requests[0].body,
             QByteArray("net0=virtio%2Cbridge%3Dvmbr0%3Bx&description=a%2Bb%20c%26d%0A%C3%BC%20100%25"));
    QCOMPARE(with.server.requests[0].header("content-type"), QByteArray("application/x-www-form-urlencoded"));
}

void ClientSends::putsTheParametersOfDeleteInTheQuery()
{
    Signed with;
    QVERIFY(bool(
        with.send(Method::Delete, config(),
                  {{QStringLiteral("purge"), QStringLiteral("1")}, {QStringLiteral("x"), QStringLiteral("a=b&c")}})));
    QVERIFY(bool(with.send(Method::Get, config(), {{QStringLiteral("current"), QStringLiteral("1")}})));
    QVERIFY(with.server.requests[0].path.endsWith("/config?purge=1&x=a%3Db%26c"));
    QVERIFY(with.server.requests[0].body.isEmpty());
    QVERIFY(with.server.requests[1].path.endsWith("/config?current=1"));
}

void ClientSends::refusesAPathThatWouldLeadElsewhere_data()
{
    QTest::addColumn<QString>("segment");
    for (const auto *segment : {"", ".", "..", "../../access", "a//b", "a/../b", "x\ny"})
        QTest::newRow(segment) << QString::fromLatin1(segment);
}

void ClientSends::refusesAPathThatWouldLeadElsewhere()
{
    QFETCH(QString, segment);
    Signed with;
    const auto answer = with.send(Method::Get, {QStringLiteral("nodes"), segment, QStringLiteral("users")});
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Invalid);
    QCOMPARE(with.server.connections, 0);
}

void ClientSends::readsALongAnswerAwayFromThisThread()
{
    Signed with;
    const QByteArray row = R"({"id":"qemu/100","name":"web","status":"running","maxmem":8589934592},)";
    const auto list = "[" + row.repeated(20000).chopped(1) + "]";
    with.server.script = [&](const auto &) { return ScriptedServer::ok(list); };
    const auto answer = with.send(Method::Get, config());
    QVERIFY(bool(answer));
    QCOMPARE(answer->data.toArray().size(), 20000);
}

void ClientSends::endsAtOnceWhenAReadIsStopped()
{
    Signed with;
    with.server.script = [](const auto &) { return ScriptedServer::silence(); };
    std::stop_source stop;
    auto place = std::make_shared<std::optional<Result<ApiAnswer>>>();
    awaiting::keep(with.client.send({Method::Get, config()}, stop.get_token()), place);
    QVERIFY(waitUntil([&] { return with.server.requests.size() == 1; }));
    stop.request_stop();
    QVERIFY(place->has_value());
    QCOMPARE((**place).error().kind, Error::Kind::Cancelled);
    QVERIFY(waitUntil([&] { return with.transport.pending() == 0; }));
}

void ClientSends::callsAStoppedWriteUnknown()
{
    Signed with;
    with.server.script = [](const auto &) { return ScriptedServer::silence(); };
    std::stop_source stop;
    auto place = std::make_shared<std::optional<Result<ApiAnswer>>>();
    awaiting::keep(with.client.send({Method::Post, config()}, stop.get_token()), place);
    QVERIFY(waitUntil([&] { return with.server.requests.size() == 1; }));
    stop.request_stop();
    QVERIFY(place->has_value());
    QCOMPARE((**place).error().kind, Error::Kind::Unknown);
}

void ClientSends::answersWhatPendsWhenTheTransportGoes()
{
    ScriptedServer server;
    server.script = [](const auto &) { return ScriptedServer::silence(); };
    HttpLimits limits;
    limits.reads = 2;
    auto transport = std::make_unique<HttpTransport>(server.remote(), limits);
    std::vector<Future<HttpAnswer>> answers;
    for (int i = 0; i < 5; ++i)
        answers.push_back(transport->send({Method::Get, "/version"}));
    answers.push_back(transport->send({Method::Post, "/version"}));
    QVERIFY(waitUntil([&] { return server.requests.size() == 3; }));
    transport.reset();
    for (auto &answer : answers) {
        QVERIFY(answer.isReady());
        QCOMPARE(answer.await_resume().error().kind, Error::Kind::Cancelled);
    }
}

LABHELM_TEST(ClientSends)
#include "ClientSends.moc"
