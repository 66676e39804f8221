#include "pve/CertificateProbe.h"
#include "remotes/Fingerprint.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"

/// A certificate is seen before anything is sent, with what speaks for and against it.
class CertificateProbeLooks : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { m_before = QSslConfiguration::defaultConfiguration(); }
    void cleanup() { QSslConfiguration::setDefaultConfiguration(m_before); }

    void tellsASelfSignedCertificate();
    void tellsAChainAndItsIssuer();
    void trustsWhatTheSystemTrusts();
    void doubtsAnExpiredOne();
    void doubtsOneThatIsForAnotherHost();
    void sendsNothing();
    void saysThatNothingListens();
    void saysThatItIsNoTls();
    void givesUpOnSilence();
    void endsWhoWaitsWhenItGoes();

private:
    static Address at(const ScriptedServer &server) { return *Address::from(server.address()); }
    static void trustAlso(const char *name)
    {
        auto configuration = QSslConfiguration::defaultConfiguration();
        configuration.addCaCertificate(
            QSslCertificate::fromPath(QStringLiteral(LABHELM_TEST_DATA "/certificates/%1.pem").arg(QLatin1String(name)))
                .first());
        QSslConfiguration::setDefaultConfiguration(configuration);
    }
    QSslConfiguration m_before;
};

void CertificateProbeLooks::tellsASelfSignedCertificate()
{
    ScriptedServer server;
    CertificateProbe probe;
    const auto chain = await(probe.look(at(server)));
    QVERIFY2(bool(chain), chain ? "" : qPrintable(chain.error().message));
    QCOMPARE(chain->certificates.size(), size_t(1));
    QCOMPARE(chain->own().sha256, server.pin());
    QCOMPARE(chain->own().subject, QStringLiteral("test-a"));
    QCOMPARE(chain->own().issuer, QStringLiteral("test-a"));
    QCOMPARE(chain->own().validUntil, QDateTime(QDate(2120, 1, 1), QTime(0, 0), Qt::UTC));
    QVERIFY(chain->own().hosts.contains(QLatin1String("localhost")));
    QVERIFY(chain->own().isSelfSigned);
    QVERIFY(!chain->isTrusted());
}

void CertificateProbeLooks::tellsAChainAndItsIssuer()
{
    ScriptedServer server;
    server.show(QStringLiteral("leaf"), QStringLiteral("ca"));
    CertificateProbe probe;
    const auto chain = await(probe.look(at(server)));
    QVERIFY(bool(chain));
    QCOMPARE(chain->certificates.size(), size_t(2));
    QCOMPARE(chain->own().issuer, QStringLiteral("Test CA"));
    QVERIFY(!chain->own().isSelfSigned);
    QVERIFY(!chain->isTrusted());
}

void CertificateProbeLooks::trustsWhatTheSystemTrusts()
{
    trustAlso("ca");
    ScriptedServer server;
    server.show(QStringLiteral("leaf"), QStringLiteral("ca"));
    CertificateProbe probe;
    const auto chain = await(probe.look(at(server)));
    QVERIFY(bool(chain));
    QVERIFY2(chain->isTrusted(), qPrintable(chain->doubts.join(u' ')));
}

void CertificateProbeLooks::doubtsAnExpiredOne()
{
    trustAlso("old");
    ScriptedServer server(QStringLiteral("old"));
    CertificateProbe probe;
    const auto chain = await(probe.look(at(server)));
    QVERIFY(bool(chain));
    QVERIFY(!chain->isTrusted());
    QVERIFY(chain->own().validUntil < QDateTime::currentDateTimeUtc());
}

void CertificateProbeLooks::doubtsOneThatIsForAnotherHost()
{
    trustAlso("ca");
    ScriptedServer server;
    server.show(QStringLiteral("leaf"), QStringLiteral("ca"));
    server.close();
    QVERIFY(server.listen(QHostAddress(QStringLiteral("127.0.0.2"))));
    CertificateProbe probe;
    const auto chain = await(probe.look(*Address::from(QStringLiteral("127.0.0.2:%1").arg(server.serverPort()))));
    QVERIFY(bool(chain));
    QVERIFY(!chain->isTrusted());
}

void CertificateProbeLooks::sendsNothing()
{
    ScriptedServer server;
    CertificateProbe probe;
    QVERIFY(bool(await(probe.look(at(server)))));
    QVERIFY(waitUntil([&] { return server.findChildren<QSslSocket *>().isEmpty(); }));
    QVERIFY(server.received.isEmpty());
    QCOMPARE(server.connections, 1);
}

void CertificateProbeLooks::saysThatNothingListens()
{
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost));
    const auto port = taken.serverPort();
    taken.close();
    CertificateProbe probe;
    const auto chain = await(probe.look({QStringLiteral("127.0.0.1"), port}));
    QVERIFY(!chain);
    QCOMPARE(chain.error().kind, Error::Kind::Unreachable);
    QVERIFY2(chain.error().message.contains(QLatin1String("refused")), qPrintable(chain.error().message));
}

void CertificateProbeLooks::saysThatItIsNoTls()
{
    QTcpServer plain;
    QVERIFY(plain.listen(QHostAddress::LocalHost));
    connect(&plain, &QTcpServer::newConnection, &plain,
            [&] { plain.nextPendingConnection()->write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"); });
    CertificateProbe probe;
    const auto chain = await(probe.look({QStringLiteral("127.0.0.1"), plain.serverPort()}));
    QVERIFY(!chain);
    QCOMPARE(chain.error().kind, Error::Kind::Unreachable);
    QVERIFY2(chain.error().message.contains(QLatin1String("TLS")), qPrintable(chain.error().message));
}

void CertificateProbeLooks::givesUpOnSilence()
{
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    CertificateProbe probe(std::chrono::milliseconds(100));
    const auto chain = await(probe.look({QStringLiteral("127.0.0.1"), silent.serverPort()}));
    QVERIFY(!chain);
    QCOMPARE(chain.error().kind, Error::Kind::Unreachable);
}

void CertificateProbeLooks::endsWhoWaitsWhenItGoes()
{
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    auto probe = std::make_unique<CertificateProbe>();
    auto chain = probe->look({QStringLiteral("127.0.0.1"), silent.serverPort()});
    QVERIFY(waitUntil([&] { return silent.hasPendingConnections(); }));
    probe.reset();
    QVERIFY(chain.isReady());
    QCOMPARE(chain.await_resume().error().kind, Error::Kind::Cancelled);
}

LABHELM_TEST(CertificateProbeLooks)
#include "CertificateProbeLooks.moc"
