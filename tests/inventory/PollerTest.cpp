#include "support/TestCluster.h"
#include "support/TestMain.h"
#include <QSignalSpy>

using namespace std::chrono_literals;
using Reach = InventorySnapshot::Reach;

/// Against the simulated cluster, over TLS.
class PollerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void publishesTheWholeClusterAtOnce()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        const auto state = cluster.state();
        QCOMPARE(state->reach, Reach::Live);
        QCOMPARE(state->problem, QString());
        QCOMPARE(state->hidden, QString());
        QCOMPARE(state->clusterName, cluster.world().clusterName);
        QCOMPARE(state->quorate, std::optional(true));
        QCOMPARE(state->nodes.size(), cluster.world().nodes.size());
        QCOMPARE(qsizetype(state->guests.size()), cluster.world().guests().size());
        QVERIFY(!state->storages.empty());
        QVERIFY(!state->tasks.empty());
        QVERIFY(!state->pools.isEmpty());
        QVERIFY(state->version.startsWith(QLatin1String("9.")));
        QCOMPARE(state->takenAtMs, cluster.clock.wallMs());
        QVERIFY(state->latencyMs);
        for (const auto *call :
             {"/version", "/cluster/resources", "/cluster/status", "/cluster/tasks", "/access/permissions"})
            QCOMPARE(cluster.simulator.count(QStringLiteral("GET"), QLatin1String(call)), 1);
        QVERIFY(cluster.simulator.writes().isEmpty());
    }
    void tellsOnlyWhatChanged()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        QSignalSpy changed(&cluster.inventory, &Inventory::changed);
        QVERIFY(cluster.refresh());
        QCOMPARE(changed.count(), 0);
        cluster.world().setConfig(someGuest(cluster, GuestState::Power::Running).number(), QStringLiteral("name"),
                                  QStringLiteral("renamed"));
        QVERIFY(cluster.refresh());
        QCOMPARE(changed.count(), 1);
        const auto diff = changed[0][1].value<InventoryDiff>();
        QCOMPARE(diff.changed, std::vector{someGuest(cluster, GuestState::Power::Running)});
        QVERIFY(diff.added.empty() && diff.removed.empty() && !diff.nodesChanged && !diff.reachChanged);
    }
    void asksRarelyForWhatTheSignInMaySee()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        const auto asked = [&] {
            return cluster.simulator.count(QStringLiteral("GET"), QStringLiteral("/access/permissions"));
        };
        QVERIFY(cluster.refresh());
        QCOMPARE(asked(), 1);
        cluster.pass(6min);
        QVERIFY(cluster.refresh());
        QCOMPARE(asked(), 2);
    }
    void answersARefreshWithARoundThatBeganAfterIt()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        cluster.simulator.faults().latency = 30ms;
        auto running = cluster.poller->refresh();
        QVERIFY(waitUntil(
            [&] { return cluster.simulator.count(QStringLiteral("GET"), QStringLiteral("/cluster/resources")) == 2; }));
        const auto vmid = someGuest(cluster, GuestState::Power::Stopped);
        cluster.world().start(*cluster.world().guest(vmid.number()));
        auto after = cluster.poller->refresh();
        QVERIFY(await(std::move(running)));
        QVERIFY(!after.isReady());
        QVERIFY(await(std::move(after)));
        QCOMPARE(cluster.state()->guest(vmid)->power, GuestState::Power::Running);
    }
    void runsOneRoundAtATime()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        cluster.simulator.faults().latency = 20ms;
        const auto before = cluster.poller->rounds();
        std::vector<Future<void>> all;
        for (int i = 0; i < 50; ++i) {
            all.push_back(cluster.poller->refresh());
            QCoreApplication::processEvents();
        }
        for (auto &each : all)
            QVERIFY(await(std::move(each)));
        QVERIFY2(cluster.poller->rounds() - before <= 3,
                 qPrintable(QString::number(cluster.poller->rounds() - before)));
    }
    void keepsADistanceBetweenRounds()
    {
        TestClusterOptions options;
        options.pace.gap = 60ms;
        options.hasManualClock = false;
        TestCluster cluster(options);
        QVERIFY(cluster.isFilled());
        QElapsedTimer time;
        time.start();
        for (int i = 0; i < 5; ++i)
            QVERIFY(cluster.refresh());
        QVERIFY2(time.elapsed() >= 5 * 60 - 60, qPrintable(QString::number(time.elapsed())));
    }
    void asksMoreOftenWhileSomebodyLooks()
    {
        TestClusterOptions options;
        options.pace.active = 5ms;
        TestCluster cluster(options);
        QVERIFY(cluster.isFilled());
        cluster.world().taskPace = 0; // nothing runs
        QTRY_VERIFY(cluster.poller->rounds() > 4);
        cluster.poller->setActive(false);
        QVERIFY(cluster.refresh());
        if (std::none_of(cluster.state()->tasks.begin(), cluster.state()->tasks.end(),
                         [](const TaskState &task) { return task.isRunning(); })) {
            const auto rounds = cluster.poller->rounds();
            QVERIFY(!waitUntil([&] { return cluster.poller->rounds() > rounds; }, 100ms));
        }
        cluster.poller->setActive(true);
        const auto rounds = cluster.poller->rounds();
        QTRY_VERIFY(cluster.poller->rounds() > rounds + 2);
    }

    void asksTwiceAsOftenWhileSomethingHappens()
    {
        TestClusterOptions options;
        options.pace.active = 40ms;
        TestCluster cluster(options);
        QVERIFY(cluster.isFilled());
        const auto roundsIn = [&](std::chrono::milliseconds time) {
            const auto before = cluster.poller->rounds();
            waitUntil([] { return false; }, time); // the stretch that is counted
            return cluster.poller->rounds() - before;
        };
        cluster.pass(2min); // whatever ran has ended, and long ago
        QVERIFY(cluster.refresh());
        cluster.pass(2min);
        const auto calm = roundsIn(600ms);
        cluster.world().setConfig(104, QStringLiteral("hostname"), QStringLiteral("renamed"));
        QVERIFY(cluster.refresh());
        const auto lively = roundsIn(600ms);
        qInfo("rounds in 600 ms: %d while it is quiet, %d after something happened", calm, lively);
        QVERIFY(lively >= 2 * calm);
    }

    void saysUnknownOfGuestsWhoseNodeIsAway()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        const auto node = onlineNode(cluster);
        cluster.world().setOnline(node, false);
        QVERIFY(cluster.refresh());
        const auto state = cluster.state();
        QCOMPARE(state->node(*NodeName::from(node))->status, NodeState::Status::Offline);
        int seen = 0;
        for (const auto &guest : state->guests) {
            if (guest.node.text() != node)
                continue;
            ++seen;
            QCOMPARE(guest.power, GuestState::Power::Unknown);
            QVERIFY(!guest.cpu && !guest.memory && !guest.uptime);
        }
        QVERIFY(seen > 0);
        const auto found =
            cluster.inventory.resolveGuest(QStringLiteral("%1/%2").arg(node, firstOn(*state, node).text()));
        QVERIFY(found);
        QCOMPARE(found->node.text(), node);
    }
    void keepsTheLastStateWhenTheClusterGoesAway()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        const auto before = cluster.state();
        const auto port = quint16(cluster.simulator.url().port());
        cluster.simulator.close();
        cluster.clock.advance(5s);
        const auto failed = await(cluster.poller->refresh());
        QVERIFY(!failed);
        QCOMPARE(cluster.state()->reach, Reach::Stale);
        QVERIFY(!cluster.state()->problem.isEmpty());
        QCOMPARE(cluster.state()->takenAtMs, before->takenAtMs);
        QCOMPARE(cluster.state()->guests, before->guests);
        QVERIFY(!cluster.state()->latencyMs);

        QSignalSpy changed(&cluster.inventory, &Inventory::changed);
        QVERIFY(!await(cluster.poller->refresh()));
        QCOMPARE(changed.count(), 0); // it is still gone: nothing new to tell

        QVERIFY(cluster.simulator.listen(port));
        QVERIFY(cluster.refresh());
        QCOMPARE(cluster.state()->reach, Reach::Live);
        QCOMPARE(cluster.state()->problem, QString());
    }
    void triesAgainByItselfAndMoreSlowlyEachTime()
    {
        TestClusterOptions options;
        options.pace.active = 4ms;
        options.pace.slowest = 64ms;
        TestCluster cluster(options);
        QVERIFY(cluster.isFilled());
        const auto port = quint16(cluster.simulator.url().port());
        cluster.simulator.close();
        QTRY_COMPARE(cluster.state()->reach, Reach::Stale);
        const auto rounds = cluster.poller->rounds();
        QElapsedTimer time;
        time.start();
        QVERIFY(waitUntil([&] { return cluster.poller->rounds() >= rounds + 8; }));
        // 4 + 8 + 16 + 32 + 64 + 64 … ms, less a quarter at most for the spread.
        QVERIFY2(time.elapsed() >= 150, qPrintable(QString::number(time.elapsed())));
        QVERIFY(cluster.simulator.listen(port));
        QTRY_COMPARE(cluster.state()->reach, Reach::Live);
    }
    void publishesWhyTheFirstRoundFailed()
    {
        TestCluster cluster;
        Inventory inventory;
        auto nowhere = cluster.remote;
        nowhere.id = QStringLiteral("nowhere");
        cluster.simulator.close();
        Poller poller(cluster.connections.open(nowhere), inventory, cluster.clock);
        QVERIFY(!await(poller.refresh()));
        const auto state = inventory.snapshot(nowhere.id);
        QVERIFY(state);
        QCOMPARE(state->reach, Reach::Never);
        QCOMPARE(state->takenAtMs, qint64(0));
        QVERIFY(!state->problem.isEmpty());
        QVERIFY(state->guests.empty());
    }
    void leavesWhatCameFromDiskAsCachedUntilItIsLive()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        auto cached = *cluster.state();
        cached.reach = Reach::Cached;
        cluster.inventory.publish(cached);
        const auto port = quint16(cluster.simulator.url().port());
        cluster.simulator.close();
        QVERIFY(!await(cluster.poller->refresh()));
        QCOMPARE(cluster.state()->reach, Reach::Cached);
        QVERIFY(!cluster.state()->problem.isEmpty());
        QVERIFY(cluster.simulator.listen(port));
        QVERIFY(cluster.refresh());
        QCOMPARE(cluster.state()->reach, Reach::Live);
    }
    void signsInOnceWithARefusedToken()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        Inventory inventory;
        auto wrong = cluster.remote;
        wrong.id = QStringLiteral("wrong");
        Q_UNUSED(cluster.secrets.write(wrong.secretKey(), Secret("00000000-0000-0000-0000-000000000000")));
        cluster.simulator.forgetRequests();
        {
            Poller poller(cluster.connections.open(wrong), inventory, cluster.clock, TestClusterOptions().pace);
            for (int i = 0; i < 10; ++i)
                QVERIFY(!await(poller.refresh()));
        }
        QCOMPARE(inventory.snapshot(wrong.id)->reach, Reach::Never);
        QVERIFY(!inventory.snapshot(wrong.id)->problem.isEmpty());
        QVERIFY2(cluster.simulator.requests().size() <= 3,
                 qPrintable(QString::number(cluster.simulator.requests().size())));
    }
    void tellsNotVisibleFromNotThere_data()
    {
        QTest::addColumn<QString>("token");
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("seesGuests");
        QTest::newRow("no rights at all") << "labhelm@pve!bare"
                                          << "all guests (VM.Audit on /vms)" << false;
        QTest::newRow("one pool") << "media@pve!pool"
                                  << "some guests (VM.Audit on /vms)" << true;
    }
    void tellsNotVisibleFromNotThere()
    {
        QFETCH(QString, token);
        QFETCH(QString, words);
        QFETCH(bool, seesGuests);
        TestClusterOptions options;
        options.token = token;
        TestCluster cluster(options);
        QVERIFY(cluster.isFilled());
        QCOMPARE(cluster.state()->reach, Reach::Live);
        QCOMPARE(!cluster.state()->guests.empty(), seesGuests);
        QVERIFY2(cluster.state()->hidden.contains(words), qPrintable(cluster.state()->hidden));
        const auto found = cluster.inventory.resolveGuest(QStringLiteral("no-such-guest"));
        QVERIFY(!found);
        QVERIFY(found.error().message.contains(QStringLiteral("Not everything is visible on: homelab.")));
    }
    void hidesNothingFromAnAuditor()
    {
        TestClusterOptions options;
        options.token = QStringLiteral("auditor@pve!view");
        TestCluster cluster(options);
        QVERIFY(cluster.isFilled());
        QCOMPARE(cluster.state()->hidden, QString());
        QCOMPARE(qsizetype(cluster.state()->guests.size()), cluster.world().guests().size());
    }
    void measuresTheWay()
    {
        TestClusterOptions options;
        TestCluster cluster(options);
        QVERIFY(cluster.isFilled());
        Poller poller(cluster.connection(), cluster.inventory, Clock::system(), options.pace);
        QVERIFY(await(poller.refresh()));
        cluster.simulator.faults().latency = 80ms; // of a coarse timer, which may be a twentieth early
        QVERIFY(await(poller.refresh()));
        QVERIFY(*cluster.state()->latencyMs >= 76);
    }

    void endsEverythingWhenItGoesAway()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        cluster.simulator.faults().latency = 2ms;
        for (int turns = 0; turns < 60; ++turns) {
            Inventory inventory;
            auto poller =
                std::make_unique<Poller>(cluster.connection(), inventory, cluster.clock, TestClusterOptions().pace);
            auto refreshed = poller->refresh();
            for (int i = 0; i < turns; ++i)
                QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
            const bool wasDone = refreshed.isReady();
            poller.reset();
            QVERIFY(refreshed.isReady());
            const auto outcome = refreshed.await_resume();
            QVERIFY(wasDone || (!outcome && outcome.error().kind == Error::Kind::Cancelled));
        }
        QVERIFY(cluster.refresh());
    }
    void mayBeEndedByWhoeverItTells()
    {
        for (const bool isFailing : {false, true}) {
            TestCluster cluster;
            QVERIFY(cluster.isFilled());
            Inventory inventory;
            auto poller =
                std::make_unique<Poller>(cluster.connection(), inventory, cluster.clock, TestClusterOptions().pace);
            connect(&inventory, &Inventory::changed, this, [&poller] { poller.reset(); });
            if (isFailing)
                cluster.simulator.close();
            auto refreshed = poller->refresh();
            QVERIFY(waitUntil([&] { return !poller; }));
            QVERIFY(refreshed.isReady());
            QCOMPARE(inventory.snapshots().size(), size_t(1));
        }
    }
    void mayBeEndedByWhoeverAskedForARefresh()
    {
        TestCluster cluster;
        QVERIFY(cluster.isFilled());
        Inventory inventory;
        auto poller =
            std::make_unique<Poller>(cluster.connection(), inventory, cluster.clock, TestClusterOptions().pace);
        endAfterRefresh(&poller);
        QVERIFY(waitUntil([&] { return !poller; }));
    }

private:
    static QCoro::Task<void> endAfterRefresh(std::unique_ptr<Poller> *poller)
    {
        const std::stop_token never;
        auto refreshed = co_await (*poller)->refresh().until(never);
        if (refreshed)
            poller->reset();
    }
    static Vmid someGuest(const TestCluster &cluster, GuestState::Power power)
    {
        for (const auto &guest : cluster.state()->guests)
            if (guest.power == power && !guest.isTemplate && guest.lock.isEmpty() && guest.kind == GuestKind::Qemu)
                return guest.vmid;
        return {};
    }
    static QString onlineNode(TestCluster &cluster)
    {
        for (const auto &node : cluster.world().nodes)
            if (node.online && node.name != cluster.world().localNode)
                return node.name;
        return {};
    }
    static Vmid firstOn(const InventorySnapshot &state, const QString &node)
    {
        for (const auto &guest : state.guests)
            if (guest.node.text() == node)
                return guest.vmid;
        return {};
    }
};

LABHELM_TEST(PollerTest)
#include "PollerTest.moc"
