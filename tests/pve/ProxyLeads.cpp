#include "pve/CertificateProbe.h"
#include "pve/HttpTransport.h"
#include "pve/ProxyChoice.h"
#include "support/Await.h"
#include "support/ScriptedProxy.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"

namespace
{
constexpr const char *variables[]{"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"};

HttpRequest request(Method method = Method::Get)
{
    HttpRequest made;
    made.method = method;
    made.path = "/version";
    made.headers = {{"Authorization", "PVEAPIToken=root@pam!x=CANARY"}};
    return made;
}

/// A server that is known under a name that only the proxy knows.
Remote beyond(const ScriptedServer &server)
{
    auto remote = server.remote();
    remote.addresses = QStringList{QStringLiteral("pve1.behind.test:8006")};
    remote.pins = {{QStringLiteral("pve1.behind.test:8006"), server.pin()}};
    return remote;
}
}

/// A proxy is used where this computer is set to one, and changes nothing of what a connection promises.
class ProxyLeads : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        for (const auto *name : variables)
            qunsetenv(name);
    }
    void cleanup() { init(); }

    void leadsReadsAndWrites_data() { addKinds(); }
    void leadsReadsAndWrites();
    void sendsNothingToAnotherCertificateBehindIt_data() { addKinds(); }
    void sendsNothingToAnotherCertificateBehindIt();
    void sendsAWriteOnceThatIsCutBehindIt_data() { addKinds(); }
    void sendsAWriteOnceThatIsCutBehindIt();
    void showsTheCertificateBehindIt_data() { addKinds(); }
    void showsTheCertificateBehindIt();
    void signsInAtTheProxyWithWhatItsAddressHolds();
    void saysThatTheProxyWantsAPassword();
    void saysThatTheProxyRefuses();
    void saysThatNothingListensAtTheProxy();
    void isNeverUsedForThisComputer();
    void isNotUsedForWhatIsExcluded_data();
    void isNotUsedForWhatIsExcluded();
    void readsAProxyAsPeopleWriteIt_data();
    void readsAProxyAsPeopleWriteIt();
    void sendsNothingIfTheSettingCannotBeFollowed();

private:
    static void addKinds()
    {
        QTest::addColumn<ScriptedProxy::Kind>("kind");
        QTest::newRow("HTTP") << ScriptedProxy::Kind::Http;
        QTest::newRow("SOCKS5") << ScriptedProxy::Kind::Socks5;
    }
};

void ProxyLeads::leadsReadsAndWrites()
{
    QFETCH(ScriptedProxy::Kind, kind);
    ScriptedServer server;
    ScriptedProxy proxy(kind, server.serverPort());
    qputenv("HTTPS_PROXY", proxy.address().toLatin1());
    HttpTransport transport(beyond(server));
    for (const auto method : {Method::Get, Method::Post, Method::Put, Method::Delete}) {
        const auto answer = await(transport.send(request(method)));
        QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
    }
    QCOMPARE(server.requests.size(), size_t(4));
    QCOMPARE(server.requests[0].header("host"), QByteArray("pve1.behind.test:8006"));
    QCOMPARE(proxy.targets.value(0), QStringLiteral("pve1.behind.test:8006"));
    QVERIFY(!proxy.plain.contains("CANARY"));
}

void ProxyLeads::sendsNothingToAnotherCertificateBehindIt()
{
    QFETCH(ScriptedProxy::Kind, kind);
    ScriptedServer server;
    ScriptedProxy proxy(kind, server.serverPort());
    qputenv("https_proxy", proxy.address().toLatin1());
    HttpTransport transport(beyond(server));
    server.show(QStringLiteral("b"));
    for (const auto method : {Method::Get, Method::Post}) {
        const auto answer = await(transport.send(request(method)));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Untrusted);
    }
    QVERIFY(server.received.isEmpty());
}

void ProxyLeads::sendsAWriteOnceThatIsCutBehindIt()
{
    QFETCH(ScriptedProxy::Kind, kind);
    ScriptedServer server;
    ScriptedProxy proxy(kind, server.serverPort());
    qputenv("ALL_PROXY", proxy.address().toLatin1());
    HttpTransport transport(beyond(server));
    server.script = [](const auto &) { return ScriptedServer::hangUp(); };
    for (const auto method : {Method::Post, Method::Put, Method::Delete}) {
        const auto answer = await(transport.send(request(method)));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Unknown);
    }
    server.script = [](const auto &) { return ScriptedServer::ok(); };
    QVERIFY(bool(await(transport.send(request())))); // a second one would have arrived by now
    QCOMPARE(server.arrived("POST"), 1);
    QCOMPARE(server.arrived("PUT"), 1);
    QCOMPARE(server.arrived("DELETE"), 1);
}

