#include "pve/Client.h"
#include "pve/Connection.h"
#include "pve/FailoverTransport.h"
#include "pve/HttpTransport.h"
#include "pve/Session.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"

namespace
{
using Kind = Error::Kind;

/// One cluster of two nodes, each with a certificate of its own.
struct Pair {
    ScriptedServer first{QStringLiteral("a")}, second{QStringLiteral("b")};
    ManualClock clock;
    HttpLimits limits;
    Remote remote;
    std::unique_ptr<FailoverTransport> transport;

    explicit Pair(std::chrono::milliseconds patience = std::chrono::milliseconds(300)) : remote(first.remote())
    {
        limits.connect = limits.firstByte = patience;
        remote.addresses << second.address();
        remote.pins.insert(second.address(), second.pin());
        transport = std::make_unique<FailoverTransport>(
            remote.addresses,
            [this](const QString &address) {
                auto one = remote;
                one.addresses = QStringList{address};
                return std::make_unique<HttpTransport>(one, limits);
            },
            clock);
    }
    Result<HttpAnswer> send(Method method = Method::Get, const QByteArray &path = "/nodes")
    {
        HttpRequest request;
        request.method = method;
        request.path = path;
        request.headers = {{"Authorization", "PVEAPIToken=root@pam!x=y"}};
        if (method != Method::Get)
            request.headers.emplace_back("CSRFPreventionToken", "z");
        return await(transport->send(request));
    }
    int writes() const
    {
        int count = 0;
        for (const auto *method : {"POST", "PUT", "DELETE"})
            count += first.arrived(method) + second.arrived(method);
        return count;
    }
};
constexpr Method writing[]{Method::Post, Method::Put, Method::Delete};
}

/// A cluster with several addresses stays readable while one of them answers, and no write is sent twice or elsewhere.
class FailoverGoesOn : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void asksTheFirstWhileItAnswers();
    void readsFromAnotherWhenOneIsGone();
    void readsFromAnotherWhenOneIsSilent();
    void readsFromAnotherWhenOneHangsUp();
    void staysWhereItWasAnswered();
    void triesOneThatFailedAfterTheOthers();
    void hidesNoCertificateThatChanged();
    void namesEveryAddressWhenNoneAnswers();
    void takesARefusalForAnAnswer();
    void provesAnAddressWithAReadBeforeItWrites();
    void writesWithoutAProofWhereOneWasJustAnswered();
    void neverMovesAWriteThatWasCut();
    void neverMovesAWriteThatFoundNobody();
    void writesNowhereWhenNoneAnswers();
    void signsInWhereARealmListWasAnswered();
    void leavesASingleAddressAlone();
    void endsWhoWaitsWhenItGoes();
    void readsOnThroughAClient();
};

void FailoverGoesOn::asksTheFirstWhileItAnswers()
{
    Pair pair;
    for (int i = 0; i < 3; ++i)
        QVERIFY(bool(pair.send()));
    QCOMPARE(pair.first.arrived("GET"), 3);
    QCOMPARE(pair.second.connections, 0);
}

void FailoverGoesOn::readsFromAnotherWhenOneIsGone()
{
    Pair pair;
    pair.first.close();
    QVERIFY(bool(pair.send()));
    QCOMPARE(pair.second.arrived("GET"), 1);
}

void FailoverGoesOn::readsFromAnotherWhenOneIsSilent()
{
    Pair pair;
    pair.first.script = [](const auto &) { return ScriptedServer::silence(); };
    QVERIFY(bool(pair.send()));
    QCOMPARE(pair.second.arrived("GET"), 1);
}

void FailoverGoesOn::readsFromAnotherWhenOneHangsUp()
{
    Pair pair;
    pair.first.script = [](const auto &) { return ScriptedServer::hangUp(); };
    QVERIFY(bool(pair.send()));
    QCOMPARE(pair.second.arrived("GET"), 1);
}

