#include "pve/HttpTransport.h"
#include "remotes/Fingerprint.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"

namespace
{
HttpRequest secretRead(const QByteArray &path = "/version")
{
    HttpRequest request;
    request.path = path;
    request.headers = {{"Authorization", "PVEAPIToken=root@pam!test=CANARY"}};
    return request;
}

HttpRequest secretWrite(Method method)
{
    auto request = secretRead();
    request.method = method;
    return request;
}

QSslCertificate certificate(const char *name)
{
    return QSslCertificate::fromPath(QStringLiteral(LABHELM_TEST_DATA "/certificates/%1.pem").arg(QLatin1String(name)))
        .first();
}

QByteArray pinOf(const char *name)
{
    return certificate(name).digest(QCryptographicHash::Sha256);
}
}

/// No byte of a request, and so no credential, reaches a server whose certificate is not the one that was accepted.
class TransportTrusts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { m_before = QSslConfiguration::defaultConfiguration(); }
    void cleanup() { QSslConfiguration::setDefaultConfiguration(m_before); }

    void sendsNothingToAnotherCertificate_data();
    void sendsNothingToAnotherCertificate();
    void namesBothFingerprints();
    void sendsNothingToManyAtOnce();
    void sendsNothingThoughTheSystemTrustsTheOther();
    void acceptsThePinnedOneThoughItHasExpired();
    void acceptsAChainThatTheSystemTrusts();
    void refusesWhatTheSystemDoesNotTrust_data();
    void refusesWhatTheSystemDoesNotTrust();
    void refusesAnotherHostsCertificate();
    void looksAgainWhenItConnectsAnew();
    void looksAgainWhenQtConnectsAnewByItself();
    void looksAtEveryConnectionOfACrowd();
    void dropsKeptConnectionsWhenThePinChanges();
    void refusesARedirectToAnotherServer();

private:
    static void trustAlso(const char *name)
    {
        auto configuration = QSslConfiguration::defaultConfiguration();
        configuration.addCaCertificate(certificate(name));
        QSslConfiguration::setDefaultConfiguration(configuration);
    }
    QSslConfiguration m_before;
};

void TransportTrusts::sendsNothingToAnotherCertificate_data()
{
    QTest::addColumn<Method>("method");
    QTest::newRow("GET") << Method::Get;
    QTest::newRow("POST") << Method::Post;
    QTest::newRow("PUT") << Method::Put;
    QTest::newRow("DELETE") << Method::Delete;
}

void TransportTrusts::sendsNothingToAnotherCertificate()
{
    QFETCH(Method, method);
    ScriptedServer server(QStringLiteral("a"));
    auto remote = server.remote();
    remote.pins[server.address()] = pinOf("b");
    HttpTransport transport(remote);
    for (int i = 0; i < 20; ++i) {
        const auto answer = await(transport.send(secretWrite(method)));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Untrusted);
    }
    QCOMPARE(server.connections, 20);
    QVERIFY2(server.received.isEmpty(), server.received.constData());
}

void TransportTrusts::namesBothFingerprints()
{
    ScriptedServer server(QStringLiteral("a"));
    auto remote = server.remote();
    remote.pins[server.address()] = pinOf("b");
    HttpTransport transport(remote);
    const auto answer = await(transport.send(secretRead()));
    QVERIFY(!answer);
    QVERIFY(answer.error().message.contains(Fingerprint::text(pinOf("a"))));
    QVERIFY(answer.error().message.contains(Fingerprint::text(pinOf("b"))));
    QVERIFY(answer.error().message.contains(server.address()));
}

void TransportTrusts::sendsNothingToManyAtOnce()
{
    ScriptedServer server(QStringLiteral("a"));
    auto remote = server.remote();
    remote.pins[server.address()] = pinOf("b");
    HttpTransport transport(remote);
    std::vector<Future<HttpAnswer>> answers;
    for (int i = 0; i < 40; ++i)
        answers.push_back(transport.send(i % 4 ? secretRead() : secretWrite(Method::Post)));
    QVERIFY(waitUntil([&] { return transport.pending() == 0; }));
    for (auto &answer : answers)
        QCOMPARE(answer.await_resume().error().kind, Error::Kind::Untrusted);
    QVERIFY(server.received.isEmpty());
}

void TransportTrusts::sendsNothingThoughTheSystemTrustsTheOther()
{
    trustAlso("ca");
    ScriptedServer server;
    server.show(QStringLiteral("leaf2"), QStringLiteral("ca"));
    auto remote = server.remote();
    remote.pins[server.address()] = pinOf("leaf");
    HttpTransport transport(remote);
    const auto answer = await(transport.send(secretRead()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Untrusted);
    QVERIFY(server.received.isEmpty());
}

void TransportTrusts::acceptsThePinnedOneThoughItHasExpired()
{
    ScriptedServer server(QStringLiteral("old"));
    HttpTransport transport(server.remote());
    QVERIFY(bool(await(transport.send(secretRead()))));
}

void TransportTrusts::acceptsAChainThatTheSystemTrusts()
{
    trustAlso("ca");
    ScriptedServer server;
    server.show(QStringLiteral("leaf"), QStringLiteral("ca"));
    auto remote = server.remote();
    remote.pins.clear();
    HttpTransport transport(remote);
    const auto answer = await(transport.send(secretRead()));
    QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
}

void TransportTrusts::refusesWhatTheSystemDoesNotTrust_data()
{
    QTest::addColumn<QString>("shown");
    QTest::newRow("self-signed") << QStringLiteral("a");
    QTest::newRow("unknown issuer") << QStringLiteral("leaf");
    QTest::newRow("expired") << QStringLiteral("old");
}

void TransportTrusts::refusesWhatTheSystemDoesNotTrust()
{
    QFETCH(QString, shown);
    trustAlso("old");
    ScriptedServer server(shown);
    auto remote = server.remote();
    remote.pins.clear();
    HttpTransport transport(remote);
    for (const auto method : {Method::Get, Method::Post, Method::Delete}) {
        const auto answer = await(transport.send(secretWrite(method)));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Untrusted);
        QVERIFY(answer.error().message.contains(Fingerprint::text(server.pin())));
    }
    QVERIFY(server.received.isEmpty());
}

