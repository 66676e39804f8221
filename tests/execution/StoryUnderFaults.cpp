#include "support/ClusterStage.h"
#include "support/CuttingRelay.h"
#include "support/TestMain.h"
#include <QFileInfo>
#include <map>

using namespace std::chrono_literals;

/// A person signs in, looks, changes a configuration, takes a snapshot and looks again, while the n-th operation of the
/// network fails, for every n until the story passes untouched. R03, R11: each write arrives at most once, and what is
/// said of it in the end is what is true.
class StoryUnderFaults : public QObject
{
    Q_OBJECT
    using How = CuttingRelay::How;
    static constexpr qint64 vmid = 104;

    std::unique_ptr<ClusterStage> m_stage;
    std::unique_ptr<CuttingRelay> m_relay;
    std::map<QString, int> m_ends; ///< how often a call ended in which way
    std::vector<int> m_writes;     ///< at which operations of the untouched story a change arrived

    QString memory() { return m_stage->guest(vmid).config[QStringLiteral("memory")]; }
    CallState stateOf(const CallResult &result) { return await(m_stage->query.detail(result.callId))->row.state; }

    /// A new connection through the relay, signed in with the password.
    void connectAnew()
    {
        auto &cluster = m_stage->cluster;
        cluster.poller.reset();
        cluster.poller = std::make_unique<Poller>(cluster.connections.open(cluster.remote), cluster.inventory,
                                                  cluster.clock, TestClusterOptions().pace);
    }
    /// Reads may be asked again; two failures in a row would be two cuts.
    bool isListed()
    {
        const bool first = m_stage->cluster.refresh();
        return (first || m_stage->cluster.refresh()) &&
               m_stage->cluster.state()->reach == InventorySnapshot::Reach::Live;
    }
    /// How often this change has arrived.
    int arrived(const QString &method, const QString &path) { return m_stage->cluster.simulator.count(method, path); }
    /// Finds out about what nobody knew at first, as at the next start.
    void recover()
    {
        Recovery recovery(m_stage->log, m_stage->query, m_stage->executor);
        QVERIFY(await(recovery.run()));
    }
    /// Close to a change every way is tried on every operation, elsewhere each on one of nine, or with the long run on
    /// all.
    bool isTried(int n, int how) const
    {
        const bool isClose =
            std::any_of(m_writes.begin(), m_writes.end(), [n](int at) { return std::abs(n - at) <= 1; });
        return isClose || n % 9 == 3 * how || qEnvironmentVariableIsSet("LABHELM_LONG");
    }
    static bool isDone(CallState state) { return state == CallState::Done || state == CallState::Warnings; }
    static bool isNotDone(CallState state) { return state == CallState::Failed || state == CallState::Refused; }

    void judge(const char *what, const CallResult &result, bool isTrue)
    {
        const auto inTheEnd = stateOf(result);
        ++m_ends[QStringLiteral("%1 %2").arg(
            QLatin1String(what), result.state == inTheEnd ? callStateName(inTheEnd)
                                                          : callStateName(result.state) + QLatin1String(" then ") +
                                                                callStateName(inTheEnd))];
        QVERIFY2(isDone(inTheEnd) || isNotDone(inTheEnd), qPrintable(callStateName(inTheEnd)));
        QCOMPARE(isDone(inTheEnd), isTrue);
        if (result.state != CallState::Unknown)
            QCOMPARE(isDone(result.state), isTrue);
    }

