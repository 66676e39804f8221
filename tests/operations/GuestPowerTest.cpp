#include "support/ClusterStage.h"
#include "support/TestMain.h"
#include <QTimer>

/// Start, shut down and stop, for virtual machines and containers alike.
class GuestPowerTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void startsAStoppedGuestAndUndoesIt_data()
    {
        QTest::addColumn<int>("vmid");
        QTest::newRow("virtual machine") << 120;
        QTest::newRow("container") << 107;
    }
    void startsAStoppedGuestAndUndoesIt()
    {
        QFETCH(int, vmid);
        const auto started = m_stage->run("guest.start", {{"guest", vmid}});
        OUTCOME_IS_GOOD(started);
        QVERIFY(!started.outcome->upid.isEmpty());
        QVERIFY(m_stage->guest(vmid).isRunning());
        const auto undone = m_stage->undo(started);
        OUTCOME_IS_GOOD(undone);
        QVERIFY(!m_stage->guest(vmid).isRunning());
    }
    void shutsDownAndStopsAndUndoesBoth_data()
    {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<int>("vmid");
        for (const auto *operation : {"guest.shutdown", "guest.stop"}) {
            QTest::addRow("%s of a virtual machine", operation) << operation << 208;
            QTest::addRow("%s of a container", operation) << operation << 104;
        }
    }
    void shutsDownAndStopsAndUndoesBoth()
    {
        QFETCH(QString, operation);
        QFETCH(int, vmid);
        const auto stopped = m_stage->run(qPrintable(operation), {{"guest", vmid}});
        OUTCOME_IS_GOOD(stopped);
        QVERIFY(!m_stage->guest(vmid).isRunning());
        QCOMPARE(m_stage->approver.asked.size(), size_t(1)); // also the person is asked back before an interruption
        OUTCOME_IS_GOOD(m_stage->undo(stopped));
        QVERIFY(m_stage->guest(vmid).isRunning());
    }
    void waitsForTheHaManagerToDoWhatItWasAsked()
    {
        QVERIFY(m_stage->cluster.world().haOf(m_stage->guest(201)));
        QTimer time; // the manager works in rounds; the cluster's clock goes on while the call waits
        connect(&time, &QTimer::timeout, this, [this] { m_stage->cluster.pass(std::chrono::seconds(5)); });
        time.start(200);
        const auto stopped = m_stage->run("guest.shutdown", {{"guest", "postgres"}});
        OUTCOME_IS_GOOD(stopped);
        QVERIFY(stopped.outcome->warnings.isEmpty());
        QVERIFY(!m_stage->guest(201).isRunning());
    }
    void refusesWhatIsSoAlready()
    {
        REFUSED_WITH(m_stage->run("guest.start", {{"guest", 104}}), Error::Kind::Conflict, "jellyfin 104 is running");
        REFUSED_WITH(m_stage->run("guest.stop", {{"guest", 107}}), Error::Kind::Conflict, "radarr 107 is stopped");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    void refusesTemplatesAndLockedGuests()
    {
        REFUSED_WITH(m_stage->run("guest.start", {{"guest", 9000}}), Error::Kind::Conflict, "template");
        REFUSED_WITH(m_stage->run("guest.stop", {{"guest", 112}}), Error::Kind::Conflict, "backup");
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    void tellsTheTasksOwnErrorWhenAGuestDoesNotShutDown()
    {
        m_stage->guest(115).ignoresShutdown = true;
        const auto result = m_stage->run("guest.shutdown", {{"guest", "stubborn"}, {"timeout", 1}});
        QCOMPARE(result.outcome.error().code(), QStringLiteral("task_failed"));
        QVERIFY(!result.outcome.error().message.isEmpty());
        QVERIFY(m_stage->guest(115).isRunning());
        QVERIFY(!await(m_stage->query.detail(result.callId))->row.hasInverse);
    }
    void saysWhichNodeCannotBeReached()
    {
        const auto result = m_stage->run("guest.stop", {{"guest", 301}});
        QVERIFY(!result.outcome);
        QVERIFY(m_stage->cluster.simulator.writes().isEmpty());
    }
    void sendsOneWriteOnly()
    {
        OUTCOME_IS_GOOD(m_stage->run("guest.start", {{"guest", "win11-test"}}));
        QCOMPARE(m_stage->cluster.simulator.writes().size(), 1);
    }
};

LABHELM_TEST(GuestPowerTest)
#include "GuestPowerTest.moc"
