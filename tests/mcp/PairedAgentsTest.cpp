#include "mcp/PairedAgents.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/TestMain.h"
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace
{
/// A keyring that refuses, or answers only when told to.
class SlowStore : public SecretStore
{
public:
    Future<Secret> read(const QString &key) override { return m_inner.read(key); }
    Future<void> write(const QString &key, const Secret &value) override
    {
        if (refuses)
            return ready<void>(Error{Error::Kind::Unavailable, QStringLiteral("The keyring is locked.")});
        auto future = waiting.emplace_back().future();
        (void)m_inner.write(key, value);
        return future;
    }
    Future<void> remove(const QString &key) override { return m_inner.remove(key); }
    bool refuses = false;
    std::vector<Promise<void>> waiting;

private:
    MemoryStore m_inner;
};
} // namespace

/// The programs that a person let in, and their keys.
class PairedAgentsTest : public QObject
{
    Q_OBJECT

    /// Everything of one user, in a folder of its own.
    struct Home {
        QTemporaryDir folder;
        MemoryStore secrets;
        ManualClock clock;
        QString file = folder.filePath(QStringLiteral("config/agents.json"));
        QString keys = folder.filePath(QStringLiteral("config/agents"));
    };
    static constexpr auto onlyOwner = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;

private Q_SLOTS:
    void keepsEachKeyInTheStoreAndInAPrivateFile()
    {
        Home home;
        PairedAgents agents(home.file, home.keys, home.secrets, home.clock);
        const auto pairing = await(agents.pair(QStringLiteral("  Claude   Code ")));
        QVERIFY(pairing);
        QCOMPARE(pairing->agent.id, QStringLiteral("claude-code"));
        QCOMPARE(pairing->agent.name, QStringLiteral("Claude Code"));
        QCOMPARE(pairing->agent.pairedAtMs, home.clock.wall);
        QCOMPARE(QFileInfo(pairing->keyFile).permissions(), onlyOwner);
        QCOMPARE(QFileInfo(home.keys).permissions() & QFile::Permissions(0x0077), QFile::Permissions());
        QFile file(pairing->keyFile);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto key = file.readAll().trimmed();
        QCOMPARE(key.size(), 64);
        QCOMPARE(await(home.secrets.read(QStringLiteral("agent/claude-code")))->reveal(), key);
        QCOMPARE(await(agents.key(QStringLiteral("claude-code")))->reveal(), key);
        QFile list(home.file);
        QVERIFY(list.open(QIODevice::ReadOnly));
        QVERIFY(!list.readAll().contains(key));
    }

    void givesEveryAgentAnIdAndAKeyOfItsOwn()
    {
        Home home;
        PairedAgents agents(home.file, home.keys, home.secrets, home.clock);
        QSet<QString> ids;
        QSet<QByteArray> keys;
        for (const char *name :
             {"Goose", "goose", "Goose!", "Terminal", "\xe6\x97\xa5\xe6\x9c\xac", "../../etc/passwd"}) {
            const auto pairing = await(agents.pair(QString::fromUtf8(name)));
            QVERIFY2(pairing, name);
            QVERIFY(!pairing->agent.id.contains(u'/') && !pairing->agent.id.contains(u'.'));
            QCOMPARE(QFileInfo(pairing->keyFile).path(), home.keys);
            ids << pairing->agent.id;
            keys << await(agents.key(pairing->agent.id))->reveal();
        }
        QCOMPARE(ids.size(), 6);
        QCOMPARE(keys.size(), 6);
        QVERIFY(!ids.contains(PairedAgents::terminalId));
    }

    void refusesANameThatNobodyCanRead()
    {
        Home home;
        PairedAgents agents(home.file, home.keys, home.secrets, home.clock);
        for (const auto &name : {QString(), QStringLiteral(" -- "), QString(61, u'x')}) {
            const auto pairing = await(agents.pair(name));
            QVERIFY(!pairing);
            QCOMPARE(pairing.error().kind, Error::Kind::Invalid);
        }
        QVERIFY(agents.all().empty());
    }

    void remembersThemAtTheNextStart()
    {
        Home home;
        PairedAgent paired;
        {
            PairedAgents agents(home.file, home.keys, home.secrets, home.clock);
            paired = await(agents.pair(QStringLiteral("Zed")))->agent;
            agents.noteSeen(paired.id, QStringLiteral("/usr/bin/zed"));
        }
        PairedAgents agents(home.file, home.keys, home.secrets, home.clock);
        QVERIFY(agents.load());
        QCOMPARE(agents.all().size(), size_t(1));
        QCOMPARE(agents.find(paired.id)->program, QStringLiteral("/usr/bin/zed"));
        QCOMPARE(agents.find(paired.id)->lastSeenMs, home.clock.wall);
        QCOMPARE(QFileInfo(home.file).permissions(), onlyOwner);
    }

