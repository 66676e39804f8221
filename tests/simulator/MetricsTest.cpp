#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

/// Time series: PVE's resolutions, gaps as rows with only a time, alive and the same in every run.
class MetricsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasPvesResolutions_data();
    void hasPvesResolutions();
    void hasGaps();
    void movesButIsRepeatable();
    void aStandstillShowsAsRowsWithoutLoad();
    void totalsNeverFall();
    void peaksAreAboveAverages();
    void refusesAnUnknownTimeframe();
};

void MetricsTest::hasPvesResolutions_data()
{
    QTest::addColumn<QByteArray>("timeframe");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("step");
    QTest::newRow("hour") << QByteArray("hour") << 60 << 60;
    QTest::newRow("day") << QByteArray("day") << 1440 << 60;
    QTest::newRow("week") << QByteArray("week") << 336 << 1800;
    QTest::newRow("month") << QByteArray("month") << 1440 << 1800;
    QTest::newRow("year") << QByteArray("year") << 1440 << 21600;
}

void MetricsTest::hasPvesResolutions()
{
    QFETCH(QByteArray, timeframe);
    QFETCH(int, count);
    QFETCH(int, step);
    SimulatedCluster cluster;
    for (const auto *path : {"/nodes/pve1/qemu/101", "/nodes/pve1/lxc/104", "/nodes/pve1"}) {
        const auto rows = cluster.data("GET " + QByteArray(path) + "/rrddata?timeframe=" + timeframe).toArray();
        QCOMPARE(rows.size(), count);
        for (qsizetype i = 1; i < rows.size(); ++i)
            QCOMPARE(rows[i][QLatin1String("time")].toInteger() - rows[i - 1][QLatin1String("time")].toInteger(), step);
        QCOMPARE(rows.last()[QLatin1String("time")].toInteger(), cluster.world().now() / step * step);
    }
}

void MetricsTest::hasGaps()
{
    SimulatedCluster cluster;
    for (const auto *timeframe : {"day", "month"}) {
        int gaps = 0;
        for (const auto &row :
             cluster.data("GET /nodes/pve1/qemu/101/rrddata?timeframe=" + QByteArray(timeframe)).toArray())
            gaps += row.toObject().size() == 1 ? 1 : 0;
        QVERIFY(gaps > 5 && gaps < 300);
    }
}

void MetricsTest::movesButIsRepeatable()
{
    SimulatedCluster one;
    SimulatedCluster two;
    const QByteArray call = "GET /nodes/pve1/lxc/104/rrddata?timeframe=hour&cf=AVERAGE";
    QCOMPARE(one.call(call).body, two.call(call).body);
    QSet<double> values;
    for (const auto &row : one.data(call).toArray())
        values.insert(row[QLatin1String("cpu")].toDouble());
    QVERIFY(values.size() > 40);
}

void MetricsTest::aStandstillShowsAsRowsWithoutLoad()
{
    SimulatedCluster cluster;
    cluster.world().stop(*cluster.world().guest(101));
    cluster.advance(std::chrono::minutes(10));
    int still = 0;
    const auto rows = cluster.data("GET /nodes/pve1/qemu/101/rrddata?timeframe=hour").toArray();
    for (qsizetype i = rows.size() - 10; i < rows.size(); ++i) {
        QVERIFY(!rows[i].toObject().contains(QLatin1String("cpu")));
        still += rows[i].toObject().contains(QLatin1String("maxmem")) ? 1 : 0;
    }
    QVERIFY(still > 3);
    QVERIFY(rows.first().toObject().contains(QLatin1String("cpu")));
}

void MetricsTest::totalsNeverFall()
{
    SimulatedCluster cluster;
    qint64 before = 0;
    for (int i = 0; i < 30; ++i) {
        const auto status = cluster.data("GET /nodes/pve1/lxc/104/status/current");
        QVERIFY(status[QLatin1String("netin")].toInteger() >= before);
        before = status[QLatin1String("netin")].toInteger();
        cluster.advance(std::chrono::seconds(7));
    }
    QVERIFY(before > 0);
}

void MetricsTest::peaksAreAboveAverages()
{
    SimulatedCluster cluster;
    const auto average = cluster.data("GET /nodes/pve1/rrddata?timeframe=week&cf=AVERAGE").toArray();
    const auto peak = cluster.data("GET /nodes/pve1/rrddata?timeframe=week&cf=MAX").toArray();
    for (qsizetype i = 0; i < average.size(); ++i)
        QVERIFY(peak[i][QLatin1String("cpu")].toDouble() >= average[i][QLatin1String("cpu")].toDouble());
}

void MetricsTest::refusesAnUnknownTimeframe()
{
    SimulatedCluster cluster;
    QCOMPARE(cluster.call("GET /nodes/pve1/rrddata?timeframe=century").status, 400);
}

LABHELM_TEST(MetricsTest)
#include "MetricsTest.moc"