void TransportTrusts::refusesAnotherHostsCertificate()
{
    trustAlso("ca");
    ScriptedServer server;
    server.show(QStringLiteral("leaf"), QStringLiteral("ca"));
    server.close();
    QVERIFY(server.listen(QHostAddress(QStringLiteral("127.0.0.2")))); // the certificate names 127.0.0.1 and localhost
    auto remote = server.remote();
    remote.pins.clear();
    remote.addresses = QStringList{QStringLiteral("127.0.0.2:%1").arg(server.serverPort())};
    HttpTransport transport(remote);
    const auto answer = await(transport.send(secretRead()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Untrusted);
    QVERIFY(server.received.isEmpty());
}

void TransportTrusts::looksAgainWhenItConnectsAnew()
{
    ScriptedServer server(QStringLiteral("a"));
    HttpTransport transport(server.remote());
    QVERIFY(bool(await(transport.send(secretRead()))));
    server.show(QStringLiteral("b"));
    server.closeAll();
    const auto answer = await(transport.send(secretRead()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Untrusted);
    QVERIFY(server.receivedBy[pinOf("b")].isEmpty());
}

void TransportTrusts::looksAgainWhenQtConnectsAnewByItself()
{
    ScriptedServer server(QStringLiteral("a"));
    HttpTransport transport(server.remote());
    QVERIFY(bool(await(transport.send(secretRead()))));
    server.script = [&](const auto &) { // takes the request on the trusted connection, then hangs up: Qt sends it again
        server.show(QStringLiteral("b"));
        return ScriptedServer::hangUp();
    };
    const auto answer = await(transport.send(secretRead()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Untrusted);
    QCOMPARE(server.connections, 2);
    QVERIFY(server.receivedBy[pinOf("b")].isEmpty());
}

void TransportTrusts::looksAtEveryConnectionOfACrowd()
{
    // The other certificate is one the system trusts, so that nothing but the pin stands in its way.
    trustAlso("ca");
    ScriptedServer server;
    server.show(QStringLiteral("leaf"), QStringLiteral("ca"));
    HttpTransport transport(server.remote());
    int served = 0;
    server.script = [&](const auto &) {
        if (++served == 20)
            server.show(QStringLiteral("leaf2"), QStringLiteral("ca"));
        return ScriptedServer::say(ScriptedServer::bytes("200 OK", R"({"data":1})"), served % 3 == 0);
    };
    std::vector<Future<HttpAnswer>> answers;
    for (int i = 0; i < 200; ++i)
        answers.push_back(transport.send(secretRead("/n" + QByteArray::number(i))));
    QVERIFY(waitUntil([&] { return transport.pending() == 0; }));
    QVERIFY(waitUntil([&] { return server.findChildren<QSslSocket *>().size() <= 12; }));
    const auto refused =
        std::count_if(answers.begin(), answers.end(), [](auto &answer) { return !answer.await_resume(); });
    QVERIFY(refused > 0);
    QVERIFY2(server.receivedBy[pinOf("leaf2")].isEmpty(), server.receivedBy[pinOf("leaf2")].constData());
}

void TransportTrusts::dropsKeptConnectionsWhenThePinChanges()
{
    ScriptedServer server(QStringLiteral("a"));
    HttpTransport transport(server.remote());
    QVERIFY(bool(await(transport.send(secretRead()))));
    transport.trust({{server.address(), pinOf("b")}});
    QCOMPARE(await(transport.send(secretRead())).error().kind, Error::Kind::Untrusted);
    QCOMPARE(server.requests.size(), size_t(1));
    transport.trust({{server.address(), pinOf("a")}});
    QVERIFY(bool(await(transport.send(secretRead()))));
    QCOMPARE(server.connections, 3);
}

void TransportTrusts::refusesARedirectToAnotherServer()
{
    ScriptedServer server, other(QStringLiteral("a"));
    server.script = [&](const auto &) {
        return ScriptedServer::say(
            ScriptedServer::bytes("302 Found", "", "Location: https://" + other.address().toLatin1() + "/x\r\n"));
    };
    HttpTransport transport(server.remote());
    const auto answer = await(transport.send(secretRead()));
    QVERIFY(bool(answer));
    QCOMPARE(answer->status, 302);
    QCOMPARE(other.connections, 0);
}

Q_DECLARE_METATYPE(Method)
LABHELM_TEST(TransportTrusts)
#include "TransportTrusts.moc"