    void lockedKeyringPairsNobody()
    {
        Home home;
        SlowStore store;
        store.refuses = true;
        PairedAgents agents(home.file, home.keys, store, home.clock);
        const auto pairing = await(agents.pair(QStringLiteral("Zed")));
        QVERIFY(!pairing);
        QCOMPARE(pairing.error().kind, Error::Kind::Unavailable);
        QVERIFY(agents.all().empty());
        QVERIFY(!QFileInfo::exists(agents.keyFile(QStringLiteral("zed"))));
    }

    void twoPairingsAtOnceGetTwoIds()
    {
        Home home;
        SlowStore store;
        PairedAgents agents(home.file, home.keys, store, home.clock);
        auto first = agents.pair(QStringLiteral("Zed"));
        auto second = agents.pair(QStringLiteral("Zed"));
        for (auto &write : store.waiting)
            write.finish({});
        QVERIFY(await(std::move(first))->agent.id != await(std::move(second))->agent.id);
    }

    void goingAwayEndsAPairingUnderWay()
    {
        Home home;
        SlowStore store;
        auto agents = std::make_unique<PairedAgents>(home.file, home.keys, store, home.clock);
        auto pairing = agents->pair(QStringLiteral("Zed"));
        agents.reset();
        QVERIFY(pairing.isReady());
        QVERIFY(!pairing.await_resume());
    }

    void revokingTakesTheKeyAwayAtOnce()
    {
        Home home;
        PairedAgents agents(home.file, home.keys, home.secrets, home.clock);
        const auto pairing = await(agents.pair(QStringLiteral("Zed")));
        QSignalSpy revoked(&agents, &PairedAgents::revoked);
        auto removed = agents.revoke(pairing->agent.id);
        QCOMPARE(revoked.size(), 1);
        QVERIFY(!agents.find(pairing->agent.id));
        QVERIFY(!QFileInfo::exists(pairing->keyFile));
        QVERIFY(await(std::move(removed)));
        QCOMPARE(await(agents.key(pairing->agent.id)).error().kind, Error::Kind::NotFound);
        QCOMPARE(await(home.secrets.read(QStringLiteral("agent/zed"))).error().kind, Error::Kind::NotFound);
        QCOMPARE(await(agents.revoke(pairing->agent.id)).error().kind, Error::Kind::NotFound);
    }

    void damagedListLetsNobodyInAndIsKept()
    {
        Home home;
        {
            PairedAgents agents(home.file, home.keys, home.secrets, home.clock);
            QVERIFY(await(agents.pair(QStringLiteral("Zed"))));
        }
        QFile file(home.file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"agents\":[{\"id\":\"../x\",\"name\":\"x\"}]}");
        file.close();
        PairedAgents agents(home.file, home.keys, home.secrets, home.clock);
        QCOMPARE(agents.load().error().kind, Error::Kind::Malformed);
        QCOMPARE(await(agents.key(QStringLiteral("zed"))).error().kind, Error::Kind::NotFound);
        QCOMPARE(await(agents.pair(QStringLiteral("Goose"))).error().kind, Error::Kind::Unavailable);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("../x"));
    }

    void terminalGetsANewKeyAtEachStart()
    {
        Home home;
        PairedAgents first(home.file, home.keys, home.secrets, home.clock);
        QCOMPARE(await(first.key(PairedAgents::terminalId)).error().kind, Error::Kind::NotFound);
        const auto file = first.openTerminal();
        QVERIFY(file);
        QCOMPARE(QFileInfo(*file).permissions(), onlyOwner);
        PairedAgents second(home.file, home.keys, home.secrets, home.clock);
        QVERIFY(second.openTerminal());
        QVERIFY(!await(first.key(PairedAgents::terminalId))->equals(*await(second.key(PairedAgents::terminalId))));
        QVERIFY(second.all().empty());
    }

    void tellsWhenAnAgentsProgramIsAnotherOne()
    {
        Home home;
        PairedAgents agents(home.file, home.keys, home.secrets, home.clock);
        const auto id = await(agents.pair(QStringLiteral("Zed")))->agent.id;
        QSignalSpy moved(&agents, &PairedAgents::programChanged);
        agents.noteSeen(id, QStringLiteral("/usr/bin/zed"));
        agents.noteSeen(id, QStringLiteral("/usr/bin/zed"));
        QCOMPARE(moved.size(), 0);
        agents.noteSeen(id, QStringLiteral("/tmp/zed"));
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved[0][1].toString(), QStringLiteral("/usr/bin/zed"));
    }
};

LABHELM_TEST(PairedAgentsTest)
#include "PairedAgentsTest.moc"
