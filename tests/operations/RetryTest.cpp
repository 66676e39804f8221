#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// A failed call is run again with a plan of its own, by whom it belongs to, and never twice at once.
class RetryTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    CallResult retry(const QString &entry, const Actor &actor = Actor::person())
    {
        const bool isWritten = waitUntil([&] { // a refusal is written while nobody waits for it
            const auto row = await(m_stage->query.detail(entry));
            return entry == QLatin1String("nothing") ||
                   (row && row->row.state != CallState::Running && row->row.state != CallState::Waiting);
        });
        if (!isWritten)
            qFatal("no row for %s", qPrintable(entry));
        return m_stage->run("operation.retry", {{"entry", entry}}, actor);
    }
    /// A start that is refused while a lock holds.
    CallResult refusedStart(const Actor &actor = Actor::person())
    {
        m_stage->cluster.world().setConfig(107, QStringLiteral("lock"), QStringLiteral("backup"));
        const auto refused = m_stage->run("guest.start", {{"guest", 107}}, actor);
        m_stage->cluster.world().setConfig(107, QStringLiteral("lock"), {});
        return refused;
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void runsAFailedCallAgain()
    {
        const auto refused = refusedStart();
        QVERIFY(!refused.outcome);
        const auto again = retry(refused.callId);
        OUTCOME_IS_GOOD(again);
        QVERIFY(m_stage->guest(107).isRunning());
        const auto row = await(m_stage->query.detail(again.callId));
        QVERIFY(row);
        QCOMPARE(row->row.operation, QStringLiteral("guest.start"));
        OUTCOME_IS_GOOD(m_stage->undo(again));
        QVERIFY(!m_stage->guest(107).isRunning());
    }
    // P-22: only what has failed for certain, and once it went well not again.
    void runsNothingAgainThatMayHaveTakenEffect_P22()
    {
        const auto done = m_stage->run("guest.start", {{"guest", 107}});
        OUTCOME_IS_GOOD(done);
        REFUSED_WITH(retry(done.callId), Error::Kind::Conflict, "Only what has failed");
        m_stage->cluster.world().stop(m_stage->guest(107));
        const auto refused = refusedStart();
        OUTCOME_IS_GOOD(retry(refused.callId));
        m_stage->cluster.world().stop(m_stage->guest(107));
        REFUSED_WITH(retry(refused.callId), Error::Kind::Conflict, "run again already");
        QVERIFY(!m_stage->guest(107).isRunning());
        REFUSED_WITH(retry(QStringLiteral("nothing")), Error::Kind::NotFound, "");
    }
    // P-22: of two at once one runs.
    void runsOneOfTwoAtOnce_P22()
    {
        const auto refused = refusedStart();
        QTRY_VERIFY(await(m_stage->query.detail(refused.callId)));
        m_stage->cluster.simulator.forgetRequests();
        std::vector<CallResult> ended;
        for (int i = 0; i < 2; ++i) {
            Call call;
            call.operation = QStringLiteral("operation.retry");
            call.arguments = QByteArray("{\"entry\": \"" + refused.callId.toLatin1() + "\"}");
            m_stage->executor.start(std::move(call), [&ended](const CallResult &result) { ended.push_back(result); });
        }
        QTRY_COMPARE(ended.size(), size_t(2));
        QCOMPARE(int(bool(ended[0].outcome)) + int(bool(ended[1].outcome)), 1);
        QCOMPARE(m_stage->cluster.simulator.writes().size(), 1);
    }
    // P-24, B-30: a retry is judged as the call that it runs, for who asks now.
    void isJudgedAsTheCallInside_P24()
    {
        const auto asker = ClusterStage::agent(QStringLiteral("asker"));
        const auto refused = refusedStart(asker);
        REFUSED_WITH(retry(refused.callId, ClusterStage::agent(QStringLiteral("operator"))), Error::Kind::Denied,
                     "somebody else");
        const auto before = m_stage->approver.asked.size();
        OUTCOME_IS_GOOD(retry(refused.callId, asker));
        QCOMPARE(m_stage->approver.asked.size(), before + 1);
        QCOMPARE(m_stage->approver.asked.back().operation->id, QStringLiteral("guest.start"));
    }
    void doesNotRetryAnUndoOrARetry()
    {
        const auto done = m_stage->run("guest.start", {{"guest", 107}});
        m_stage->cluster.world().setConfig(107, QStringLiteral("lock"), QStringLiteral("backup"));
        const auto undo = m_stage->undo(done);
        QVERIFY(!undo.outcome);
        REFUSED_WITH(retry(undo.callId), Error::Kind::Conflict, "undo");
        const auto nothing = retry(QStringLiteral("nothing"));
        REFUSED_WITH(retry(nothing.callId), Error::Kind::Conflict, "retry");
    }
};

LABHELM_TEST(RetryTest)
#include "RetryTest.moc"
