#include "inventory/InventoryCache.h"
#include "inventory/InventoryFile.h"
#include "support/Await.h"
#include "support/InventoryMaking.h"
#include "support/PollSample.h"
#include "support/TestMain.h"
#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace InventoryMaking;
using Reach = InventorySnapshot::Reach;

class InventoryCacheTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("inventory"));
    }

    void givesBackTheLastState()
    {
        const auto state = live();
        {
            Inventory inventory;
            InventoryCache cache(m_path, inventory);
            inventory.publish(state);
        } // the end of the program writes
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        QVERIFY(await(cache.load(state.remoteId, QStringLiteral("renamed"))));
        const auto cached = inventory.snapshot(state.remoteId);
        QVERIFY(cached);
        QCOMPARE(cached->reach, Reach::Cached);
        QCOMPARE(cached->remoteName, QStringLiteral("renamed"));
        QCOMPARE(cached->takenAtMs, state.takenAtMs);
        QCOMPARE(cached->clusterName, state.clusterName);
        QCOMPARE(cached->quorate, state.quorate);
        QCOMPARE(cached->version, state.version);
        QCOMPARE(cached->pools, state.pools);
        QCOMPARE(cached->nodes, state.nodes);
        QCOMPARE(cached->guests, state.guests);
        QCOMPARE(cached->storages, state.storages);
    }
    void leavesOutTasksThatStillRan()
    {
        const auto state = live();
        const auto again = InventoryFile::parse(InventoryFile::write(state));
        QVERIFY(again);
        QCOMPARE(state.tasks.size(), size_t(3));
        QCOMPARE(again->tasks.size(), size_t(2));
        QVERIFY(!again->tasks[0].isRunning());
    }
    void givesBackAnyState()
    {
        QRandomGenerator dice(815);
        auto state = live();
        constexpr int rounds = 500;
        for (int i = 0; i < rounds; ++i) {
            state = shaken(state, dice);
            const auto again = InventoryFile::parse(InventoryFile::write(state));
            QVERIFY(again);
            QCOMPARE(again->guests, state.guests);
            QCOMPARE(again->nodes, state.nodes);
        }
        qInfo("%d states written and read", rounds);
    }
    void letsOnlyTheOwnerRead()
    {
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        inventory.publish(live());
        QVERIFY(await(cache.flush()));
        const auto others =
            QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::ExeGroup | QFileDevice::ExeOther;
        QCOMPARE(QFileInfo(m_path).permissions() & others, QFileDevice::Permissions());
        QCOMPARE(QFileInfo(file()).permissions() & others, QFileDevice::Permissions());
    }
    void writesAtMostOnceInAWhile()
    {
        Inventory inventory;
        InventoryCache cache(m_path, inventory, std::chrono::milliseconds(150));
        auto state = live();
        inventory.publish(state);
        QVERIFY(!QFileInfo::exists(file()));
        for (int i = 0; i < 20; ++i) {
            state.takenAtMs += 1;
            inventory.publish(state);
        }
        QTRY_VERIFY(QFileInfo::exists(file()));
        QTRY_COMPARE(onDisk().takenAtMs, state.takenAtMs);
        state.takenAtMs += 1;
        inventory.publish(state);
        QTRY_COMPARE(onDisk().takenAtMs, state.takenAtMs);
    }
    void keepsTheLastLiveStateWhenTheClusterGoesAway()
    {
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        auto state = live();
        inventory.publish(state);
        state.reach = Reach::Stale;
        state.problem = QStringLiteral("No connection.");
        inventory.publish(state);
        QVERIFY(await(cache.flush()));
        QCOMPARE(onDisk().guests, state.guests);
    }
    void keepsWhatIsOnDiskWhileNothingBetterIsKnown()
    {
        const auto state = live();
        put(InventoryFile::write(state));
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        InventorySnapshot failed;
        failed.remoteId = state.remoteId;
        failed.problem = QStringLiteral("No connection.");
        inventory.publish(failed);
        QVERIFY(await(cache.flush()));
        QCOMPARE(onDisk().guests, state.guests);
    }
    void neverOverwritesSomethingNewer()
    {
        const auto state = live();
        put(InventoryFile::write(state));
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        auto loading = cache.load(state.remoteId, state.remoteName);
        auto newer = state;
        newer.guests.clear();
        inventory.publish(newer);
        QVERIFY(await(std::move(loading)));
        QCOMPARE(inventory.snapshot(state.remoteId)->reach, Reach::Live);
        QVERIFY(inventory.snapshot(state.remoteId)->guests.empty());
    }
    void fillsInWhereTheFirstRoundFailed()
    {
        const auto state = live();
        put(InventoryFile::write(state));
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        InventorySnapshot failed;
        failed.remoteId = state.remoteId;
        failed.problem = QStringLiteral("No connection.");
        inventory.publish(failed);
        QVERIFY(await(cache.load(state.remoteId, state.remoteName)));
        QCOMPARE(inventory.snapshot(state.remoteId)->reach, Reach::Cached);
        QCOMPARE(inventory.snapshot(state.remoteId)->problem, QStringLiteral("No connection."));
        QCOMPARE(inventory.snapshot(state.remoteId)->guests, state.guests);
    }
    void saysThatNothingWasKept()
    {
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        const auto loaded = await(cache.load(QStringLiteral("lab-1"), QStringLiteral("homelab")));
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().kind, Error::Kind::NotFound);
        QVERIFY(inventory.snapshots().empty());
    }
    void ignoresWhatIsNotItsOwn()
    {
        const auto text = InventoryFile::write(live());
        const auto check = [&](const QByteArray &odd) {
            const auto parsed = InventoryFile::parse(odd);
            return !parsed && parsed.error().kind == Error::Kind::Malformed;
        };
        for (qsizetype i = 0; i < text.size(); ++i)
            QVERIFY2(check(text.left(i)), qPrintable(QString::number(i)));
        QVERIFY(check(QByteArray(text).replace("\"version\":2", "\"version\":1")));
        QVERIFY(check(QByteArray(text).replace("[100,", "[10,")));
        QVERIFY(check(QByteArray(text).replace("[100,", "[101,")));
        QVERIFY(check(QByteArray(text).replace("[100,", "[100,null,")));
        QVERIFY(check(QByteArray(text).replace("\"pve1\"", "\"../pve1\"")));
        QVERIFY(check(QByteArray(text).replace("\"guests\"", "\"others\"")));
    }
    void neverCrashesOnFlippedBytes()
    {
        const auto text = InventoryFile::write(live());
        QRandomGenerator dice(99);
        int read = 0;
        constexpr int cases = 5000;
        for (int i = 0; i < cases; ++i) {
            auto odd = text;
            for (int n = dice.bounded(1, 4); n > 0; --n)
                odd[dice.bounded(int(odd.size()))] = static_cast<char>(dice.bounded(256));
            read += InventoryFile::parse(odd) ? 1 : 0;
        }
        qInfo("%d texts with flipped bytes, %d still readable", cases, read);
    }
    void forgetsARemoteThatIsRemoved()
    {
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        inventory.publish(live());
        QVERIFY(await(cache.flush()));
        QVERIFY(QFileInfo::exists(file()));
        inventory.publish(live());
        inventory.forget(live().remoteId);
        QTRY_VERIFY(!QFileInfo::exists(file()));
        QVERIFY(await(cache.flush()));
        QVERIFY(!QFileInfo::exists(file()));
    }
    void bringsBackNothingThatWasForgottenWhileItRead()
    {
        put(InventoryFile::write(live()));
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        auto loading = cache.load(live().remoteId, QString());
        inventory.forget(live().remoteId);
        QVERIFY(await(std::move(loading)));
        QVERIFY(inventory.snapshots().empty());
        QTRY_VERIFY(!QFileInfo::exists(file()));
    }
    void neverLeavesItsFolder()
    {
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        for (const auto *id : {"../outside", "a/b", "", "A", "x\n"}) {
            auto state = live();
            state.remoteId = QString::fromLatin1(id);
            inventory.publish(state);
            QVERIFY(!await(cache.load(state.remoteId, QString())));
        }
        QVERIFY(await(cache.flush()));
        QVERIFY(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).isEmpty());
    }
    void saysThatTheDiskRefuses()
    {
        QFile blocking(m_path);
        QVERIFY(blocking.open(QIODevice::WriteOnly));
        Inventory inventory;
        InventoryCache cache(m_path, inventory);
        inventory.publish(live());
        const auto written = await(cache.flush());
        QVERIFY(!written);
        QCOMPARE(written.error().kind, Error::Kind::Unavailable);
    }
    void canGoAwayWhileItReads()
    {
        put(InventoryFile::write(live()));
        Inventory inventory;
        auto cache = std::make_unique<InventoryCache>(m_path, inventory);
        auto loading = cache->load(live().remoteId, QString());
        cache.reset();
        QVERIFY(loading.isReady());
    }

private:
    static InventorySnapshot live()
    {
        auto state = readAnswers(PollSample::answers(), nullptr);
        return state ? *state : InventorySnapshot();
    }
    QString file() const { return m_path + QStringLiteral("/lab-1.json"); }
    InventorySnapshot onDisk() const
    {
        QFile stored(file());
        auto state = InventoryFile::parse(stored.open(QIODevice::ReadOnly) ? stored.readAll() : QByteArray());
        return state ? *state : InventorySnapshot();
    }
    void put(const QByteArray &text)
    {
        QDir().mkpath(m_path);
        QFile stored(file());
        QVERIFY(stored.open(QIODevice::WriteOnly));
        stored.write(text);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

LABHELM_TEST(InventoryCacheTest)
#include "InventoryCacheTest.moc"
