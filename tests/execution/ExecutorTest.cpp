#include "operations/TypedOperation.h"
#include "support/ExecutionStage.h"
#include "support/TestMain.h"
#include <QJsonArray>

namespace
{
/// The thing that the test's operations read and change.
struct Dial {
    qint64 value = 1;
    int reads = 0, turns = 0;
    std::optional<Promise<void>> hold; ///< while set, a turn waits for it
    bool holding = false;
    Result<> answer;
};
Dial *dial = nullptr;

struct Look {
    GuestRef guest;
};
QCoro::Task<Result<QJsonValue>> look(Look, OperationContext)
{
    ++dial->reads;
    co_return QJsonValue(QJsonObject{{QStringLiteral("value"), dial->value}});
}

struct Turn {
    GuestRef guest;
    qint64 to = 0;
    bool hard = false;
};
QCoro::Task<Result<Plan>> planTurn(Turn args, OperationContext)
{
    Plan plan;
    plan.intent = QStringLiteral("Turn the dial to %1").arg(args.to);
    plan.done = QStringLiteral("Turned the dial to %1").arg(args.to);
    plan.before = {{QStringLiteral("value"), dial->value}};
    plan.changes.push_back({QStringLiteral("value"), dial->value, args.to});
    plan.requests.push_back(
        {Method::Put, {QStringLiteral("dial")}, {{QStringLiteral("to"), QString::number(args.to)}}});
    if (args.hard)
        plan.raised = Effect::Destroys;
    plan.undo = Undo::Exact;
    plan.undoText = QStringLiteral("Turns it back.");
    co_return plan;
}
QCoro::Task<Result<Outcome>> turn(Turn args, OperationContext context)
{
    ++dial->turns;
    if (dial->holding) {
        dial->hold.emplace();
        auto held = co_await dial->hold->future().until(context.stop);
        if (!held)
            co_return held.error();
    }
    if (!dial->answer)
        co_return dial->answer.error();
    dial->value = args.to;
    co_return Outcome{};
}
std::optional<Call> turnBack(const Turn &args, const Plan &plan)
{
    Call call;
    call.operation = QStringLiteral("dial.turn");
    call.arguments =
        arguments({{QStringLiteral("guest"), args.guest.key()}, {QStringLiteral("to"), plan.changes.front().before}});
    return call;
}
struct Take {
    QString entry;
};

Catalogue dialCatalogue()
{
    return Catalogue(list(operation<Look>({.id = "dial.look",
                                           .title = {"Look"},
                                           .summary = {"Looks at the dial."},
                                           .effect = Effect::Reads,
                                           .target = &Look::guest,
                                           .params = {required(&Look::guest, "guest", {"Guest"})},
                                           .read = look}),
                          operation<Look>({.id = "dial.peek",
                                           .title = {"Peek"},
                                           .summary = {"Looks at private text."},
                                           .effect = Effect::Reads,
                                           .isSensitive = true,
                                           .target = &Look::guest,
                                           .params = {required(&Look::guest, "guest", {"Guest"})},
                                           .read = look}),
                          operation<Turn>({.id = "dial.turn",
                                           .title = {"Turn"},
                                           .summary = {"Turns the dial."},
                                           .effect = Effect::Changes,
                                           .target = &Turn::guest,
                                           .params = {required(&Turn::guest, "guest", {"Guest"}),
                                                      required(&Turn::to, "to", {"Where to"}, {range(0, 100)}),
                                                      optional(&Turn::hard, "hard", {"With force"})},
                                           .plan = planTurn,
                                           .perform = turn,
                                           .inverse = turnBack}),
                          operation<Take>({.id = "undo.apply",
                                           .title = {"Undo"},
                                           .summary = {"Takes back one entry."},
                                           .effect = Effect::Changes,
                                           .params = {required(&Take::entry, "entry", {"Entry"})},
                                           .undoneEntry = &Take::entry})));
}

const QByteArray toFive = R"({"guest":"web","to":5})";
} // namespace

