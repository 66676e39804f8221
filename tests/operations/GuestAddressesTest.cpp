#include "operations/GuestAddresses.h"
#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Which addresses a guest has: what its own system tells, never a placeholder. A17.
class GuestAddressesTest : public QObject
{
    Q_OBJECT

    static QString told(const char *interfaces)
    {
        QStringList all;
        for (const auto &each : GuestAddresses::present(QJsonDocument::fromJson(interfaces).array()))
            for (const auto &address : each[QLatin1String("addresses")].toArray())
                all << address.toString();
        return all.join(u' ');
    }

private Q_SLOTS:
    void readsEveryFormOfAnAddress_A17_data()
    {
        QTest::addColumn<QByteArray>("interfaces");
        QTest::addColumn<QString>("addresses");
        QTest::newRow("list") << QByteArray(
                                     R"([{"name":"eth0","ip-addresses":[{"ip-address":"192.0.2.5","prefix":"24"}]}])")
                              << "192.0.2.5/24";
        QTest::newRow("prefix as a number")
            << QByteArray(R"([{"name":"eth0","ip-addresses":[{"ip-address":"192.0.2.5","prefix":24}]}])")
            << "192.0.2.5/24";
        QTest::newRow("inet only") << QByteArray(R"([{"name":"eth0","inet":"192.0.2.5/24","ip-addresses":[]}])")
                                   << "192.0.2.5/24";
        QTest::newRow("both")
            << QByteArray(
                   R"([{"name":"eth0","inet":"192.0.2.5/24","inet6":"2001:db8::5/64",)"
                   R"("ip-addresses":[{"ip-address":"192.0.2.5","prefix":"24"},{"ip-address":"2001:db8::5","prefix":"64"}]}])")
            << "192.0.2.5/24 2001:db8::5/64";
        QTest::newRow("both empty") << QByteArray(R"([{"name":"eth0","ip-addresses":[]}])") << "";
        QTest::newRow("placeholder") << QByteArray(R"([{"name":"eth0","inet":"0.0.0.0/0","inet6":"::/0"}])") << "";
        QTest::newRow("loopback") << QByteArray(R"([{"name":"lo","inet":"127.0.0.1/8"}])") << "";
        QTest::newRow("nonsense") << QByteArray(R"([{"name":"eth0","inet":7,"ip-addresses":"x"},5,null])") << "";
    }
    void readsEveryFormOfAnAddress_A17()
    {
        QFETCH(QByteArray, interfaces);
        QTEST(told(interfaces.constData()), "addresses");
    }
    void saysHowAnAddressIsConfigured_A17()
    {
        const auto configured = GuestAddresses::configured(
            {{QStringLiteral("net0"), QStringLiteral("name=eth0,bridge=vmbr0,ip=dhcp,ip6=auto")},
             {QStringLiteral("net1"), QStringLiteral("name=eth1,bridge=vmbr0,ip=manual")},
             {QStringLiteral("net2"), QStringLiteral("virtio=BC:24:11:00:00:01,bridge=vmbr0")},
             {QStringLiteral("ipconfig0"), QStringLiteral("ip=192.0.2.5/24,gw=192.0.2.1")},
             {QStringLiteral("network"), QStringLiteral("ip=x")}});
        QStringList all;
        for (const auto &each : configured)
            all << QString(each[QLatin1String("key")].toString() + u' ' + each[QLatin1String("ip")].toString() + u' ' +
                           each[QLatin1String("ip6")].toString())
                       .trimmed();
        QCOMPARE(all, (QStringList{QStringLiteral("ipconfig0 192.0.2.5/24"), QStringLiteral("net0 dhcp auto"),
                                   QStringLiteral("net1 manual")}));
    }
    void asksTheContainerOrTheAgent()
    {
        ClusterStage stage;
        QVERIFY(stage.cluster.isFilled());
        const auto container = stage.answer("guest.addresses", {{"guest", 104}});
        QVERIFY(container[QStringLiteral("interfaces")].isArray());
        const auto machine = stage.answer("guest.addresses", {{"guest", 101}});
        QVERIFY(
            !machine[QStringLiteral("interfaces")].toArray().first()[QLatin1String("addresses")].toArray().isEmpty());
        const auto stopped = stage.answer("guest.addresses", {{"guest", 107}});
        QVERIFY(stopped[QStringLiteral("interfaces")].isUndefined());
        QVERIFY(!stopped[QStringLiteral("problem")].toString().isEmpty());
        const auto off = stage.answer("guest.addresses", {{"guest", 214}}); // A28: a fact, not an error
        QVERIFY(off[QStringLiteral("interfaces")].isUndefined());
        QVERIFY(!off[QStringLiteral("problem")].toString().isEmpty());
    }
};

LABHELM_TEST(GuestAddressesTest)
#include "GuestAddressesTest.moc"