void FailoverGoesOn::staysWhereItWasAnswered()
{
    Pair pair;
    pair.first.cut = ScriptedServer::Cut::BeforeHandshake;
    QVERIFY(bool(pair.send()));
    const auto tries = pair.first.connections;
    pair.first.cut = ScriptedServer::Cut::Never;
    pair.clock.advance(std::chrono::minutes(5));
    QVERIFY(bool(pair.send()));
    QCOMPARE(pair.first.connections, tries);
    QCOMPARE(pair.transport->current(), pair.second.address());
    pair.second.closeAll();
    pair.second.close();
    QVERIFY(bool(pair.send()));
    QCOMPARE(pair.transport->current(), pair.first.address());
}

// R11
void FailoverGoesOn::triesOneThatFailedAfterTheOthers()
{
    Pair pair;
    pair.first.cut = pair.second.cut = ScriptedServer::Cut::BeforeHandshake;
    QVERIFY(!pair.send());
    QVERIFY(!pair.send());
    pair.second.cut = ScriptedServer::Cut::Never;
    pair.clock.advance(std::chrono::seconds(40)); // past the longest rest
    QVERIFY(bool(pair.send()));
    const auto tries = pair.first.connections;
    pair.second.script = [](const auto &) { return ScriptedServer::hangUp(); };
    QVERIFY(!pair.send());
    QVERIFY(pair.first.connections > tries); // it was asked again, and the error is theirs both
}

// T15: a certificate that changed is told, whatever else could answer
void FailoverGoesOn::hidesNoCertificateThatChanged()
{
    Pair pair;
    pair.first.show(QStringLiteral("old"));
    const auto answer = pair.send();
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Kind::Untrusted);
    QVERIFY(pair.first.received.isEmpty());
    QCOMPARE(pair.second.connections, 0);
}

void FailoverGoesOn::namesEveryAddressWhenNoneAnswers()
{
    Pair pair;
    pair.first.close();
    pair.second.close();
    const auto answer = pair.send();
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Kind::Unreachable);
    QVERIFY2(answer.error().message.contains(pair.remote.addresses[0]) &&
                 answer.error().message.contains(pair.remote.addresses[1]),
             qPrintable(answer.error().message));
}

void FailoverGoesOn::takesARefusalForAnAnswer()
{
    Pair pair;
    pair.first.script = [](const auto &) {
        return ScriptedServer::say(ScriptedServer::bytes("595 No route to host", {}, {}), true);
    };
    const auto answer = pair.send();
    QVERIFY(bool(answer));
    QCOMPARE(answer->status, 595);
    QCOMPARE(pair.second.connections, 0);
}

void FailoverGoesOn::provesAnAddressWithAReadBeforeItWrites()
{
    for (const auto method : writing) {
        Pair pair;
        pair.first.close();
        QVERIFY(bool(pair.send(method)));
        QCOMPARE(pair.writes(), 1);
        QCOMPARE(pair.second.requests.size(), size_t(2));
        QCOMPARE(pair.second.requests[0].method, QByteArray("GET"));
        QCOMPARE(pair.second.requests[0].path, QByteArray("/api2/json/version"));
        QCOMPARE(pair.second.requests[0].header("authorization"), QByteArray("PVEAPIToken=root@pam!x=y"));
        QVERIFY(pair.second.requests[0].header("csrfpreventiontoken").isEmpty());
        QCOMPARE(pair.second.requests[1].header("csrfpreventiontoken"), QByteArray("z"));
    }
}

void FailoverGoesOn::writesWithoutAProofWhereOneWasJustAnswered()
{
    Pair pair;
    QVERIFY(bool(pair.send()));
    QVERIFY(bool(pair.send(Method::Post)));
    QCOMPARE(pair.first.requests.size(), size_t(2));
    pair.clock.advance(std::chrono::milliseconds(FailoverTransport::provenForMs));
    QVERIFY(bool(pair.send(Method::Post)));
    QCOMPARE(pair.first.requests.size(), size_t(4));
    QCOMPARE(pair.first.arrived("GET"), 2);
}

