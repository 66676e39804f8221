#include "inventory/Inventory.h"
#include "support/InventoryMaking.h"
#include "support/TestMain.h"
#include <QSignalSpy>

using namespace InventoryMaking;

class InventoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTheLastStateOfEachRemoteInOrder()
    {
        Inventory inventory;
        QVERIFY(!inventory.snapshot(QStringLiteral("homelab-id")));
        inventory.publish(remote("homelab", {}, {}));
        inventory.publish(remote("office", {}, {}));
        inventory.publish(remote("homelab", {guest(101, "web", "pve1")}, {}));
        const auto all = inventory.snapshots();
        QCOMPARE(all.size(), size_t(2));
        QCOMPARE(all[0]->remoteName, QStringLiteral("homelab"));
        QCOMPARE(all[0]->guests.size(), size_t(1));
        QCOMPARE(all[1]->remoteName, QStringLiteral("office"));
    }
    void sortsGuestsSoThatTheyAreFound()
    {
        Inventory inventory;
        inventory.publish(
            remote("homelab", {guest(300, "c", "pve1"), guest(100, "a", "pve1"), guest(200, "b", "pve1")}, {}));
        const auto snapshot = inventory.snapshot(QStringLiteral("homelab-id"));
        QCOMPARE(snapshot->guest(vmid(200))->name, QStringLiteral("b"));
        QVERIFY(!snapshot->guest(vmid(150)));
        QVERIFY(!snapshot->guest(vmid(301)));
    }
    void leavesReadersWhatTheyHold()
    {
        Inventory inventory;
        inventory.publish(remote("homelab", {guest(100, "a", "pve1")}, {}));
        const auto held = inventory.snapshot(QStringLiteral("homelab-id"));
        inventory.publish(remote("homelab", {}, {}));
        QCOMPARE(held->guests.size(), size_t(1));
    }
    void tellsOnlyWhatChanged()
    {
        Inventory inventory;
        QSignalSpy changed(&inventory, &Inventory::changed);
        QSignalSpy refreshed(&inventory, &Inventory::refreshed);
        auto state = remote("homelab", {guest(100, "a", "pve1"), guest(101, "b", "pve1"), guest(102, "c", "pve1")},
                            {QStringLiteral("pve1")});
        inventory.publish(state);
        QCOMPARE(changed.count(), 1);
        state.takenAtMs += 2000;
        state.latencyMs = 7;
        inventory.publish(state);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(refreshed.count(), 2);

        state.guests[1].cpu = 0.0; // from "not known" to 0
        state.guests.erase(state.guests.begin());
        state.guests.push_back(guest(103, "d", "pve1"));
        inventory.publish(state);
        QCOMPARE(changed.count(), 2);
        const auto diff = changed[1][1].value<InventoryDiff>();
        QCOMPARE(diff.removed, std::vector{vmid(100)});
        QCOMPARE(diff.changed, std::vector{vmid(101)});
        QCOMPARE(diff.added, std::vector{vmid(103)});
        QVERIFY(!diff.nodesChanged && !diff.storagesChanged && !diff.tasksChanged && !diff.reachChanged);
    }
    void tellsApartWhatElseChanged_data()
    {
        QTest::addColumn<int>("what");
        for (const auto *name : {"node", "storage", "task", "reach", "problem", "hidden", "quorum", "pools", "version"})
            QTest::newRow(name) << int(m_rows++);
    }
    void tellsApartWhatElseChanged()
    {
        QFETCH(int, what);
        const auto before = remote("homelab", {guest(100, "a", "pve1")}, {QStringLiteral("pve1")});
        auto after = before;
        switch (what) {
        case 0: after.nodes[0].status = NodeState::Status::Offline; break;
        case 1: after.storages.emplace_back(); break;
        case 2: after.tasks.emplace_back(); break;
        case 3: after.reach = InventorySnapshot::Reach::Stale; break;
        case 4: after.problem = QStringLiteral("cut"); break;
        case 5: after.hidden = QStringLiteral("all"); break;
        case 6: after.quorate = false; break;
        case 7: after.pools << QStringLiteral("dev"); break;
        default: after.version = QStringLiteral("9.1.7");
        }
        const auto diff = differences(&before, &after);
        QCOMPARE(diff.nodesChanged, what == 0);
        QCOMPARE(diff.storagesChanged, what == 1);
        QCOMPARE(diff.tasksChanged, what == 2);
        QCOMPARE(diff.reachChanged, what >= 3);
        QVERIFY(diff.added.empty() && diff.removed.empty() && diff.changed.empty());
        QVERIFY(!diff.isEmpty());
    }
    void tellsLoadFromEvents_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<bool>("isEventful");
        auto row = [at = 0](const char *name, bool isEventful) mutable { QTest::newRow(name) << at++ << isEventful; };
        row("nothing", false);
        row("load of a guest", false);
        row("load of a node", false);
        row("fill of a storage", false);
        row("a guest stops", true);
        row("a guest is locked", true);
        row("a guest is renamed", true);
        row("a guest appears", true);
        row("a node goes away", true);
        row("a storage goes away", true);
        row("a task", true);
        row("the cluster goes away", true);
    }
    void tellsLoadFromEvents()
    {
        QFETCH(int, what);
        QFETCH(bool, isEventful);
        auto before = remote("homelab", {guest(100, "a", "pve1")}, {QStringLiteral("pve1")});
        before.storages.emplace_back().isAvailable = true;
        auto after = before;
        switch (what) {
        case 1:
            after.guests[0].cpu = 0.5;
            after.guests[0].uptime = 7;
            after.guests[0].netIn = 8;
            break;
        case 2: after.nodes[0].memory = 5; break;
        case 3: after.storages[0].used = 5; break;
        case 4: after.guests[0].power = GuestState::Power::Stopped; break;
        case 5: after.guests[0].lock = QStringLiteral("backup"); break;
        case 6: after.guests[0].name = QStringLiteral("b"); break;
        case 7: after.guests.push_back(guest(101, "b", "pve1")); break;
        case 8: after.nodes[0].status = NodeState::Status::Offline; break;
        case 9: after.storages[0].isAvailable = false; break;
        case 10: after.tasks.emplace_back(); break;
        case 11: after.reach = InventorySnapshot::Reach::Stale; break;
        default: break;
        }
        QCOMPARE(differences(&before, &after).isEventful, isEventful);
    }
    void findsTheDifferencesAgainIfAnotherStateCameBetween()
    {
        Inventory inventory;
        QSignalSpy changed(&inventory, &Inventory::changed);
        const auto first = std::make_shared<const InventorySnapshot>(remote("homelab", {guest(100, "a", "pve1")}, {}));
        const auto second = std::make_shared<const InventorySnapshot>(remote("homelab", {guest(101, "b", "pve1")}, {}));
        inventory.publish(first, nullptr, differences(nullptr, first.get()));
        auto between = *first;
        between.guests.clear();
        inventory.publish(between);
        inventory.publish(second, first, differences(first.get(), second.get()));
        const auto diff = changed.last()[1].value<InventoryDiff>();
        QCOMPARE(diff.added, std::vector{vmid(101)});
        QVERIFY(diff.removed.empty());
    }
    void givesTheNewStateWhenADiffIsApplied()
    {
        QRandomGenerator dice(4711);
        int changes = 0;
        constexpr int rounds = 3000;
        auto state = remote("homelab", {}, {QStringLiteral("pve1"), QStringLiteral("pve2")});
        for (int round = 0; round < rounds; ++round) {
            const auto next = shaken(state, dice);
            const auto diff = differences(&state, &next);
            QVERIFY(isMinimal(diff, state, next));
            QCOMPARE(applied(diff, state, next), next.guests);
            changes += int(diff.added.size() + diff.removed.size() + diff.changed.size());
            state = next;
        }
        qInfo("%d states, %d guests added, removed or changed", rounds, changes);
        QVERIFY(changes > rounds);
    }
    void takesARemoteAwayWithAllItsGuests()
    {
        Inventory inventory;
        inventory.publish(
            remote("homelab", {guest(100, "a", "pve1"), guest(101, "b", "pve1")}, {QStringLiteral("pve1")}));
        QSignalSpy changed(&inventory, &Inventory::changed);
        QSignalSpy forgotten(&inventory, &Inventory::forgotten);
        inventory.forget(QStringLiteral("nobody"));
        QCOMPARE(changed.count(), 0);
        QCOMPARE(forgotten.count(), 1);
        inventory.forget(QStringLiteral("homelab-id"));
        QCOMPARE(changed.count(), 1);
        const auto diff = changed[0][1].value<InventoryDiff>();
        QCOMPARE(diff.removed.size(), size_t(2));
        QVERIFY(diff.nodesChanged && diff.reachChanged);
        QCOMPARE(forgotten.count(), 2);
        QVERIFY(!inventory.snapshot(QStringLiteral("homelab-id")));
        QVERIFY(inventory.snapshots().empty());
    }

private:
    static std::vector<GuestState> applied(const InventoryDiff &diff, const InventorySnapshot &before,
                                           const InventorySnapshot &after)
    {
        std::map<Vmid, GuestState> guests;
        for (const auto &each : before.guests)
            guests[each.vmid] = each;
        for (const auto id : diff.removed)
            guests.erase(id);
        for (const auto &list : {diff.added, diff.changed})
            for (const auto id : list)
                guests[id] = *after.guest(id);
        std::vector<GuestState> result;
        for (const auto &[id, each] : guests)
            result.push_back(each);
        return result;
    }
    /// No guest is named twice or for nothing.
    static bool isMinimal(const InventoryDiff &diff, const InventorySnapshot &before, const InventorySnapshot &after)
    {
        for (const auto id : diff.changed)
            if (!before.guest(id) || !after.guest(id) || *before.guest(id) == *after.guest(id))
                return false;
        for (const auto id : diff.added)
            if (before.guest(id) || !after.guest(id))
                return false;
        for (const auto id : diff.removed)
            if (!before.guest(id) || after.guest(id))
                return false;
        return true;
    }
    int m_rows = 0;
};

LABHELM_TEST(InventoryTest)
#include "InventoryTest.moc"
