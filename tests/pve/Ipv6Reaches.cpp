#include "pve/CertificateProbe.h"
#include "pve/HttpTransport.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"
#include <QNetworkInterface>

namespace
{
HttpRequest request(Method method = Method::Get)
{
    HttpRequest made;
    made.method = method;
    made.path = "/version";
    return made;
}

/// A server on an IPv6 address of this computer.
struct Six {
    ScriptedServer server;
    explicit Six(const QHostAddress &at)
    {
        server.close();
        isListening = server.listen(at);
    }
    Remote remote(const QString &text) const
    {
        auto made = server.remote();
        made.addresses = QStringList{text};
        made.pins = {{Address::from(text)->key(), server.pin()}};
        return made;
    }
    bool isListening = false;
};
}

/// A02: IPv6 literals in all their forms, also with a zone. What this computer has of such addresses is tried.
class Ipv6Reaches : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyAddressOfThisComputer();
    void aLiteralHoweverItIsWritten();
};

void Ipv6Reaches::everyAddressOfThisComputer()
{
    int tried = 0, zones = 0;
    for (const auto &address : QNetworkInterface::allAddresses()) {
        Six six(address);
        if (address.protocol() != QAbstractSocket::IPv6Protocol || !six.isListening)
            continue;
        ++tried;
        zones += address.scopeId().isEmpty() ? 0 : 1;
        HttpTransport transport(
            six.remote(QStringLiteral("[%1]:%2").arg(address.toString()).arg(six.server.serverPort())));
        for (const auto method : {Method::Get, Method::Post}) {
            const auto answer = await(transport.send(request(method)));
            QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
            const auto host = six.server.requests.back().header("host");
            QVERIFY2(host.startsWith('[') && !host.contains('%'), host.constData());
        }
    }
    qInfo("%d IPv6 addresses reached, %d of them with a zone", tried, zones);
}

void Ipv6Reaches::aLiteralHoweverItIsWritten()
{
    Six six(QHostAddress(QHostAddress::LocalHostIPv6));
    const auto port = six.server.serverPort();
    if (!six.isListening) // a computer without IPv6: nothing to reach
        return;
    for (const auto &text : {QStringLiteral("[::1]:%1").arg(port), QStringLiteral("https://[0:0::1]:%1/").arg(port)}) {
        HttpTransport transport(six.remote(text));
        const auto answer = await(transport.send(request()));
        QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
        QCOMPARE(answer->origin, QStringLiteral("[::1]:%1").arg(port));
    }
    CertificateProbe probe;
    const auto chain = await(probe.look(*Address::from(QStringLiteral("[::1]:%1").arg(port))));
    QVERIFY2(bool(chain), chain ? "" : qPrintable(chain.error().message));
    QCOMPARE(chain->own().sha256, six.server.pin());
}

LABHELM_TEST(Ipv6Reaches)
#include "Ipv6Reaches.moc"
