#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Lists and details say what PVE said: absent, unknown and 0 stay three things.
class ReadsTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    /// What an answer says is missing from it: connections, and nodes of connections.
    static QStringList missingIn(const QJsonObject &answer)
    {
        QStringList all;
        for (const auto &each : answer[QStringLiteral("missing")].toArray())
            all << QString(each[QLatin1String("remote")].toString() + u' ' + each[QLatin1String("node")].toString())
                       .trimmed();
        all.sort();
        return all;
    }

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
        QCOMPARE(missingIn(list), (QStringList{QStringLiteral("garage"), QStringLiteral("homelab-1 pve3")}));
        QVERIFY(!list[QStringLiteral("guests")].toArray().isEmpty());
        QVERIFY(m_stage->answer("inventory.overview", {})[QStringLiteral("partial")].toBool());
        m_stage->cluster.inventory.forget(QStringLiteral("garage"));
    }
    // R10: one connection that hangs costs the others nothing but the wait for it, which is short.
    void answersWithoutAConnectionThatHangs_R10()
    {
        TestClusterOptions options;
        options.name = QStringLiteral("garage");
        TestCluster garage(options);
        QVERIFY(garage.isFilled());
        auto &cluster = m_stage->cluster;
        Q_UNUSED(cluster.secrets.write(garage.remote.secretKey(), Secret(Homelab::tokenSecret(options.token).toUtf8())))
        cluster.connections.open(garage.remote);
        cluster.inventory.publish(*garage.state());
        const auto both = m_stage->answer("guest.list", {{"limit", 1000}});
        QCOMPARE(both[QStringLiteral("found")].toInt(), 2 * int(cluster.world().guests().size()));
        Fault hang;
        hang.kind = Fault::Kind::Hang;
        hang.always = true;
        garage.simulator.faults().add(hang);
        for (const auto *operation : {"guest.list", "node.list", "task.list", "inventory.overview"}) {
            QElapsedTimer time;
            time.start();
            const auto answer = m_stage->answer(operation, {});
            QVERIFY2(time.elapsed() < 9'000, operation);
            if (operation == QLatin1String("inventory.overview"))
                QVERIFY(answer[QStringLiteral("partial")].toBool());
            else
                QVERIFY2(missingIn(answer).contains(QStringLiteral("garage-1")), operation);
        }
        cluster.connections.close(garage.remote.id);
        cluster.inventory.forget(garage.remote.id);
    }
    // A15: a node that is away is named, and its guests are "unknown", also while PVE still repeats what it last heard.
    void namesTheNodeThatIsMissing_A15()
    {
        auto &cluster = m_stage->cluster;
        cluster.world().setOnline(QStringLiteral("pve2"), false);
        const auto list = m_stage->answer("guest.list", {{"limit", 1000}});
        QCOMPARE(missingIn(list), (QStringList{QStringLiteral("homelab-1 pve2"), QStringLiteral("homelab-1 pve3")}));
        int unknown = 0;
        for (const auto &guest : list[QStringLiteral("guests")].toArray())
            if (guest[QLatin1String("node")].toString() == QLatin1String("pve2")) {
                ++unknown;
                QCOMPARE(guest[QLatin1String("status")].toString(), QStringLiteral("unknown"));
                QVERIFY(guest[QLatin1String("cpu")].isUndefined() && guest[QLatin1String("uptime")].isUndefined());
                QVERIFY(!guest[QLatin1String("name")].toString().isEmpty());
            }
        QVERIFY(unknown > 3);
        const auto row = m_stage->answer("inventory.overview", {})[QStringLiteral("remotes")].toArray().first();
        QCOMPARE(missingIn(row.toObject()).size(), 2);
        cluster.world().setOnline(QStringLiteral("pve2"), true);
        QVERIFY(cluster.refresh());
    }
    // A12, A14: what is on a node that is off is refused without a request, and the others answer at once.
    void refusesWhatIsOnANodeThatIsOff_A12()
    {
        auto &cluster = m_stage->cluster;
        const auto away =
            std::find_if(cluster.state()->guests.begin(), cluster.state()->guests.end(),
                         [](const GuestState &guest) { return guest.node.text() == QLatin1String("pve3"); });
        QVERIFY(away != cluster.state()->guests.end());
        cluster.simulator.forgetRequests();
        const auto guest = away->vmid.number();
        REFUSED_WITH(m_stage->run("guest.start", {{"guest", guest}}), Error::Kind::Unreachable, "pve3 is offline");
        REFUSED_WITH(m_stage->run("guest.get", {{"guest", guest}}), Error::Kind::Unreachable, "pve3 is offline");
        REFUSED_WITH(m_stage->run("node.status", {{"node", "pve3"}}), Error::Kind::Unreachable, "pve3 is offline");
        QCOMPARE(cluster.simulator.requests().size(), 0);
    }
    void tellsA595OfOneNodeFromTheOthers_A14()
    {
        auto &cluster = m_stage->cluster;
        Fault peer;
        peer.kind = Fault::Kind::Answer;
        peer.path = QStringLiteral("/nodes/pve2/status");
        peer.status = 595;
        peer.reason = "Connection refused";
        cluster.simulator.faults().add(peer);
        const auto failed = m_stage->run("node.status", {{"node", "pve2"}});
        REFUSED_WITH(failed, Error::Kind::Unreachable, "can't reach the node that this is for");
        QElapsedTimer time;
        time.start();
        m_stage->answer("node.status", {{"node", "pve1"}});
        QVERIFY(time.elapsed() < 1'000);
        cluster.simulator.faults().clear();
    }
    // A05: what a sign-in may not see is said, beside what it sees.
    void saysWhatIsNotVisible_A05()
    {
        TestClusterOptions options = ClusterStage::atOnce();
        options.token = QStringLiteral("labhelm@pve!bare");
        ClusterStage bare(options);
        QVERIFY(bare.cluster.isFilled());
        const auto list = bare.answer("guest.list", {});
        QVERIFY(list[QStringLiteral("guests")].toArray().isEmpty());
        QVERIFY(list[QStringLiteral("not_visible")].toArray().first()[QLatin1String("what")].toString().contains(
            QLatin1String("VM.Audit on /vms")));
        const auto row = bare.answer("inventory.overview", {})[QStringLiteral("remotes")].toArray().first();
        QVERIFY(row[QLatin1String("not_visible")].toString().contains(QLatin1String("VM.Audit on /vms")));
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
