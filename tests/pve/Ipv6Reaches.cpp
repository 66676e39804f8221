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
    explicit Six(const QHostAddress &at = QHostAddress(QHostAddress::LocalHostIPv6))
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

/// A02: IPv6 literals in all their forms, zones, and names that have no other address.
class Ipv6Reaches : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aLiteralHoweverItIsWritten();
    void aNameThatHasOnlySuchAnAddress();
    void aLinkLocalAddressWithItsZone();
};

void Ipv6Reaches::aLiteralHoweverItIsWritten()
{
    Six six;
    if (!six.isListening)
        QSKIP("This computer has no IPv6.");
    const auto port = six.server.serverPort();
    for (const auto &text : {QStringLiteral("[::1]:%1").arg(port), QStringLiteral("https://[0:0::1]:%1/").arg(port)}) {
        HttpTransport transport(six.remote(text));
        for (const auto method : {Method::Get, Method::Post}) {
            const auto answer = await(transport.send(request(method)));
            QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
            QCOMPARE(answer->origin, QStringLiteral("[::1]:%1").arg(port));
        }
        QCOMPARE(six.server.requests.back().header("host"), "[::1]:" + QByteArray::number(port));
    }
    CertificateProbe probe;
    const auto chain = await(probe.look(*Address::from(QStringLiteral("[::1]:%1").arg(port))));
    QVERIFY2(bool(chain), chain ? "" : qPrintable(chain.error().message));
    QCOMPARE(chain->own().sha256, six.server.pin());
}

void Ipv6Reaches::aNameThatHasOnlySuchAnAddress()
{
    Six six;
    if (!six.isListening)
        QSKIP("This computer has no IPv6.");
    // nothing listens on 127.0.0.1 at this port, so that only the AAAA address of the name leads there
    const auto text = QStringLiteral("localhost:%1").arg(six.server.serverPort());
    HttpTransport transport(six.remote(text));
    const auto answer = await(transport.send(request()));
    if (!answer && !QFile::exists(QStringLiteral("/proc/net/if_inet6")))
        QSKIP("This computer has no IPv6.");
    if (!answer && answer.error().message.contains(QLatin1String("refused")))
        QSKIP("The name localhost has no IPv6 address here.");
    QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
}

void Ipv6Reaches::aLinkLocalAddressWithItsZone()
{
    for (const auto &address : QNetworkInterface::allAddresses()) {
        if (address.protocol() != QAbstractSocket::IPv6Protocol || !address.isLinkLocal() ||
            address.scopeId().isEmpty())
            continue;
        Six six(address);
        if (!six.isListening)
            continue;
        const auto port = six.server.serverPort();
        HttpTransport transport(six.remote(QStringLiteral("[%1]:%2").arg(address.toString()).arg(port)));
        for (const auto method : {Method::Get, Method::Post}) {
            const auto answer = await(transport.send(request(method)));
            QVERIFY2(bool(answer), answer ? "" : qPrintable(answer.error().message));
            const auto host = six.server.requests.back().header("host");
            QVERIFY2(host.startsWith("[fe80:") && !host.contains('%'), host.constData());
        }
        return;
    }
    QSKIP("This computer has no link-local address.");
}

LABHELM_TEST(Ipv6Reaches)
#include "Ipv6Reaches.moc"
