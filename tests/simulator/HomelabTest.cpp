#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>
#include <QJsonDocument>

/// The demo's cluster: what is in it, and that it is the same every time.
class HomelabTest : public QObject
{
    Q_OBJECT

    static QMap<QString, QJsonObject> guests(SimulatedCluster &cluster)
    {
        QMap<QString, QJsonObject> found;
        for (const auto &row : cluster.data("GET /cluster/resources?type=vm").toArray())
            found.insert(row[QLatin1String("id")].toString(), row.toObject());
        return found;
    }

private Q_SLOTS:
    void holdsTheGuestsOfTheDesign();
    void hasGuestsInEveryState();
    void isTheSameForASeedAndLivelyForAnother();
    void aSilentNodesGuestsAreUnknown();
    void aNodeThatFellSilentJustNowStillShowsItsLastNumbers();
    void storagesAreAsFullAsDrawn();
    void oneGuestHasADozenSnapshotsAndAnotherABranch();
    void aGuestsSnapshotsEndAtCurrent();
    void growsToAsManyGuestsAsAskedFor();
};

void HomelabTest::holdsTheGuestsOfTheDesign()
{
    SimulatedCluster cluster;
    const auto all = guests(cluster);
    QCOMPARE(all.size(), 41);
    const QMap<QString, QString> names{{"qemu/101", "nextcloud"},  {"lxc/104", "jellyfin"},       {"lxc/105", "pihole"},
                                       {"qemu/120", "win11-test"}, {"qemu/201", "postgres"},      {"lxc/202", "gitea"},
                                       {"qemu/210", "k3s-a"},      {"qemu/9000", "debian-12-tpl"}};
    for (auto it = names.begin(); it != names.end(); ++it)
        QCOMPARE(all[it.key()][QLatin1String("name")].toString(), it.value());
    const auto status = cluster.data("GET /cluster/status").toArray();
    QCOMPARE(status[0][QLatin1String("name")].toString(), QStringLiteral("homelab"));
    QCOMPARE(status[3][QLatin1String("online")].toInt(), 0);
}

void HomelabTest::hasGuestsInEveryState()
{
    SimulatedCluster cluster;
    const auto all = guests(cluster);
    const auto count = [&all](const char *key, const QJsonValue &value) {
        return std::count_if(all.begin(), all.end(), [&](const auto &row) { return row[QLatin1String(key)] == value; });
    };
    QVERIFY(count("status", QStringLiteral("running")) > 20);
    QVERIFY(count("status", QStringLiteral("stopped")) > 8);
    QCOMPARE(count("status", QStringLiteral("unknown")), 6);
    QCOMPARE(count("template", 1), 3);
    QCOMPARE(count("lock", QStringLiteral("backup")), 1);
    QCOMPARE(count("lock", QStringLiteral("suspended")), 1);
    QCOMPARE(count("pool", QStringLiteral("media")), 4);
    QVERIFY(count("hastate", QStringLiteral("started")) >= 2);
    QCOMPARE(cluster.data("GET /nodes/pve1/qemu/111/status/current")[QLatin1String("qmpstatus")].toString(),
             QStringLiteral("paused"));
    QCOMPARE(cluster.data("GET /nodes/pve1/lxc/114/config")[QLatin1String("protection")].toInt(), 1);
}

void HomelabTest::isTheSameForASeedAndLivelyForAnother()
{
    SimulatedCluster one;
    SimulatedCluster same;
    Simulator::Options options;
    options.seed = 2;
    SimulatedCluster other(options);
    const QByteArray call = "GET /cluster/resources?type=vm";
    QCOMPARE(one.call(call).body, same.call(call).body);
    QVERIFY(one.call(call).body != other.call(call).body);
    const auto before = one.call(call).body;
    QCOMPARE(one.call(call).body, before);
    one.advance(std::chrono::seconds(60));
    QVERIFY(one.call(call).body != before);
}