/// The pipeline, with operations whose every effect can be counted.
class ExecutorTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<Dial> m_dial;
    std::unique_ptr<ExecutionStage> m_stage;
    std::optional<CallResult> m_ended;

    void waitForQuestion() { QTRY_VERIFY(m_stage->approver.isAsking()); }
    void waitForEnd() { QTRY_VERIFY(m_ended.has_value()); }

private Q_SLOTS:
    void init()
    {
        m_dial = std::make_unique<Dial>();
        dial = m_dial.get();
        m_ended.reset();
        m_stage = std::make_unique<ExecutionStage>(dialCatalogue());
        m_stage->publish(101, QStringLiteral("web"));
    }
    void cleanup() { m_stage.reset(); }

    void runsAChangeOfThePersonWithoutAQuestionAndRecordsIt()
    {
        const auto result = m_stage->run(m_stage->call("dial.turn", toFive));
        QCOMPARE(result.state, CallState::Done);
        QCOMPARE(dial->value, 5);
        QVERIFY(m_stage->approver.asked.empty());
        const auto row = m_stage->detail(result.callId).row;
        QCOMPARE(row.headline, QStringLiteral("Turned the dial to 5"));
        QCOMPARE(row.target, QStringLiteral("homelab:101"));
        QCOMPARE(row.targetLabel, QStringLiteral("web 101"));
        QVERIFY(row.hasInverse);
    }
    void recordsAnAgentsReadAndNotAPersons()
    {
        m_stage->run(m_stage->call("dial.look", R"({"guest":"101"})"));
        QVERIFY(m_stage->rows().isEmpty());
        const auto read = m_stage->run(m_stage->call("dial.look", R"({"guest":101})", ExecutionStage::agent("reader")));
        QCOMPARE(read.outcome->answer.toObject()[QStringLiteral("value")].toInteger(), 1);
        QCOMPARE(m_stage->rows().size(), 1);
        QCOMPARE(m_stage->rows().first().operation, QStringLiteral("dial.look"));
    }
    void refusesWhatPolicyDeniesBeforeAnythingIsPlanned()
    {
        const auto result = m_stage->run(m_stage->call("dial.turn", toFive, ExecutionStage::agent("reader")));
        QCOMPARE(result.state, CallState::Denied);
        QVERIFY(!result.plan);
        QCOMPARE(dial->turns, 0);
        QCOMPARE(m_stage->detail(result.callId).row.state, CallState::Denied);
    }
    void refusesAnUnpairedProgram()
    {
        const auto result =
            m_stage->run(m_stage->call("dial.look", R"({"guest":"web"})", ExecutionStage::agent("stranger")));
        QCOMPARE(result.outcome.error().kind, Error::Kind::Denied);
        QCOMPARE(dial->reads, 0);
    }
    void asksAPersonAndRunsWhatWasAllowed()
    {
        m_stage->start(m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker")), m_ended);
        waitForQuestion();
        QCOMPARE(dial->turns, 0);
        QCOMPARE(m_stage->approver.asked.front().plan->intent, QStringLiteral("Turn the dial to 5"));
        QCOMPARE(m_stage->executor->live().front().state, CallState::Waiting);
        m_stage->approver.allow();
        waitForEnd();
        QCOMPARE(m_ended->state, CallState::Done);
        QCOMPARE(dial->value, 5);
        const auto merged = m_stage->detail(m_ended->callId).merged;
        QCOMPARE(merged[QStringLiteral("before")].toObject()[QStringLiteral("value")].toInteger(), 1);
        QVERIFY(merged[QStringLiteral("requests")].toArray().first().toString().startsWith(QLatin1String("PUT /dial")));
    }
    void tellsTheAgentWhyAPersonDenied()
    {
        m_stage->start(m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker")), m_ended);
        waitForQuestion();
        m_stage->approver.deny(QStringLiteral("not today"));
        waitForEnd();
        QCOMPARE(m_ended->state, CallState::Denied);
        QVERIFY(m_ended->outcome.error().message.contains(QLatin1String("not today")));
        QCOMPARE(dial->turns, 0);
    }
    void deniesTheSameRequestForTenMinutesWithoutAsking()
    {
        m_stage->start(m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker")), m_ended);
        waitForQuestion();
        m_stage->approver.deny();
        waitForEnd();
        const auto again = m_stage->run(m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker")));
        QCOMPARE(again.state, CallState::Denied);
        QCOMPARE(m_stage->approver.asked.size(), size_t(1));
        m_stage->clock.advance(std::chrono::minutes(10));
        m_ended.reset();
        m_stage->start(m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker")), m_ended);
        waitForQuestion();
        QCOMPARE(m_stage->approver.asked.size(), size_t(2));
    }
    void takesAQuestionThatIsDroppedAsANo()
    {
        m_stage->start(m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker")), m_ended);
        waitForQuestion();
        m_stage->approver.drop();
        waitForEnd();
        QCOMPARE(m_ended->state, CallState::Denied);
        QCOMPARE(dial->turns, 0);
    }
    void takesAnAnswerToAnotherPlanAsANo()
    {
        m_stage->start(m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker")), m_ended);
        waitForQuestion();
        m_stage->approver.answer({true, QByteArray("of another plan"), {}});
        waitForEnd();
        QCOMPARE(m_ended->state, CallState::Denied);
        QCOMPARE(dial->turns, 0);
    }
    void voidsAnApprovalWhenTheTargetChangedMeanwhile()
    {
        m_stage->start(m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker")), m_ended);
        waitForQuestion();
        dial->value = 3;
        m_stage->approver.allow();
        waitForEnd();
        QCOMPARE(m_ended->outcome.error().kind, Error::Kind::Conflict);
        QCOMPARE(dial->turns, 0);
        QCOMPARE(m_stage->detail(m_ended->callId).row.state, CallState::Refused);
    }
    void asksAgainWhenThePlanRaisesTheEffect()
    {
        m_stage->start(
            m_stage->call("dial.turn", R"({"guest":"web","to":5,"hard":true})", ExecutionStage::agent("operator")),
            m_ended);
        waitForQuestion();
        QCOMPARE(m_stage->approver.asked.front().effect, Effect::Destroys);
        m_stage->approver.allow();
        waitForEnd();
        QCOMPARE(*m_stage->detail(m_ended->callId).row.effect, Effect::Destroys);
    }
    void asksBeforeASensitiveRead()
    {
        m_stage->start(m_stage->call("dial.peek", R"({"guest":"web"})", ExecutionStage::agent("reader")), m_ended);
        waitForQuestion();
        QCOMPARE(dial->reads, 0);
        m_stage->approver.answer({true, {}, {}});
        waitForEnd();
        QCOMPARE(m_ended->state, CallState::Done);
    }
    void cancelsWhatHasSentNothing()
    {
        const auto id = m_stage->start(m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker")), m_ended);
        waitForQuestion();
        QVERIFY(m_stage->executor->cancel(id));
        QVERIFY(m_ended.has_value());
        QCOMPARE(m_ended->state, CallState::Cancelled);
        QVERIFY(!m_stage->approver.isAsking());
        QCOMPARE(dial->turns, 0);
    }
    void goesOnWithWhatWasSentWhenTheCallerGivesUp()
    {
        dial->holding = true;
        const auto id = m_stage->start(m_stage->call("dial.turn", toFive, ExecutionStage::agent("operator")), m_ended);
        QTRY_VERIFY(dial->hold.has_value());
        QVERIFY(!m_stage->executor->cancel(id));
        dial->hold->finish({});
        waitForEnd();
        QCOMPARE(m_ended->state, CallState::Done);
        QCOMPARE(m_stage->detail(id).row.state, CallState::Done);
    }
    void leavesWhatWasSentUnsettledWhenTheApplicationEnds()
    {
        dial->holding = true;
        const auto id = m_stage->start(m_stage->call("dial.turn", toFive), m_ended);
        QTRY_VERIFY(dial->hold.has_value());
        m_stage->executor.reset();
        const auto open = await(m_stage->query.unsettled());
        QCOMPARE(open->size(), 1);
        QCOMPARE(open->first().row.callId, id);
    }
    void saysUnknownWhenNobodyKnowsWhetherItTookEffect()
    {
        dial->answer = Error{Error::Kind::Unknown, QStringLiteral("The connection broke.")};
        const auto result = m_stage->run(m_stage->call("dial.turn", toFive));
        QCOMPARE(result.state, CallState::Unknown);
        const auto row = m_stage->detail(result.callId).row;
        QCOMPARE(row.state, CallState::Unknown);
        QVERIFY(!row.hasInverse);
    }
    void doesNothingWhenTheIntentCannotBeRecorded()
    {
        ExecutionStage closed(dialCatalogue());
        closed.publish(101, QStringLiteral("web"));
        QFile inTheWay(closed.folder.filePath(QStringLiteral("not-a-folder")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        AuditLog unopened(inTheWay.fileName(), closed.secrets);
        Executor executor(
            {closed.catalogue, closed.services, closed.policy, closed.limits, unopened, closed.approver, closed.clock});
        std::optional<CallResult> ended;
        executor.start(closed.call("dial.turn", toFive), [&](const CallResult &result) { ended = result; });
        QTRY_VERIFY(ended.has_value());
        QVERIFY(!ended->outcome);
        QVERIFY2(ended->outcome.error().kind == Error::Kind::Unavailable, qPrintable(ended->outcome.error().message));
        QCOMPARE(dial->turns, 0);
    }
    void answersADryRunWithThePlanAndSendsNothing()
    {
        auto call = m_stage->call("dial.turn", toFive, ExecutionStage::agent("asker"));
        call.previewOnly = true;
        const auto result = m_stage->run(std::move(call));
        QCOMPARE(result.outcome->answer.toObject()[QStringLiteral("intent")].toString(),
                 QStringLiteral("Turn the dial to 5"));
        QVERIFY(!result.outcome->changed);
        QCOMPARE(dial->turns, 0);
        QCOMPARE(m_stage->rows().size(), 1);
    }
    void undoesAChangeOnceAndSaysSoOnBothRows()
    {
        const auto done = m_stage->run(m_stage->call("dial.turn", toFive));
        const auto undo = arguments({{QStringLiteral("entry"), done.callId}});
        const auto undone = m_stage->run(m_stage->call("undo.apply", undo));
        QCOMPARE(undone.state, CallState::Done);
        QCOMPARE(dial->value, 1);
        QCOMPARE(m_stage->detail(done.callId).row.undoneBy, undone.callId);
        QCOMPARE(m_stage->detail(undone.callId).row.undoes, done.callId);
        QCOMPARE(m_stage->run(m_stage->call("undo.apply", undo)).outcome.error().kind, Error::Kind::Conflict);
        QCOMPARE(dial->value, 1);
    }
    void refusesToUndoWhatChangedSince()
    {
        const auto done = m_stage->run(m_stage->call("dial.turn", toFive));
        dial->value = 9;
        const auto undone =
            m_stage->run(m_stage->call("undo.apply", arguments({{QStringLiteral("entry"), done.callId}})));
        QCOMPARE(undone.outcome.error().kind, Error::Kind::Conflict);
        QVERIFY(undone.outcome.error().message.contains(QLatin1String("9")));
        QCOMPARE(dial->value, 9);
    }
    void keepsAgentsFromUndoingWhatOthersDid()
    {
        const auto done = m_stage->run(m_stage->call("dial.turn", toFive));
        const auto entry = arguments({{QStringLiteral("entry"), done.callId}});
        const auto undone = m_stage->run(m_stage->call("undo.apply", entry, ExecutionStage::agent("operator")));
        QCOMPARE(undone.outcome.error().kind, Error::Kind::Denied);
        QCOMPARE(dial->value, 5);
    }
    void letsAFailedUndoBeTriedAgain()
    {
        const auto done = m_stage->run(m_stage->call("dial.turn", toFive));
        const auto entry = arguments({{QStringLiteral("entry"), done.callId}});
        dial->answer = Error{Error::Kind::Rejected, QStringLiteral("no")};
        QCOMPARE(m_stage->run(m_stage->call("undo.apply", entry)).state, CallState::Failed);
        dial->answer = {};
        QCOMPARE(m_stage->run(m_stage->call("undo.apply", entry)).state, CallState::Done);
        QCOMPARE(dial->value, 1);
    }
    void refusesMoreCallsThanTheRateAllows()
    {
        m_stage->limits.allowance.callsPerMinute = 3;
        for (int i = 0; i < 3; ++i)
            QCOMPARE(
                m_stage->run(m_stage->call("dial.look", R"({"guest":"web"})", ExecutionStage::agent("reader"))).state,
                CallState::Done);
        const auto refused =
            m_stage->run(m_stage->call("dial.look", R"({"guest":"web"})", ExecutionStage::agent("reader")));
        QCOMPARE(refused.outcome.error().kind, Error::Kind::Limited);
        m_stage->clock.advance(std::chrono::minutes(1));
        QCOMPARE(m_stage->run(m_stage->call("dial.look", R"({"guest":"web"})", ExecutionStage::agent("reader"))).state,
                 CallState::Done);
    }
    void refusesProgramsWhilePausedAndNotThePerson()
    {
        m_stage->executor->setPaused(true);
        QCOMPARE(m_stage->run(m_stage->call("dial.look", R"({"guest":"web"})", ExecutionStage::agent("operator")))
                     .outcome.error()
                     .kind,
                 Error::Kind::Limited);
        QCOMPARE(m_stage->run(m_stage->call("dial.turn", toFive)).state, CallState::Done);
    }
    void refusesBadArgumentsByName_data()
    {
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QString>("named");
        QTest::newRow("duplicate") << QByteArray(R"({"guest":"web","to":5,"to":6})") << "to";
        QTest::newRow("unknown") << QByteArray(R"({"guest":"web","to":5,"confirm":true})") << "confirm";
        QTest::newRow("missing") << QByteArray(R"({"guest":"web"})") << "to";
        QTest::newRow("mistyped") << QByteArray(R"({"guest":"web","to":"5"})") << "to";
        QTest::newRow("too much") << QByteArray(R"({"guest":"web","to":101})") << "to";
        QTest::newRow("not resolved") << QByteArray(R"({"guest":"nobody","to":5})") << "nobody";
        QTest::newRow("broken") << QByteArray(R"({"guest":)") << "JSON";
    }
    void refusesBadArgumentsByName()
    {
        QFETCH(QByteArray, arguments);
        QFETCH(QString, named);
        const auto result = m_stage->run(m_stage->call("dial.turn", arguments, ExecutionStage::agent("operator")));
        QCOMPARE(result.state, CallState::Refused);
        QVERIFY2(result.outcome.error().message.contains(named), qPrintable(result.outcome.error().message));
        QCOMPARE(dial->turns, 0);
    }
    void givesEveryCallExactlyOneEnd()
    {
        QHash<QString, int> ends;
        connect(m_stage->executor.get(), &Executor::changed, this, [&](const ExecutionInfo &info) {
            if (info.endedMs)
                ++ends[info.callId];
        });
        QStringList ids;
        int done = 0;
        for (int i = 0; i < 200; ++i) {
            const auto id = m_stage->executor->start(m_stage->call(i % 2 ? "dial.turn" : "dial.look",
                                                                   i % 2 ? toFive : QByteArray(R"({"guest":"web"})"),
                                                                   ExecutionStage::agent(i % 3 ? "asker" : "operator")),
                                                     [&done](const CallResult &) { ++done; });
            ids << id;
        }
        for (int i = 0; i < ids.size(); i += 5)
            m_stage->executor->cancel(ids[i]);
        for (int i = 0; i < 20 && QTest::qWaitFor([&] { return m_stage->approver.isAsking(); }, 2000); ++i)
            i % 2 ? m_stage->approver.allow() : m_stage->approver.deny();
        m_stage->executor.reset();
        QCOMPARE(done, 200);
        QCOMPARE(ends.size(), 200);
        for (const auto count : ends)
            QCOMPARE(count, 1);
    }
};

LABHELM_TEST(ExecutorTest)
#include "ExecutorTest.moc"