    void tell(int n, How how)
    {
        const auto name = QStringLiteral("n%1-%2").arg(n).arg(int(how));
        const qint64 wanted = memory() == QLatin1String("4096") ? 6144 : 4096;
        auto &cluster = m_stage->cluster;
        cluster.pass(15min); // so that the tasks of this story stand alone
        cluster.simulator.forgetRequests();
        m_relay->cutAt(n, how);

        connectAnew();
        QVERIFY(isListed());
        const auto listed = m_stage->run("guest.list", {});
        const auto changed = m_stage->run("guest.config.set", {{"guest", vmid}, {"memory", wanted}});
        const auto taken = m_stage->run("snapshot.create", {{"guest", vmid}, {"name", name}});
        const auto shown = m_stage->run("guest.get", {{"guest", vmid}});

        QVERIFY(arrived(QStringLiteral("PUT"), QStringLiteral("/nodes/pve1/lxc/104/config")) <= 1);
        QVERIFY(arrived(QStringLiteral("POST"), QStringLiteral("/nodes/pve1/lxc/104/snapshot")) <= 1);
        if (shown.outcome)
            QCOMPARE(shown.outcome->answer[QStringLiteral("config")][QStringLiteral("memory")].toVariant().toString(),
                     memory());
        if (listed.outcome)
            QCOMPARE(listed.outcome->answer[QStringLiteral("found")].toInteger(), cluster.world().guests().size());
        recover();
        judge("change", changed, memory() == QString::number(wanted));
        judge("snapshot", taken, m_stage->guest(vmid).snapshot(name) != nullptr);
        QVERIFY(cluster.simulator.writes().size() <= 2);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (QFileInfo(QStringLiteral("/dev/shm")).isWritable())
            qputenv("TMPDIR", "/dev/shm"); // what is written durably is no matter here, and its time is
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
        auto &cluster = m_stage->cluster;
        m_relay = std::make_unique<CuttingRelay>(quint16(cluster.simulator.url().port()));
        auto &remote = cluster.remote;
        const auto pin = *remote.pins.begin();
        remote.addresses = QStringList{m_relay->address()};
        remote.pins = {{m_relay->address(), pin}};
        remote.signIn = Remote::SignIn::Password;
        remote.user = QStringLiteral("root@pam");
        Q_UNUSED(cluster.secrets.write(remote.secretKey(), Secret(Homelab::rootPassword.toUtf8())))
    }
    void passesUntouched()
    {
        const auto listening =
            connect(&m_stage->cluster.simulator, &Simulator::heard, this, [this](const HeardRequest &heard) {
                if (heard.isWrite() && heard.path.startsWith(QLatin1String("/nodes/")))
                    m_writes.push_back(m_relay->operations());
            });
        tell(0, How::Lost);
        disconnect(listening);
        QCOMPARE(m_writes.size(), size_t(2));
        QCOMPARE(m_ends[QStringLiteral("change done")] + m_ends[QStringLiteral("snapshot done")], 2);
    }
    void cleanupTestCase()
    {
        m_stage.reset();
        m_relay.reset();
    }

    void tellsTheTruthWhateverIsCut_data()
    {
        QTest::addColumn<int>("how");
        QTest::newRow("lost") << int(How::Lost);
        QTest::newRow("half") << int(How::Half);
        QTest::newRow("delivered, then cut") << int(How::Delivered);
    }
    void tellsTheTruthWhateverIsCut()
    {
        QFETCH(int, how);
        m_ends.clear();
        int stories = 0, whole = 0;
        for (int n = 1; n <= whole || whole == 0; ++n) {
            if (!isTried(n, how))
                continue;
            tell(n, How(how));
            if (QTest::currentTestFailed()) {
                qWarning("failed at operation %d", n);
                return;
            }
            if (m_relay->hasCut())
                ++stories;
            else
                whole = m_relay->operations();
        }
        qInfo("%d stories cut, the whole one has %d operations", stories, whole);
        for (const auto &[end, count] : m_ends)
            qInfo("  %s: %d", qPrintable(end), count);
        QVERIFY(stories > 12);
        QVERIFY(m_ends.contains(QStringLiteral("change done")));
        QVERIFY(m_ends.contains(QStringLiteral("snapshot done")));
    }
};

LABHELM_TEST(StoryUnderFaults)
#include "StoryUnderFaults.moc"
