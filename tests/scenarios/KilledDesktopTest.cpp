#include "base/Folders.h"
#include "base/PrivateFile.h"
#include "mcp/PairedAgents.h"
#include "policy/Grants.h"
#include "remotes/RemoteList.h"
#include "secrets/KeychainStore.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"
#include "store/Database.h"
#include "support/Await.h"
#include "support/BridgeClient.h"
#include "support/PrivateKeyring.h"
#include "support/TestMain.h"
#include <QCryptographicHash>
#include <QJsonArray>
#include <sys/prctl.h>

using namespace std::chrono_literals;

/// The real program is killed in the middle of a change; its next start finds out how it went, sends nothing again and
/// has lost nothing that it had acknowledged. It runs on a real keyring; an agent looks from outside.
class KilledDesktopTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void asksTheTaskHowItEnded_data();
    void asksTheTaskHowItEnded();
    void looksWhetherAChangeTookEffect_data();
    void looksWhetherAChangeTookEffect();
    void endsWhatAPersonHadNotAnswered();
    void hasEveryEntryThatWasAcknowledged();

private:
    bool setUp(Preset preset);
    bool start();
    bool kill();
    bool killAtNextWrite(const char *tool, const QJsonObject &arguments);
    bool isFilled();
    /// What the agent asks and is answered.
    QJsonObject ask(const char *tool, const QJsonObject &arguments);
    /// How the newest call of this operation stands on the timeline.
    QString stateOf(const char *operation);
    qsizetype writes() const { return m_simulator->writes().size(); }

    std::unique_ptr<PrivateKeyring> m_keyring;
    std::unique_ptr<QTemporaryDir> m_home;
    ManualClock m_clock; ///< tasks of the cluster end when it is moved
    std::unique_ptr<Simulator> m_simulator;
    std::unique_ptr<QProcess> m_desktop;
    std::unique_ptr<BridgeClient> m_agent;
    Folders m_folders;
    QStringList m_bridge;
};

void KilledDesktopTest::initTestCase()
{
    QVERIFY2(PrivateKeyring::isPossible(), "needed: packaging/install-dependencies.sh session");
    m_keyring = std::make_unique<PrivateKeyring>();
    QVERIFY(m_keyring->startDaemon());
}

void KilledDesktopTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_clock.wall = QDateTime::currentMSecsSinceEpoch();
    Simulator::Options options;
    options.clock = &m_clock;
    options.refusalDelay = 0ms;
    m_simulator = std::make_unique<Simulator>(options);
    QVERIFY(setUp(Preset::Operate));
    QVERIFY(start());
}

void KilledDesktopTest::cleanup()
{
    m_agent.reset();
    if (m_desktop)
        kill();
    m_simulator.reset();
}

/// What a person did in earlier days: connected the cluster, paired an agent.
bool KilledDesktopTest::setUp(Preset preset)
{
    m_folders = {.config = m_home->filePath(QStringLiteral("config")),
                 .data = m_home->filePath(QStringLiteral("data")),
                 .socket = m_home->filePath(QStringLiteral("run"))}; // as --data has them
    KeychainStore keyring(QStringLiteral("Labhelm"));
    Q_UNUSED(await(keyring.remove(QStringLiteral("audit/head")))); // of the test before
    const auto port = m_simulator->listen();
    const auto token = QStringLiteral("labhelm@pve!desktop");
    if (!port || !PrivateFile::makeFolder(m_folders.config))
        return false;
    const auto address = QStringLiteral("127.0.0.1:%1").arg(*port);
    Remote remote;
    remote.name = QStringLiteral("homelab");
    remote.addresses = QStringList{address};
    remote.user = token;
    remote.pins.insert(address, m_simulator->certificate().certificate.digest(QCryptographicHash::Sha256));
    RemoteList remotes(m_folders.config + QStringLiteral("/connections.json"));
    if (!remotes.load())
        return false;
    const auto added = remotes.add(remote);
    if (!added || !await(keyring.write(added->secretKey(), Secret(Homelab::tokenSecret(token).toUtf8()))))
        return false;
    PairedAgents agents(m_folders.agentList(), m_folders.agentKeys(), keyring);
    const auto paired = agents.load() ? await(agents.pair(QStringLiteral("Claude Code"))) : Error();
    if (!paired)
        return false;
    m_bridge = {QStringLiteral(LABHELM_BIN "/labhelm-mcp"),
                QStringLiteral("--agent"),
                paired->agent.id,
                QStringLiteral("--key"),
                paired->keyFile,
                QStringLiteral("--socket"),
                m_folders.mcpSocket()};
    Policy policy;
    policy.grant(paired->agent.id, preset);
    const auto key = Seal::newKey();
    return await(keyring.write(QStringLiteral("policy/seal"), key)) &&
           Grants(m_folders.config + QStringLiteral("/grants.json"), Seal(key)).save(policy);
}

