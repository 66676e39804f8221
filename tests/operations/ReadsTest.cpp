#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Lists and details say what PVE said: absent, unknown and 0 stay three things.
class ReadsTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

private Q_SLOTS:
    void initTestCase()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanupTestCase() { m_stage.reset(); }

    void showsEveryClusterAtAGlance()
    {
        const auto overview = m_stage->answer("inventory.overview", {});
        QCOMPARE(overview[QStringLiteral("partial")].toBool(), false);
        const auto remote = overview[QStringLiteral("remotes")].toArray().first().toObject();
        QCOMPARE(remote[QStringLiteral("name")].toString(), QStringLiteral("homelab"));
        QCOMPARE(remote[QStringLiteral("nodes")].toArray().size(), 3);
        QVERIFY(remote[QStringLiteral("quorate")].toBool());
    }
    void showsAnOfflineNodeWithoutNumbers()
    {
        const auto nodes = m_stage->answer("node.list", {})[QStringLiteral("nodes")].toArray();
        QCOMPARE(nodes.size(), 3);
        for (const auto &node : nodes)
            if (node[QLatin1String("node")].toString() == QLatin1String("pve3")) {
                QCOMPARE(node[QLatin1String("status")].toString(), QStringLiteral("offline"));
                QVERIFY(node[QLatin1String("cpu")].isUndefined());
            }
        const auto failed = m_stage->run("node.status", {{"node", "pve3"}});
        QVERIFY(!failed.outcome);
        QCOMPARE(m_stage->answer("node.status", {{"node", "pve1"}})[QStringLiteral("node")].toString(),
                 QStringLiteral("pve1"));
    }
    void filtersGuests_data()
    {
        QTest::addColumn<QJsonObject>("filter");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("containers") << QJsonObject{{"kind", "lxc"}} << "kind"
                                    << "lxc";
        QTest::newRow("node") << QJsonObject{{"node", "pve2"}} << "node"
                              << "pve2";
        QTest::newRow("running") << QJsonObject{{"state", "running"}} << "status"
                                 << "running";
        QTest::newRow("unknown") << QJsonObject{{"state", "unknown"}} << "status"
                                 << "unknown";
        QTest::newRow("connection by name") << QJsonObject{{"remote", "homelab"}} << "remote"
                                            << "homelab-1";
    }
    void filtersGuests()
    {
        QFETCH(QJsonObject, filter);
        QFETCH(QString, key);
        QFETCH(QString, value);
        const auto guests = m_stage->answer("guest.list", filter)[QStringLiteral("guests")].toArray();
        QVERIFY(!guests.isEmpty());
        for (const auto &guest : guests)
            QCOMPARE(guest[key].toString(), value);
    }
    void countsWhatTheLimitLeavesOut()
    {
        const auto all = m_stage->answer("guest.list", {});
        const auto some = m_stage->answer("guest.list", {{"limit", 3}});
        QCOMPARE(some[QStringLiteral("guests")].toArray().size(), 3);
        QCOMPARE(some[QStringLiteral("found")].toInt(), all[QStringLiteral("guests")].toArray().size());
        QCOMPARE(some[QStringLiteral("left_out")].toInt(), some[QStringLiteral("found")].toInt() - 3);
    }
    void showsAGuestByEveryNameThatPeopleUse_data()
    {
        QTest::addColumn<QJsonValue>("name");
        QTest::newRow("number") << QJsonValue(104);
        QTest::newRow("digits") << QJsonValue("104");
        QTest::newRow("name") << QJsonValue("jellyfin");
        QTest::newRow("with node") << QJsonValue("pve1/jellyfin");
        QTest::newRow("with connection") << QJsonValue("homelab:104");
        QTest::newRow("with the connection's id") << QJsonValue("homelab-1:104");
    }
    void showsAGuestByEveryNameThatPeopleUse()
    {
        QFETCH(QJsonValue, name);
        const auto guest = m_stage->answer("guest.get", {{"guest", name}});
        QCOMPARE(guest[QStringLiteral("vmid")].toInt(), 104);
        QCOMPARE(guest[QStringLiteral("kind")].toString(), QStringLiteral("lxc"));
    }
    void showsMetricsWithTheirGaps()
    {
        for (const auto *frame : {"hour", "day", "week", "month", "year"}) {
            const auto metrics = m_stage->answer("guest.metrics", {{"guest", 104}, {"timeframe", frame}});
            QVERIFY(metrics[QStringLiteral("points")].toArray().size() > 10);
        }
    }
    void saysWhichConnectionIsMissing()
    {
        InventorySnapshot dead;
        dead.remoteId = dead.remoteName = QStringLiteral("garage");
        m_stage->cluster.inventory.publish(dead);
        const auto list = m_stage->answer("guest.list", {});
        QCOMPARE(list[QStringLiteral("missing")].toArray().size(), 1);
        QVERIFY(!list[QStringLiteral("guests")].toArray().isEmpty());
        QVERIFY(m_stage->answer("inventory.overview", {})[QStringLiteral("partial")].toBool());
        m_stage->cluster.inventory.forget(QStringLiteral("garage"));
    }
    void findsItsOwnTimelineForAnAgentOnly()
    {
        OUTCOME_IS_GOOD(m_stage->run("guest.notes.set", {{"guest", 106}, {"notes", "mine"}}));
        const auto reader = ClusterStage::agent(QStringLiteral("reader"));
        m_stage->answer("guest.get", {{"guest", 106}}, reader);
        const auto own = m_stage->answer("audit.search", {}, reader)[QStringLiteral("entries")].toArray();
        QVERIFY(!own.isEmpty());
        for (const auto &entry : own)
            QCOMPARE(entry[QLatin1String("by")].toString(), QStringLiteral("reader"));
        const auto all = m_stage->answer("audit.search", {{"text", "notes"}})[QStringLiteral("entries")].toArray();
        QCOMPARE(all.first()[QLatin1String("by")].toString(), QStringLiteral("person"));
        QVERIFY(m_stage->answer("undo.list", {}, reader)[QStringLiteral("entries")].toArray().isEmpty());
        QCOMPARE(m_stage->answer("undo.list", {})[QStringLiteral("entries")].toArray().size(), 1);
        QVERIFY(m_stage->answer("audit.verify", {})[QStringLiteral("whole")].toBool());
    }
};

LABHELM_TEST(ReadsTest)
#include "ReadsTest.moc"
