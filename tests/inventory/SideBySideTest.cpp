#include "support/TestCluster.h"
#include "support/TestMain.h"

using namespace std::chrono_literals;
using Reach = InventorySnapshot::Reach;

/// Several clusters beside each other: what goes wrong with one is no matter of the others.
class SideBySideTest : public QObject
{
    Q_OBJECT

    static TestClusterOptions quick(const char *name)
    {
        TestClusterOptions options;
        options.name = QLatin1String(name);
        options.hasManualClock = false;
        options.pace = PollPace{.active = 20ms, .idle = 20ms, .gap = 1ms};
        return options;
    }

private Q_SLOTS:
    // R10: eight clusters of which one to seven answer nothing at all.
    void asksTheOthersOnTimeWhileSomeHang_R10()
    {
        std::vector<std::unique_ptr<TestCluster>> all;
        for (const auto *name : {"a", "b", "c", "d", "e", "f", "g", "h"})
            all.push_back(std::make_unique<TestCluster>(quick(name)));
        for (const auto &each : all)
            QVERIFY(each->isFilled());
        for (size_t hanging : {1u, 4u, 7u}) {
            Fault hang;
            hang.kind = Fault::Kind::Hang;
            hang.always = true;
            for (size_t i = 0; i < hanging; ++i)
                all[i]->simulator.faults().add(hang);
            QElapsedTimer time;
            time.start();
            for (size_t i = hanging; i < all.size(); ++i) {
                const auto rounds = all[i]->poller->rounds();
                QVERIFY(waitUntil([&] { return all[i]->poller->rounds() > rounds + 2; }, 10s));
                QCOMPARE(all[i]->state()->reach, Reach::Live);
            }
            qInfo("%zu of 8 hang: three more rounds of each of the others after %lld ms", hanging, time.elapsed());
        }
    }
    void keepsEachStateByItself()
    {
        Inventory inventory;
        MemoryStore secrets;
        TestCluster one(quick("one")), other(quick("other"));
        QVERIFY(one.isFilled() && other.isFilled());
        const auto still = TestClusterOptions().pace;
        Poller first(one.connection(), inventory, Clock::system(), still);
        Poller second(other.connection(), inventory, Clock::system(), still);
        QVERIFY(await(first.refresh()) && await(second.refresh()));
        QCOMPARE(inventory.snapshots().size(), size_t(2));
        one.simulator.close();
        QVERIFY(!await(first.refresh()));
        QVERIFY(await(second.refresh()));
        QCOMPARE(inventory.snapshot(one.remote.id)->reach, Reach::Stale);
        QVERIFY(!inventory.snapshot(one.remote.id)->problem.isEmpty());
        QCOMPARE(inventory.snapshot(other.remote.id)->reach, Reach::Live);
        QCOMPARE(inventory.snapshot(other.remote.id)->problem, QString());
        // The same number on two clusters is two guests, and a caller has to say which.
        const auto found = inventory.resolveGuest(QStringLiteral("104"));
        QVERIFY(!found);
        QCOMPARE(found.error().kind, Error::Kind::Ambiguous);
        QCOMPARE(inventory.resolveGuest(QStringLiteral("other:104"))->remote, other.remote.id);
    }
};

LABHELM_TEST(SideBySideTest)
#include "SideBySideTest.moc"