bool KilledDesktopTest::start()
{
    const int polls = m_simulator->count(QStringLiteral("GET"), QStringLiteral("/cluster/resources"));
    m_desktop = std::make_unique<QProcess>();
    m_desktop->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_desktop->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_desktop->start(QStringLiteral(LABHELM_BIN "/labhelm"), {QStringLiteral("--data"), m_home->path()});
    if (!QTest::qWaitFor([this] { return QFile::exists(m_folders.mcpSocket()); }, 30'000))
        return false;
    const auto isPolled = [this, polls] {
        return m_simulator->count(QStringLiteral("GET"), QStringLiteral("/cluster/resources")) > polls;
    };
    const auto isIntroduced = [this] { // the socket of a killed program stays until the next one listens
        m_agent = std::make_unique<BridgeClient>(m_bridge);
        return m_agent->introduce();
    };
    return QTest::qWaitFor(isPolled, 30'000) && QTest::qWaitFor(isIntroduced, 30'000) &&
           QTest::qWaitFor([this] { return isFilled(); }, 30'000);
}

bool KilledDesktopTest::kill()
{
    m_desktop->kill();
    return QTest::qWaitFor([this] { return m_desktop->state() == QProcess::NotRunning; }, 10'000);
}

bool KilledDesktopTest::isFilled()
{
    return ask("guest_list", {})[QStringLiteral("guests")].toArray().size() > 30;
}

QJsonObject KilledDesktopTest::ask(const char *tool, const QJsonObject &arguments)
{
    const int id = m_agent->call(QLatin1String(tool), arguments);
    return m_agent->waitFor(id) ? m_agent->result(id) : QJsonObject();
}

QString KilledDesktopTest::stateOf(const char *operation)
{
    auto database = Database::open(m_folders.data + QStringLiteral("/audit/audit.sqlite"),
                                   QStringLiteral(":/migrations/audit"), Database::Access::Read);
    const auto sql = QStringLiteral("SELECT state FROM call WHERE operation = '%1' ORDER BY seq DESC LIMIT 1");
    return database ? (*database)->value(sql.arg(QLatin1String(operation))).valueOr({}).toString()
                    : database.error().message;
}

/// Lets the agent ask, and kills the desktop as soon as the cluster has heard the write.
bool KilledDesktopTest::killAtNextWrite(const char *tool, const QJsonObject &arguments)
{
    bool isHeard = false;
    const auto listening =
        connect(m_simulator.get(), &Simulator::heard, this, [this, &isHeard](const HeardRequest &request) {
            if (request.isWrite() && !std::exchange(isHeard, true))
                m_desktop->kill();
        });
    m_agent->call(QLatin1String(tool), arguments);
    const bool isDead = QTest::qWaitFor([this] { return m_desktop->state() == QProcess::NotRunning; }, 30'000);
    disconnect(listening);
    return isDead && isHeard;
}

void KilledDesktopTest::asksTheTaskHowItEnded_data()
{
    QTest::addColumn<bool>("isTaskNamed");
    QTest::addColumn<bool>("isInterrupted");
    QTest::addColumn<QString>("state");
    QTest::newRow("killed before the answer, the task went through") << false << false << "done";
    QTest::newRow("killed while the task ran, it went through") << true << false << "done";
    QTest::newRow("killed while the task ran, it was stopped") << true << true << "failed";
}

void KilledDesktopTest::asksTheTaskHowItEnded()
{
    QFETCH(bool, isTaskNamed);
    QFETCH(bool, isInterrupted);
    QFETCH(QString, state);
    const QJsonObject arguments{{QStringLiteral("guest"), 104}, {QStringLiteral("name"), QStringLiteral("before")}};
    if (isTaskNamed) {
        m_agent->call(QStringLiteral("snapshot_create"), arguments);
        const auto follows = [this] {
            const auto &heard = m_simulator->requests();
            return writes() == 1 && heard.last().path.contains(QLatin1String("/tasks/UPID"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(follows(), 30'000);
        QVERIFY(kill());
    } else {
        QVERIFY(killAtNextWrite("snapshot_create", arguments));
    }
    if (isInterrupted)
        m_simulator->world().interrupt(m_simulator->world().tasks().first()->upid);
    m_clock.advance(1h);
    QVERIFY(start());
    QTRY_COMPARE_WITH_TIMEOUT(stateOf("snapshot.create"), state, 30'000);
    QCOMPARE(writes(), 1);
}

void KilledDesktopTest::looksWhetherAChangeTookEffect_data()
{
    QTest::addColumn<Fault::Kind>("fault");
    QTest::addColumn<QString>("state");
    QTest::newRow("it had") << Fault::Kind::Hang << "done";
    QTest::newRow("it had not") << Fault::Kind::DropUnheard << "failed";
}

void KilledDesktopTest::looksWhetherAChangeTookEffect()
{
    QFETCH(Fault::Kind, fault);
    QFETCH(QString, state);
    Fault never;
    never.kind = fault;
    never.method = QStringLiteral("PUT");
    m_simulator->faults().add(never);
    QVERIFY(killAtNextWrite("guest_config_set", {{QStringLiteral("guest"), 107}, {QStringLiteral("memory"), 2048}}));
    QVERIFY(start());
    QTRY_COMPARE_WITH_TIMEOUT(stateOf("guest.config.set"), state, 30'000);
    QCOMPARE(writes(), 1);
}

void KilledDesktopTest::endsWhatAPersonHadNotAnswered()
{
    m_agent->call(QStringLiteral("guest_delete"), {{QStringLiteral("guest"), 120}});
    QTRY_COMPARE_WITH_TIMEOUT(stateOf("guest.delete"), QStringLiteral("waiting"), 30'000);
    QVERIFY(kill());
    QVERIFY(start());
    QTRY_COMPARE_WITH_TIMEOUT(stateOf("guest.delete"), QStringLiteral("cancelled"), 30'000);
    QCOMPARE(writes(), 0);
}

void KilledDesktopTest::hasEveryEntryThatWasAcknowledged()
{
    QStringList acknowledged;
    for (int memory = 1100; memory < 1108; ++memory) {
        const auto done = ask("guest_config_set", {{QStringLiteral("guest"), 107}, {QStringLiteral("memory"), memory}});
        QCOMPARE(done[QStringLiteral("state")].toString(), QStringLiteral("done"));
        acknowledged << done[QStringLiteral("entry")].toString();
    }
    QVERIFY(kill());
    QVERIFY(start());
    QStringList kept;
    for (const auto &entry : ask("audit_search", {{QStringLiteral("limit"), 200}})[QStringLiteral("entries")].toArray())
        kept << entry[QStringLiteral("entry")].toString();
    for (const auto &entry : acknowledged)
        QVERIFY2(kept.contains(entry), qPrintable(entry));
    const auto report = ask("audit_verify", {});
    QVERIFY2(report[QStringLiteral("whole")].toBool(), qPrintable(report[QStringLiteral("finding")].toString()));
}

LABHELM_TEST(KilledDesktopTest)
#include "KilledDesktopTest.moc"
