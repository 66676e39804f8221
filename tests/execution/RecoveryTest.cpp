#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// What was sent and never got an outcome is settled by asking, or left unknown and said so.
class RecoveryTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    int recover()
    {
        Recovery recovery(m_stage->log, m_stage->query, m_stage->executor);
        const auto settled = await(recovery.run());
        return settled ? *settled : -1;
    }
    void append(const QString &callId, AuditEvent::Kind kind, QJsonObject body)
    {
        AuditEvent event;
        event.callId = callId;
        event.kind = kind;
        event.body = std::move(body);
        QVERIFY(await(m_stage->log.append(std::move(event))));
    }
    CallRow row(const QString &callId) { return await(m_stage->query.detail(callId))->row; }
    /// Runs a change whose answer is cut off, so that nobody knows whether it took effect.
    CallResult cutOff(const char *operation, const QJsonObject &arguments, const char *method, Fault::Kind kind)
    {
        Fault fault;
        fault.kind = kind;
        fault.method = QLatin1String(method);
        m_stage->cluster.simulator.faults().add(fault);
        return m_stage->run(operation, arguments);
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void settlesByTheTasksEndWhatAnEarlierRunHadSent_data()
    {
        QTest::addColumn<bool>("isInterrupted");
        QTest::addColumn<QString>("state");
        QTest::newRow("the task went through") << false << "done";
        QTest::newRow("the task failed") << true << "failed";
    }
    void settlesByTheTasksEndWhatAnEarlierRunHadSent()
    {
        QFETCH(bool, isInterrupted);
        QFETCH(QString, state);
        m_stage->cluster.world().taskPace = 100;
        QString id;
        {
            Executor earlier({m_stage->catalogue, m_stage->services, m_stage->policy, m_stage->limits, m_stage->log,
                              m_stage->approver, m_stage->cluster.clock});
            Call call;
            call.operation = QStringLiteral("guest.start");
            call.arguments = R"({"guest":214})";
            id = earlier.start(std::move(call));
            QTRY_VERIFY(!earlier.live().front().upid.isEmpty());
        } // the application ends while the task runs
        QCOMPARE(row(id).state, CallState::Running);
        QCOMPARE(recover(), 0); // it still runs
        if (isInterrupted)
            m_stage->cluster.world().interrupt(row(id).upid);
        m_stage->cluster.pass(std::chrono::hours(1));
        QCOMPARE(recover(), 1);
        QCOMPARE(callStateName(row(id).state), state);
        QCOMPARE(recover(), 0);
    }
    void settlesByTheTaskListWhatWasCutBeforeTheTaskWasNamed()
    {
        const auto cut = cutOff("guest.start", {{"guest", 214}}, "POST", Fault::Kind::CutBefore);
        QCOMPARE(cut.state, CallState::Unknown);
        QCOMPARE(m_stage->cluster.simulator.writes().size(), 1);
        QCOMPARE(recover(), 1);
        QCOMPARE(row(cut.callId).state, CallState::Done);
        QVERIFY(!row(cut.callId).upid.isEmpty());
    }
    void settlesByLookingWhatWasDone()
    {
        const auto cut = cutOff("guest.config.set", {{"guest", 107}, {"memory", 2048}}, "PUT", Fault::Kind::CutBefore);
        QCOMPARE(cut.state, CallState::Unknown);
        QCOMPARE(recover(), 1);
        QCOMPARE(row(cut.callId).state, CallState::Done);
    }
    void settlesByLookingWhatNeverArrived()
    {
        const auto cut =
            cutOff("guest.config.set", {{"guest", 107}, {"memory", 2048}}, "PUT", Fault::Kind::DropUnheard);
        QCOMPARE(cut.state, CallState::Unknown);
        QCOMPARE(recover(), 1);
        QCOMPARE(row(cut.callId).state, CallState::Failed);
        QCOMPARE(m_stage->guest(107).config[QStringLiteral("memory")], QStringLiteral("1024"));
    }
    void leavesUnknownWhatSomebodyElseChangedMeanwhile()
    {
        const auto cut =
            cutOff("guest.config.set", {{"guest", 107}, {"memory", 2048}}, "PUT", Fault::Kind::DropUnheard);
        m_stage->cluster.world().setConfig(107, QStringLiteral("memory"), QStringLiteral("3000"));
        QCOMPARE(recover(), 1);
        QCOMPARE(row(cut.callId).state, CallState::Unknown);
        const auto how = await(m_stage->query.detail(cut.callId))->merged[QStringLiteral("how")].toString();
        QVERIFY2(how.contains(QLatin1String("could not find out")), qPrintable(how));
    }
    void waitsForTheNextRunWhileTheServerIsAway()
    {
        const auto cut = cutOff("guest.config.set", {{"guest", 107}, {"memory", 2048}}, "PUT", Fault::Kind::CutBefore);
        m_stage->cluster.simulator.close();
        QCOMPARE(recover(), 0);
        QCOMPARE(row(cut.callId).state, CallState::Unknown);
    }
    void endsWhatNobodyHadAnsweredYet()
    {
        append(QStringLiteral("waiting"), AuditEvent::Kind::Asked, {{"operation", "guest.stop"}});
        append(QStringLiteral("allowed"), AuditEvent::Kind::Asked, {{"operation", "guest.stop"}});
        append(QStringLiteral("allowed"), AuditEvent::Kind::Answered, {{"allowed", true}});
        QCOMPARE(recover(), 2);
        QCOMPARE(row(QStringLiteral("waiting")).state, CallState::Cancelled);
        QCOMPARE(row(QStringLiteral("allowed")).state, CallState::Cancelled);
        QCOMPARE(recover(), 0);
        QCOMPARE(m_stage->cluster.simulator.writes().size(), 0);
    }
    void waitsForTheClusterThatItWasSentTo()
    {
        append(QStringLiteral("elsewhere"), AuditEvent::Kind::Intent,
               {{"operation", "guest.start"}, {"remote", "office-1"}, {"target", "office-1:214"}});
        QCOMPARE(recover(), 0);
        QCOMPARE(row(QStringLiteral("elsewhere")).state, CallState::Running);
    }
    void leavesAloneWhatWaitsForAPersonNow()
    {
        Call call;
        call.operation = QStringLiteral("guest.stop");
        call.arguments = R"({"guest":104})";
        call.actor = ClusterStage::agent(QStringLiteral("asker"));
        const auto id = m_stage->executor.start(std::move(call));
        QTRY_VERIFY(m_stage->approver.isAsking());
        QCOMPARE(recover(), 0);
        QCOMPARE(row(id).state, CallState::Waiting);
        m_stage->executor.cancel(id);
    }
    void givesBackTheClaimOfAnUndoThatEndedInTheMiddle_data()
    {
        QTest::addColumn<QString>("state");
        QTest::newRow("it had worked") << "done";
        QTest::newRow("it had failed") << "failed";
        QTest::newRow("it had not begun") << "";
    }
    void givesBackTheClaimOfAnUndoThatEndedInTheMiddle()
    {
        QFETCH(QString, state);
        const auto change = m_stage->run("guest.config.set", {{"guest", 107}, {"cores", 3}});
        append(change.callId, AuditEvent::Kind::UndoClaimed, {{"by", "undo"}});
        if (!state.isEmpty()) {
            append(QStringLiteral("undo"), AuditEvent::Kind::Intent, {{"operation", "guest.config.set"}});
            append(QStringLiteral("undo"), AuditEvent::Kind::Outcome, {{"state", state}});
        }
        QCOMPARE(row(change.callId).claimedBy, QStringLiteral("undo"));
        QCOMPARE(recover(), 0);
        QCOMPARE(row(change.callId).claimedBy, QString());
        QCOMPARE(row(change.callId).undoneBy, state == QLatin1String("done") ? QStringLiteral("undo") : QString());
    }
    void sendsOneWriteOnlyHoweverTheConnectionBreaks_data()
    {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QJsonObject>("arguments");
        QTest::addColumn<QString>("method");
        QTest::addColumn<int>("kind");
        struct Case {
            const char *operation;
            QJsonObject arguments;
            const char *method;
        };
        const std::array cases{Case{"guest.start", {{"guest", 120}}, "POST"},
                               Case{"guest.config.set", {{"guest", 107}, {"cores", 3}}, "PUT"},
                               Case{"guest.delete", {{"guest", 120}}, "DELETE"}};
        const std::array kinds{std::pair{"unheard", Fault::Kind::DropUnheard},
                               std::pair{"before the answer", Fault::Kind::CutBefore},
                               std::pair{"during the answer", Fault::Kind::CutDuring},
                               std::pair{"after the answer", Fault::Kind::CutAfter}};
        for (const auto &one : cases)
            for (const auto &[name, kind] : kinds)
                QTest::addRow("%s cut %s", one.method, name)
                    << one.operation << one.arguments << one.method << int(kind);
    }
    void sendsOneWriteOnlyHoweverTheConnectionBreaks()
    {
        QFETCH(QString, operation);
        QFETCH(QJsonObject, arguments);
        QFETCH(QString, method);
        QFETCH(int, kind);
        const auto fault = static_cast<Fault::Kind>(kind);
        const auto result = cutOff(qPrintable(operation), arguments, qPrintable(method), fault);
        QCOMPARE(m_stage->cluster.simulator.writes().size(), 1);
        if (fault == Fault::Kind::CutAfter)
            OUTCOME_IS_GOOD(result);
        else
            QCOMPARE(result.state, CallState::Unknown);
        recover();
        QCOMPARE(m_stage->cluster.simulator.writes().size(), 1);
    }
};

LABHELM_TEST(RecoveryTest)
#include "RecoveryTest.moc"
