#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

/// What release 8.4 and 9.1 answer differently.
class ReleasesTest : public QObject
{
    Q_OBJECT

    struct Pair {
        QJsonValue eight;
        QJsonValue nine;
    };
    Pair both(const QByteArray &call) { return {m_eight->data(call), m_nine->data(call)}; }
    static QStringList keys(const QJsonValue &data)
    {
        return data.isArray() ? data.toArray().first().toObject().keys() : data.toObject().keys();
    }
    static SimulatedCluster *cluster(int version)
    {
        Simulator::Options options;
        options.version = version;
        return new SimulatedCluster(options);
    }

    std::unique_ptr<SimulatedCluster> m_eight;
    std::unique_ptr<SimulatedCluster> m_nine;

private Q_SLOTS:
    void init()
    {
        m_eight.reset(cluster(8));
        m_nine.reset(cluster(9));
    }

    void eachSaysWhichItIs();
    void memoryOnTheHostAndPressureAreTold_data();
    void memoryOnTheHostAndPressureAreTold();
    void networksWereZonesOfTheSdn();
    void theAgentWasAskedWithOnePrivilege();
    void callsThatCameLaterAreUnknown();
    void parametersThatCameLaterAreRefused();
};

void ReleasesTest::eachSaysWhichItIs()
{
    const auto version = both("GET /version");
    QCOMPARE(version.eight[QLatin1String("version")].toString(), QStringLiteral("8.4.1"));
    QCOMPARE(version.nine[QLatin1String("version")].toString(), QStringLiteral("9.1.6"));
    const auto status = both("GET /nodes/pve1/status");
    QVERIFY(status.eight[QLatin1String("pveversion")].toString().startsWith(QLatin1String("pve-manager/8.4.1/")));
    QVERIFY(status.nine[QLatin1String("kversion")].toString().contains(QLatin1String("6.17")));
}

void ReleasesTest::memoryOnTheHostAndPressureAreTold_data()
{
    QTest::addColumn<QByteArray>("call");
    QTest::newRow("all") << QByteArray("GET /cluster/resources?type=vm");
    QTest::newRow("list") << QByteArray("GET /nodes/pve1/qemu");
    QTest::newRow("current") << QByteArray("GET /nodes/pve1/qemu/101/status/current");
    QTest::newRow("container") << QByteArray("GET /nodes/pve1/lxc/104/status/current");
}

void ReleasesTest::memoryOnTheHostAndPressureAreTold()
{
    QFETCH(QByteArray, call);
    const auto told = both(call);
    const auto isLater = [](const QString &key) { return key == "memhost" || key.startsWith("pressure"); };
    const auto eight = keys(told.eight);
    auto nine = keys(told.nine);
    QVERIFY(std::none_of(eight.begin(), eight.end(), isLater));
    QVERIFY(std::any_of(nine.begin(), nine.end(), isLater));
    nine.removeIf(isLater);
    QCOMPARE(eight, nine);
}

void ReleasesTest::networksWereZonesOfTheSdn()
{
    const auto rows = both("GET /cluster/resources?type=sdn");
    QVERIFY(keys(rows.eight).contains(QLatin1String("sdn")));
    QVERIFY(keys(rows.nine).contains(QLatin1String("network")));
}

void ReleasesTest::theAgentWasAskedWithOnePrivilege()
{
    m_eight->token = m_nine->token = "auditor@pve!view";
    const QByteArray call = "GET /nodes/pve1/qemu/101/agent/network-get-interfaces";
    QCOMPARE(m_nine->call(call).status == 403, false);
    QCOMPARE(m_eight->call(call).reason, QByteArray("Permission check failed (/vms/101, VM.Monitor)"));
}

void ReleasesTest::callsThatCameLaterAreUnknown()
{
    for (const QByteArray call : {"GET /cluster/ha/rules", "GET /cluster/bulk-action", "POST /access/vncticket"}) {
        const auto answer = m_eight->call(call);
        QCOMPARE(answer.status, 501);
        QVERIFY2(answer.reason.startsWith("Method '"), answer.reason.constData());
    }
    QVERIFY(m_nine->call("GET /cluster/ha/rules").status == 200);
}

void ReleasesTest::parametersThatCameLaterAreRefused()
{
    const auto refused = m_eight->call("PUT /cluster/ha/resources/vm:201", "failback=1");
    QVERIFY(refused.json()[QLatin1String("errors")].toObject().contains(QLatin1String("failback")));
    QCOMPARE(m_nine->call("PUT /cluster/ha/resources/vm:201", "failback=1").status, 200);
}

LABHELM_TEST(ReleasesTest)
#include "ReleasesTest.moc"
