#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Several changes as one: shown and allowed together, run in order, stopped at the first failure, undone as one.
class PlanRunTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;
    std::optional<CallResult> m_ended;

    static QJsonObject step(const char *operation, const QJsonObject &arguments)
    {
        return {{QStringLiteral("operation"), QLatin1String(operation)}, {QStringLiteral("arguments"), arguments}};
    }
    static QJsonObject steps(const QJsonArray &all) { return {{QStringLiteral("steps"), all}}; }
    static QJsonArray memoryAndNotes()
    {
        return {step("guest.config.set", {{"guest", "jellyfin"}, {"memory", 6144}}),
                step("guest.notes.set", {{"guest", "jellyfin"}, {"notes", "More memory"}}),
                step("guest.config.set", {{"guest", 107}, {"cores", 3}})};
    }
    /// Starts a plan of an agent that asks and waits for the question.
    bool ask(const QJsonArray &all)
    {
        m_stage->saysYes = false;
        m_ended.reset();
        Call call;
        call.operation = QStringLiteral("plan.run");
        call.arguments = QJsonDocument(steps(all)).toJson(QJsonDocument::Compact);
        call.actor = ClusterStage::agent(QStringLiteral("asker"));
        call.reason = QStringLiteral("It swaps");
        m_stage->executor.start(std::move(call), [this](const CallResult &result) { m_ended = result; });
        return QTest::qWaitFor([this] { return m_stage->approver.isAsking() || m_ended; }, 20000) && !m_ended;
    }
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return m_ended.has_value(); }, 20000);
    }
    qsizetype writes() const { return m_stage->cluster.simulator.writes().size(); }
    QString config(qint64 vmid, const char *key) { return m_stage->guest(vmid).config[QLatin1String(key)]; }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void asksOnceForAllStepsAndRunsThemInOrder()
    {
        QVERIFY(ask(memoryAndNotes()));
        const auto request = m_stage->approver.asked.front();
        QCOMPARE(request.plan->steps.size(), size_t(3));
        QCOMPARE(request.plan->requests.size(), size_t(3));
        QCOMPARE(request.effect, Effect::Changes);
        QVERIFY(request.plan->undo == Undo::Exact);
        QCOMPARE(request.target.label, QStringLiteral("jellyfin 104, radarr 107"));
        QCOMPARE(writes(), 0);
        m_stage->approver.allow();
        QVERIFY(waitForEnd());
        OUTCOME_IS_GOOD(*m_ended);
        QCOMPARE(m_stage->approver.asked.size(), size_t(1));
        QCOMPARE(config(104, "memory"), QStringLiteral("6144"));
        QCOMPARE(config(107, "cores"), QStringLiteral("3"));
        QCOMPARE(writes(), 3);
        const auto entries = m_ended->outcome->answer[QLatin1String("entries")].toArray();
        QCOMPARE(entries.size(), 3);
        for (const auto &entry : entries) {
            const auto row = await(m_stage->query.detail(entry.toString()));
            QVERIFY(row);
            QCOMPARE(row->merged[QStringLiteral("partOf")].toString(), m_ended->callId);
        }
    }
    void undoesAllOfItAsOne()
    {
        const auto before = m_stage->guest(104).config;
        const auto other = m_stage->guest(107).config;
        const auto done = m_stage->run("plan.run", steps(memoryAndNotes()));
        OUTCOME_IS_GOOD(done);
        QVERIFY(m_stage->guest(104).config != before);
        const auto undone = m_stage->undo(done);
        OUTCOME_IS_GOOD(undone);
        QVERIFY(m_stage->guest(104).config == before);
        QVERIFY(m_stage->guest(107).config == other);
        const auto again = m_stage->undo(done);
        REFUSED_WITH(again, Error::Kind::Conflict, "undone already");
    }
    void stopsAtTheFirstFailureAndUndoesWhatWasDone()
    {
        const auto before = m_stage->guest(104).config;
        Fault refusal;
        refusal.kind = Fault::Kind::Answer;
        refusal.always = true;
        refusal.path = QStringLiteral("/nodes/*/lxc/107/config");
        refusal.method = QStringLiteral("PUT");
        m_stage->cluster.simulator.faults().add(refusal);
        auto all = memoryAndNotes();
        all.append(step("guest.config.set", {{"guest", 107}, {"memory", 512}}));
        const auto result = m_stage->run("plan.run", steps(all));
        QCOMPARE(result.state, CallState::Failed);
        QVERIFY2(result.outcome.error().message.contains(QLatin1String("Step 3")),
                 qPrintable(result.outcome.error().message));
        QCOMPARE(m_stage->cluster.simulator.count(QStringLiteral("PUT"), QStringLiteral("/nodes/*/lxc/107/config")), 1);
        QVERIFY(m_stage->guest(104).config != before);
        const auto undone = m_stage->undo(result);
        OUTCOME_IS_GOOD(undone);
        QVERIFY(m_stage->guest(104).config == before);
    }
    void runsOnlyTheStepsThatWereAllowed()
    {
        QVERIFY(ask(memoryAndNotes()));
        m_stage->approver.answer({true, m_stage->approver.asked.front().plan->hash, {}, {0, 2}});
        QVERIFY(waitForEnd());
        OUTCOME_IS_GOOD(*m_ended);
        QCOMPARE(writes(), 1);
        QVERIFY(config(104, "description").contains(QLatin1String("More memory")));
        QVERIFY(config(104, "memory") != QLatin1String("6144"));
    }
    void sendsNothingWhenItIsDenied()
    {
        QVERIFY(ask(memoryAndNotes()));
        m_stage->approver.deny(QStringLiteral("not now"));
        QVERIFY(waitForEnd());
        QCOMPARE(m_ended->state, CallState::Denied);
        QCOMPARE(writes(), 0);
    }
    void isVoidWhenAStepsObjectChangedMeanwhile()
    {
        QVERIFY(ask(memoryAndNotes()));
        m_stage->guest(107).config[QStringLiteral("cores")] = QStringLiteral("8");
        m_stage->approver.allow();
        QVERIFY(waitForEnd());
        REFUSED_WITH(*m_ended, Error::Kind::Conflict, "changed after this was allowed");
        QCOMPARE(writes(), 0);
    }
    /// The snapshot is there only when the first step has run, so what destroys it is asked about when its turn comes.
    void asksAgainForWhatCouldNotBeShown()
    {
        QVERIFY(ask({step("snapshot.create", {{"guest", 104}, {"name", "before"}}),
                     step("snapshot.delete", {{"guest", 104}, {"name", "before"}})}));
        const auto request = m_stage->approver.asked.front();
        QVERIFY(request.plan->steps[1].later);
        QCOMPARE(request.effect, Effect::Destroys); // hidden in the plan, and yet it has to be typed
        m_stage->approver.allow();
        QTRY_VERIFY_WITH_TIMEOUT(m_stage->approver.isAsking() || m_ended, 20000);
        QVERIFY(!m_ended);
        QCOMPARE(m_stage->approver.asked.back().operation->id, QStringLiteral("snapshot.delete"));
        m_stage->approver.deny();
        QVERIFY(waitForEnd());
        QCOMPARE(m_stage->cluster.simulator.count(QStringLiteral("DELETE"), QStringLiteral("*snapshot*")), 0);
    }
    void keepsTheRulesForEveryStep_data()
    {
        QTest::addColumn<QString>("actor");
        QTest::addColumn<QJsonObject>("second");
        QTest::addColumn<QString>("words");
        QTest::newRow("one who only looks")
            << "reader" << step("guest.notes.set", {{"guest", 107}, {"notes", "x"}}) << "reading only";
        QTest::newRow("a plan in a plan")
            << "asker" << step("plan.run", steps({step("guest.start", {{"guest", 107}})})) << "another plan";
        QTest::newRow("a read") << "asker" << step("guest.list", {}) << "only reads";
        QTest::newRow("no such operation") << "asker" << step("guest.explode", {}) << "no operation";
        QTest::newRow("bad arguments") << "asker" << step("guest.start", {{"guset", 107}}) << "guest";
    }
    void keepsTheRulesForEveryStep()
    {
        QFETCH(QString, actor);
        QFETCH(QJsonObject, second);
        QFETCH(QString, words);
        const auto result =
            m_stage->run("plan.run", steps({step("guest.notes.set", {{"guest", 104}, {"notes", "x"}}), second}),
                         ClusterStage::agent(actor));
        QVERIFY(!result.outcome);
        QVERIFY2(result.outcome.error().message.contains(words, Qt::CaseInsensitive),
                 qPrintable(result.outcome.error().message));
        QVERIFY(m_stage->approver.asked.empty());
        QCOMPARE(writes(), 0);
    }
    /// An agent that works without dialogs gets none for green steps, and one for each step that destroys.
    void judgesEachStepOfAnOperator()
    {
        const auto operatorId = ClusterStage::agent(QStringLiteral("operator"));
        OUTCOME_IS_GOOD(m_stage->run("plan.run", steps(memoryAndNotes()), operatorId));
        QVERIFY(m_stage->approver.asked.empty());
        m_stage->saysYes = true;
        OUTCOME_IS_GOOD(m_stage->run("plan.run",
                                     steps({step("guest.notes.set", {{"guest", 104}, {"notes", "again"}}),
                                            step("guest.delete", {{"guest", 214}})}),
                                     operatorId));
        QCOMPARE(m_stage->approver.asked.size(), size_t(1));
        QCOMPARE(m_stage->approver.asked.front().effect, Effect::Destroys);
    }
};

LABHELM_TEST(PlanRunTest)
#include "PlanRunTest.moc"
