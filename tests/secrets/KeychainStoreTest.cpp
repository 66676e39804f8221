#include "secrets/KeychainStore.h"
#include "support/Await.h"
#include "support/PrivateKeyring.h"
#include "support/TestMain.h"
#include <qt6keychain/keychain.h>

/// Against a real GNOME Keyring on a bus of the test's own. Slots run in order: the keyring is missing, then open, then
/// locked.
class KeychainStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(PrivateKeyring::isPossible(), "needed: packaging/install-dependencies.sh session");
        m_keyring = std::make_unique<PrivateKeyring>();
    }
    void cleanupTestCase() { m_keyring.reset(); }

    void saysThatThereIsNoDesktopSession()
    {
        const auto address = qgetenv("DBUS_SESSION_BUS_ADDRESS");
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
        KeychainStore store(m_name);
        const auto read = await(store.read(m_key));
        const auto written = await(store.write(m_key, Secret("x")));
        qputenv("DBUS_SESSION_BUS_ADDRESS", address);
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Error::Kind::Unavailable);
        QCOMPARE(read.error().detail, QStringLiteral("no session bus"));
        QVERIFY(read.error().message.contains(QStringLiteral("desktop session")));
        QVERIFY(!written);
        QCOMPARE(written.error().detail, QStringLiteral("no session bus"));
    }
    void saysThatNoKeyringRuns()
    {
        KeychainStore store(m_name);
        const auto read = await(store.read(m_key));
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Error::Kind::Unavailable);
        QCOMPARE(read.error().detail, QStringLiteral("no secret service"));
        const auto written = await(store.write(m_key, Secret("must not be written anywhere")));
        QVERIFY(!written);
        QCOMPARE(written.error().kind, Error::Kind::Unavailable);
        const auto removed = await(store.remove(m_key));
        QVERIFY(!removed);
        QCOMPARE(removed.error().kind, Error::Kind::Unavailable);
    }
    void writesNoPlainTextWithoutAKeyring()
    {
        KeychainStore store(m_name);
        QVERIFY(!await(store.write(m_key, Secret("canary-4711-without-keyring"))));
        QVERIFY(!m_keyring->everyByteOnDisk().contains("canary-4711"));
    }
    void leavesKWalletToQtKeychain()
    {
        const auto desktop = qgetenv("XDG_CURRENT_DESKTOP");
        qputenv("XDG_CURRENT_DESKTOP", "KDE");
        QVERIFY(QDBusConnection::sessionBus().registerService(QStringLiteral("org.kde.kwalletd5")));
        SecretService service(std::chrono::seconds(5));
        const auto state = waitFor(service.state({}));
        QVERIFY(QDBusConnection::sessionBus().unregisterService(QStringLiteral("org.kde.kwalletd5")));
        const auto without = waitFor(service.state({}));
        qputenv("XDG_CURRENT_DESKTOP", desktop);
        QCOMPARE(state, SecretService::State::Open);
        QCOMPARE(without, SecretService::State::NoService);
    }

    void startsTheKeyring() { QVERIFY(m_keyring->startDaemon()); }
    void tellsThatNothingIsStored()
    {
        KeychainStore store(m_name);
        const auto read = await(store.read(m_key));
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Error::Kind::NotFound);
    }
    void givesBackWhatWasWritten()
    {
        KeychainStore store(m_name);
        QVERIFY(await(store.write(m_key, Secret("canary-4711-in-keyring"))));
        const auto read = await(store.read(m_key));
        QVERIFY(read);
        QCOMPARE(read->reveal(), QByteArray("canary-4711-in-keyring"));
        QVERIFY(await(store.write(m_key, Secret("second"))));
        const auto again = await(store.read(m_key));
        QVERIFY(again);
        QCOMPARE(again->reveal(), QByteArray("second"));
        QVERIFY(!m_keyring->everyByteOnDisk().contains("canary-4711"));
    }
    void keepsEveryByte_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QByteArray all;
        for (int i = 0; i < 256; ++i)
            all += static_cast<char>(i);
        QTest::newRow("every value") << all;
        QTest::newRow("4099 bytes with NULs") << QByteArray(4096, '\0') + QByteArray("\xff\x00z", 3);
        QTest::newRow("one NUL") << QByteArray(1, '\0');
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("not UTF-8") << QByteArray("\xc3\x28\xa0");
    }
    void keepsEveryByte()
    {
        QFETCH(QByteArray, bytes);
        KeychainStore store(m_name);
        QVERIFY(await(store.write(QStringLiteral("agent/bytes"), Secret(bytes))));
        const auto read = await(store.read(QStringLiteral("agent/bytes")));
        QVERIFY(read);
        QCOMPARE(read->reveal(), bytes);
    }
    void keepsDemoAndRealApart()
    {
        KeychainStore real(m_name), demo(m_name + QStringLiteral(" demo"));
        QVERIFY(await(real.write(QStringLiteral("k"), Secret("real"))));
        const auto read = await(demo.read(QStringLiteral("k")));
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Error::Kind::NotFound);
        QVERIFY(await(demo.remove(QStringLiteral("k"))));
        const auto kept = await(real.read(QStringLiteral("k")));
        QVERIFY(kept);
    }
    void removesAndRemovesAgain()
    {
        KeychainStore store(m_name);
        QVERIFY(await(store.write(QStringLiteral("gone"), Secret("x"))));
        QVERIFY(await(store.remove(QStringLiteral("gone"))));
        QVERIFY(await(store.remove(QStringLiteral("gone"))));
        const auto read = await(store.read(QStringLiteral("gone")));
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Error::Kind::NotFound);
    }
    void keepsTheOrderOfCalls()
    {
        KeychainStore store(m_name);
        std::vector<Future<void>> writes;
        for (int i = 0; i < 20; ++i)
            writes.push_back(store.write(QStringLiteral("order"), Secret(QByteArray::number(i))));
        const auto read = await(store.read(QStringLiteral("order")));
        QVERIFY(read);
        QCOMPARE(read->reveal(), QByteArray("19"));
        for (auto &write : writes)
            QVERIFY(await(std::move(write)));
    }
    void endsWhatWaitsWhenItGoesAway()
    {
        for (int turns = 0; turns < 12; ++turns) {
            auto store = std::make_unique<KeychainStore>(m_name);
            auto read = store->read(m_key);
            auto written = store->write(QStringLiteral("late"), Secret("x"));
            auto removed = store->remove(QStringLiteral("later"));
            for (int i = 0; i < turns; ++i)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 2);
            store.reset();
            QVERIFY(read.isReady() && written.isReady() && removed.isReady());
        }
        // The jobs that were left alone end by themselves.
        KeychainStore store(m_name);
        const auto read = await(store.read(m_key));
        QVERIFY(read);
    }
    void unlocksAnOpenKeyringAtOnce()
    {
        KeychainStore store(m_name);
        QVERIFY(await(store.unlock()));
    }

    void locksTheKeyring() { QVERIFY(PrivateKeyring::lock()); }
    void qtKeychainTakesALockedKeyringForAnEmptyOne()
    {
        // The reason for asking the Secret Service: when this fails one day, SecretService has become needless.
        auto *job = new QKeychain::ReadPasswordJob(m_name);
        job->setAutoDelete(false);
        job->setKey(m_key);
        bool done = false;
        connect(job, &QKeychain::Job::finished, this, [&done] { done = true; });
        job->start();
        QTRY_VERIFY(done);
        QCOMPARE(job->error(), QKeychain::EntryNotFound);
        delete job;
    }
    void tellsLockedFromNotStored()
    {
        KeychainStore store(m_name);
        const auto read = await(store.read(m_key));
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Error::Kind::Unavailable);
        QCOMPARE(read.error().detail, QStringLiteral("locked"));
        QVERIFY(read.error().message.contains(QStringLiteral("Unlock it")));
    }
    void changesNothingWhileLocked()
    {
        KeychainStore store(m_name);
        const auto written = await(store.write(m_key, Secret("third")));
        QVERIFY(!written);
        QCOMPARE(written.error().detail, QStringLiteral("locked"));
        const auto removed = await(store.remove(m_key));
        QVERIFY(!removed);
        QCOMPARE(removed.error().detail, QStringLiteral("locked"));
    }
    void neverHangsWhereNobodyCanBeAsked()
    {
        KeychainStore store(m_name);
        const auto unlocked = await(store.unlock());
        QVERIFY(!unlocked);
        QVERIFY(unlocked.error().kind == Error::Kind::Unavailable || unlocked.error().kind == Error::Kind::Denied);
    }
    void findsItAgainOnceUnlocked()
    {
        m_keyring->stopDaemon();
        QTRY_VERIFY(!PrivateKeyring::hasService());
        KeychainStore store(m_name);
        const auto missing = await(store.read(m_key));
        QVERIFY(!missing);
        QCOMPARE(missing.error().detail, QStringLiteral("no secret service"));
        QVERIFY(m_keyring->startDaemon());
        const auto read = await(store.read(m_key));
        QVERIFY2(read, qPrintable(read ? QString() : read.error().message + read.error().detail));
        QCOMPARE(read->reveal(), QByteArray("second"));
    }
    void givesUpOnAKeyringThatSaysNothing()
    {
        m_keyring->freezeDaemon(true);
        KeychainStore store(m_name, std::chrono::milliseconds(300));
        const auto read = await(store.read(m_key));
        m_keyring->freezeDaemon(false);
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Error::Kind::Unavailable);
        QVERIFY(read.error().message.contains(QStringLiteral("does not answer")));
    }

private:
    static SecretService::State waitFor(QCoro::Task<SecretService::State> task)
    {
        auto place = std::make_shared<std::optional<SecretService::State>>();
        awaiting::keep(std::move(task), place);
        return QTest::qWaitFor([place] { return place->has_value(); }, 20'000) ? **place : SecretService::State::Silent;
    }

    const QString m_name = QStringLiteral("Labhelm test");
    const QString m_key = QStringLiteral("remote/r1/token");
    std::unique_ptr<PrivateKeyring> m_keyring;
};

LABHELM_TEST(KeychainStoreTest)
#include "KeychainStoreTest.moc"