void ProxyLeads::showsTheCertificateBehindIt()
{
    QFETCH(ScriptedProxy::Kind, kind);
    ScriptedServer server;
    ScriptedProxy proxy(kind, server.serverPort());
    qputenv("HTTPS_PROXY", proxy.address().toLatin1());
    CertificateProbe probe;
    const auto chain = await(probe.look(*Address::from(QStringLiteral("pve1.behind.test"))));
    QVERIFY2(bool(chain), chain ? "" : qPrintable(chain.error().message));
    QCOMPARE(chain->own().sha256, server.pin());
    QCOMPARE(proxy.targets, QStringList{QStringLiteral("pve1.behind.test:8006")});
}

void ProxyLeads::signsInAtTheProxyWithWhatItsAddressHolds()
{
    ScriptedServer server;
    ScriptedProxy proxy(ScriptedProxy::Kind::Http, server.serverPort());
    proxy.login = QByteArray("us:p@ss").toBase64();
    qputenv("HTTPS_PROXY", proxy.address(QStringLiteral("us:p%40ss@")).toLatin1());
    HttpTransport transport(beyond(server));
    const auto answer = await(transport.send(request(Method::Post)));
    QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
    QCOMPARE(server.arrived("POST"), 1);
}

void ProxyLeads::saysThatTheProxyWantsAPassword()
{
    ScriptedServer server;
    ScriptedProxy proxy(ScriptedProxy::Kind::Http, server.serverPort());
    proxy.login = "dXM6cA==";
    for (const auto *login : {"", "us:WRONG@"}) {
        qputenv("HTTPS_PROXY", proxy.address(QLatin1String(login)).toLatin1());
        HttpTransport transport(beyond(server));
        const auto answer = await(transport.send(request(Method::Post)));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Unreachable);
        QVERIFY2(answer.error().message.contains(QLatin1String("wants a user name and password")),
                 qPrintable(answer.error().message));
        QVERIFY(!(answer.error().message + answer.error().detail).contains(QLatin1String("WRONG")));
    }
    QVERIFY(server.received.isEmpty());
}

void ProxyLeads::saysThatTheProxyRefuses()
{
    ScriptedServer server;
    ScriptedProxy proxy(ScriptedProxy::Kind::Http, server.serverPort());
    proxy.refusal = "403 Forbidden";
    qputenv("HTTPS_PROXY", proxy.address().toLatin1());
    HttpTransport transport(beyond(server));
    for (const auto method : {Method::Get, Method::Post}) {
        const auto answer = await(transport.send(request(method)));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Unreachable);
        QVERIFY2(answer.error().message.contains(QLatin1String("proxy 127.0.0.1:")),
                 qPrintable(answer.error().message));
    }
    CertificateProbe probe;
    const auto chain = await(probe.look(*Address::from(QStringLiteral("pve1.behind.test"))));
    QVERIFY(!chain);
    QVERIFY2(chain.error().message.contains(QLatin1String("proxy 127.0.0.1:")), qPrintable(chain.error().message));
}