void HomelabTest::aSilentNodesGuestsAreUnknown()
{
    SimulatedCluster cluster;
    const auto row = guests(cluster)[QStringLiteral("qemu/302")];
    QCOMPARE(row, (QJsonObject{{"id", "qemu/302"},
                               {"type", "qemu"},
                               {"vmid", 302},
                               {"node", "pve3"},
                               {"status", "unknown"},
                               {"tags", "iot"}}));
    const auto answer = cluster.call("GET /nodes/pve3/qemu/302/status/current");
    QCOMPARE(answer.status, 595);
    QCOMPARE(answer.reason, QByteArray("No route to host"));
    QVERIFY(answer.body.isEmpty());
    QCOMPARE(cluster.call("GET /nodes/pve7/status").status, 500);
}

void HomelabTest::aNodeThatFellSilentJustNowStillShowsItsLastNumbers()
{
    SimulatedCluster cluster;
    cluster.world().setOnline(QStringLiteral("pve2"), false);
    QCOMPARE(guests(cluster)[QStringLiteral("qemu/201")][QLatin1String("status")].toString(),
             QStringLiteral("running"));
    cluster.advance(std::chrono::minutes(6));
    QCOMPARE(guests(cluster)[QStringLiteral("qemu/201")][QLatin1String("status")].toString(),
             QStringLiteral("unknown"));
    cluster.world().setOnline(QStringLiteral("pve2"), true);
    QCOMPARE(guests(cluster)[QStringLiteral("qemu/201")][QLatin1String("status")].toString(),
             QStringLiteral("running"));
}

void HomelabTest::storagesAreAsFullAsDrawn()
{
    SimulatedCluster cluster;
    QMap<QString, double> full;
    for (const auto &row : cluster.data("GET /nodes/pve1/storage").toArray())
        full.insert(row[QLatin1String("storage")].toString(), row[QLatin1String("used_fraction")].toDouble(-1));
    QVERIFY(qAbs(full[QStringLiteral("local-zfs")] - 0.71) < 0.02);
    QVERIFY(qAbs(full[QStringLiteral("nas-backup")] - 0.38) < 0.02);
    QCOMPARE(full[QStringLiteral("usb-old")], -1.0);
    QVERIFY(cluster.data("GET /nodes/pve1/storage/nas-backup/content?content=backup").toArray().size() > 20);
}

void HomelabTest::oneGuestHasADozenSnapshotsAndAnotherABranch()
{
    SimulatedCluster cluster;
    QCOMPARE(cluster.data("GET /nodes/pve2/qemu/209/snapshot").toArray().size(), 13);
    QMap<QString, int> children;
    for (const auto &row : cluster.data("GET /nodes/pve1/qemu/101/snapshot").toArray())
        ++children[row[QLatin1String("parent")].toString()];
    QCOMPARE(children[QStringLiteral("before-28")], 2);
}

void HomelabTest::aGuestsSnapshotsEndAtCurrent()
{
    SimulatedCluster cluster;
    const auto last = cluster.data("GET /nodes/pve1/lxc/104/snapshot").toArray().last();
    QCOMPARE(last[QLatin1String("name")].toString(), QStringLiteral("current"));
    QCOMPARE(last[QLatin1String("parent")].toString(), QStringLiteral("weekly"));
    QCOMPARE(last[QLatin1String("digest")].toString().size(), 40);
    QVERIFY(last[QLatin1String("snaptime")].isUndefined());
}

void HomelabTest::growsToAsManyGuestsAsAskedFor()
{
    Simulator::Options options;
    options.guests = 1000;
    SimulatedCluster cluster(options);
    const auto all = guests(cluster);
    QCOMPARE(all.size(), 1000);
    QCOMPARE(all[QStringLiteral("qemu/101")][QLatin1String("name")].toString(), QStringLiteral("nextcloud"));
    QCOMPARE(cluster.call("GET /nodes/pve1/qemu/20001/config").status, 200);
}

LABHELM_TEST(HomelabTest)
#include "HomelabTest.moc"