// R03
void FailoverGoesOn::neverMovesAWriteThatWasCut()
{
    for (const auto method : writing) {
        Pair pair;
        pair.first.script = [](const auto &request) {
            return request.method == "GET" ? ScriptedServer::ok() : ScriptedServer::hangUp();
        };
        const auto answer = pair.send(method);
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Kind::Unknown);
        QVERIFY(bool(pair.send())); // a second one would have arrived by now
        QCOMPARE(pair.writes(), 1);
    }
}

void FailoverGoesOn::neverMovesAWriteThatFoundNobody()
{
    for (const auto method : writing) {
        Pair pair;
        QVERIFY(bool(pair.send()));
        pair.first.cut = ScriptedServer::Cut::BeforeHandshake;
        const auto answer = pair.send(method);
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Kind::Unreachable);
        QCOMPARE(pair.writes(), 0);
        QVERIFY(bool(pair.send(method))); // the next one goes where a read was answered
        QCOMPARE(pair.writes(), 1);
        QVERIFY(pair.second.requests.size() == 2);
    }
}

void FailoverGoesOn::writesNowhereWhenNoneAnswers()
{
    Pair pair;
    pair.first.script = pair.second.script = [](const auto &) { return ScriptedServer::hangUp(); };
    const auto answer = pair.send(Method::Post);
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Kind::Unreachable);
    QCOMPARE(pair.writes(), 0);
}

void FailoverGoesOn::signsInWhereARealmListWasAnswered()
{
    Pair pair;
    pair.first.close();
    HttpRequest signIn;
    signIn.method = Method::Post;
    signIn.path = "/access/ticket";
    signIn.body = "username=a&password=b";
    QVERIFY(bool(await(pair.transport->send(signIn))));
    QCOMPARE(pair.second.requests.size(), size_t(2));
    QCOMPARE(pair.second.requests[0].path, QByteArray("/api2/json/access/domains"));
    QVERIFY(pair.second.requests[0].body.isEmpty());
}

void FailoverGoesOn::leavesASingleAddressAlone()
{
    ScriptedServer server;
    FailoverTransport transport({server.address()},
                                [&](const QString &) { return std::make_unique<HttpTransport>(server.remote()); });
    HttpRequest write;
    write.method = Method::Put;
    write.path = "/x";
    QVERIFY(bool(await(transport.send(write))));
    QCOMPARE(server.requests.size(), size_t(1));
    FailoverTransport none({}, [&](const QString &) { return std::make_unique<HttpTransport>(server.remote()); });
    QCOMPARE(await(none.send(write)).error().kind, Kind::Invalid);
}

void FailoverGoesOn::endsWhoWaitsWhenItGoes()
{
    for (const auto method : {Method::Get, Method::Post}) {
        Pair pair(std::chrono::seconds(20));
        pair.first.script = [&](const auto &request) {
            return request.path.endsWith("/domains") ? ScriptedServer::ok() : ScriptedServer::silence();
        };
        HttpRequest request;
        request.method = method;
        request.path = "/x";
        auto future = pair.transport->send(request);
        QVERIFY(waitUntil([&] {
            return pair.first.arrived(methodName(method).data()) == 1 && pair.first.requests.back().path.endsWith("/x");
        }));
        pair.transport.reset();
        const auto ended = await(std::move(future));
        QVERIFY(!ended);
        QCOMPARE(ended.error().kind, Kind::Cancelled);
    }
}

void FailoverGoesOn::readsOnThroughAClient()
{
    Pair pair;
    MemoryStore secrets;
    QVERIFY(bool(await(secrets.write(pair.remote.secretKey(), Secret("s")))));
    Connection connection(pair.remote, secrets);
    pair.first.close();
    const auto answer = await(connection.client().send({Method::Get, {QStringLiteral("nodes")}}, {}));
    QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
    QCOMPARE(pair.second.arrived("GET"), 1);
    QVERIFY(pair.second.received.contains("PVEAPIToken=root@pam!test=s"));
}

LABHELM_TEST(FailoverGoesOn)
#include "FailoverGoesOn.moc"