void ProxyLeads::saysThatNothingListensAtTheProxy()
{
    QTcpServer gone;
    gone.listen(QHostAddress::LocalHost);
    const auto port = gone.serverPort();
    gone.close();
    qputenv("HTTPS_PROXY", "http://127.0.0.1:" + QByteArray::number(port));
    ScriptedServer server;
    HttpTransport transport(beyond(server));
    const auto answer = await(transport.send(request()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Unreachable);
    QVERIFY2(answer.error().message.contains(QStringLiteral("proxy 127.0.0.1:%1").arg(port)),
             qPrintable(answer.error().message));
}

void ProxyLeads::isNeverUsedForThisComputer()
{
    ScriptedServer server;
    ScriptedProxy proxy(ScriptedProxy::Kind::Http, server.serverPort());
    qputenv("HTTPS_PROXY", proxy.address().toLatin1());
    HttpTransport transport(server.remote());
    QVERIFY(bool(await(transport.send(request()))));
    CertificateProbe probe;
    QVERIFY(bool(await(probe.look(*Address::from(server.address())))));
    QVERIFY(proxy.plain.isEmpty());
    for (const auto *text : {"localhost", "127.1.2.3", "[::1]:8006", "x.localhost"})
        QCOMPARE(ProxyChoice::to(*Address::from(QLatin1String(text)))->type(), QNetworkProxy::NoProxy);
}

void ProxyLeads::isNotUsedForWhatIsExcluded_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("list");
    QTest::addColumn<bool>("isExcluded");
    const auto row = [](const char *address, const char *list, bool isExcluded) {
        QTest::addRow("%s in %s", address, list)
            << QString::fromLatin1(address) << QString::fromLatin1(list) << isExcluded;
    };
    row("pve1.lan", "", false);
    row("pve1.lan", "*", true);
    row("pve1.lan", "lan", true);
    row("pve1.lan", ".lan", true);
    row("pve1.lan", "*.LAN", true);
    row("pve1.lan", "example, PVE1.lan", true);
    row("pve1.plan", "lan", false);
    row("pve1.lan", "pve1", false);
    row("pve1.lan:443", "pve1.lan:443", true);
    row("pve1.lan", "pve1.lan:443", false);
    row("10.1.2.3", "10.0.0.0/8", true);
    row("11.1.2.3", "10.0.0.0/8", false);
    row("10.1.2.3", "10.1.2.3", true);
    row("10.1.2.3", "2.3", false);
    row("2001:db8::1", "2001:db8::/32", true);
    row("2001:db8::1", "[2001:db8:0::1]", true);
    row("[2001:db8::1]:443", "[2001:db8::1]:8006", false);
    row("fe80::1%eth0", "fe80::/10", true);
}

void ProxyLeads::isNotUsedForWhatIsExcluded()
{
    QFETCH(QString, address);
    QFETCH(QString, list);
    QFETCH(bool, isExcluded);
    qputenv("HTTPS_PROXY", "http://proxy.test:3128");
    qputenv("NO_PROXY", list.toLatin1());
    const auto proxy = ProxyChoice::to(*Address::from(address));
    QVERIFY(bool(proxy));
    QCOMPARE(proxy->type(), isExcluded ? QNetworkProxy::NoProxy : QNetworkProxy::HttpProxy);
}

void ProxyLeads::readsAProxyAsPeopleWriteIt_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown"); ///< empty: refused
    QTest::newRow("bare") << "proxy.lan:8080"
                          << "proxy.lan:8080";
    QTest::newRow("without a port") << "http://proxy.lan"
                                    << "proxy.lan:3128";
    QTest::newRow("with a login") << "http://u:CANARY@proxy.lan:8080/"
                                  << "proxy.lan:8080";
    QTest::newRow("SOCKS") << "socks5h://10.0.0.1"
                           << "10.0.0.1:1080";
    QTest::newRow("through TLS") << "https://u:CANARY@proxy.lan"
                                 << "";
    QTest::newRow("older SOCKS") << "socks4://proxy.lan"
                                 << "";
    QTest::newRow("no host") << "http://"
                             << "";
    QTest::newRow("a bad port") << "http://u:CANARY@proxy.lan:99999"
                                << "";
}

void ProxyLeads::readsAProxyAsPeopleWriteIt()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    const auto proxy = ProxyChoice::fromText(text);
    QCOMPARE(bool(proxy), !shown.isEmpty());
    if (proxy) {
        QCOMPARE(ProxyChoice::text(*proxy), shown);
        return;
    }
    QVERIFY2(!proxy.error().message.contains(QLatin1String("CANARY")), qPrintable(proxy.error().message));
    QCOMPARE(proxy.error().kind, Error::Kind::Invalid);
}

void ProxyLeads::sendsNothingIfTheSettingCannotBeFollowed()
{
    ScriptedServer server;
    qputenv("HTTPS_PROXY", "https://proxy.test");
    HttpTransport transport(beyond(server));
    const auto refused = await(transport.send(request(Method::Post)));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Error::Kind::Invalid);
    ScriptedProxy proxy(ScriptedProxy::Kind::Http, server.serverPort());
    qputenv("HTTPS_PROXY", proxy.address().toLatin1());
    QVERIFY(bool(await(transport.send(request(Method::Post)))));
}

Q_DECLARE_METATYPE(ScriptedProxy::Kind)
LABHELM_TEST(ProxyLeads)
#include "ProxyLeads.moc"
