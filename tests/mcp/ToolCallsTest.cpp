#include "mcp/SessionStage.h"
#include "support/TestMain.h"

/// Tool calls on their way: progress, cancelling, and what takes long.
class ToolCallsTest : public QObject
{
    Q_OBJECT

    static void eras()
    {
        QTest::addColumn<bool>("modern");
        QTest::newRow("legacy") << false;
        QTest::newRow("modern") << true;
    }
    static QString errorOf(const QJsonObject &structured)
    {
        return structured[u"error"].toObject()[u"code"].toString();
    }
    static inline const QJsonObject half{{QStringLiteral("brightness"), 50}};
    static inline const QJsonObject withToken{{QStringLiteral("progressToken"), QStringLiteral("t")}};

private Q_SLOTS:
    void progressSaysThatAPersonIsAsked();
    void progressRisesAndIsLimited();
    void theAnswerKeepsItsDistanceFromProgress();
    void noTokenMeansNoProgress();
    void cancellingAQuestionEndsIt_data() { eras(); }
    void cancellingAQuestionEndsIt();
    void cancellingWhatWasSentLetsItGoOn();
    void closingStopsWhatHasSentNothing();
    void anIdInUseIsRefused();
    void moreThanSixtyFourCallsAtOnceAreRefused();
    void aLongChangeIsAnsweredWithWhereItStands();
    void aLongReadIsGivenUp();
    void whoWantsToWaitMayWait();
};

void ToolCallsTest::progressSaysThatAPersonIsAsked()
{
    SessionStage s;
    s.begin(false);
    s.callTool("1", "lamp_set", half, withToken);
    QTRY_VERIFY(!s.progress().isEmpty());
    QCOMPARE(s.progress()[0][u"progressToken"].toString(), QStringLiteral("t"));
    QTRY_VERIFY(s.progress().last()[u"message"].toString() == QStringLiteral("Waiting for a person's approval"));
    const auto before = s.progress().size();
    QTRY_VERIFY_WITH_TIMEOUT(s.progress().size() > before, 15'000); // it goes on saying so
    QVERIFY(s.progress().last()[u"progress"].toDouble() > s.progress()[before - 1][u"progress"].toDouble());
}

void ToolCallsTest::progressRisesAndIsLimited()
{
    SessionStage s;
    s.begin(false);
    s.lamp.holds = true;
    s.callTool("1", "lamp_look", {}, {{QStringLiteral("progressToken"), 7}});
    QTRY_COMPARE(s.lamp.held.size(), size_t(1));
    for (int i = 0; i < 1000; ++i)
        s.lamp.report({.fraction = i / 2000.0, .text = QStringLiteral("step \x1b%1").arg(i)});
    s.lamp.report({.fraction = 0.1, .text = QStringLiteral("back")});
    QVERIFY(s.progress().size() <= 2);
    QTRY_COMPARE(s.progress().last()[u"message"].toString(), QStringLiteral("back"));
    double last = 0;
    for (const auto &progress : s.progress()) {
        QCOMPARE(progress[u"progressToken"], QJsonValue(7));
        QVERIFY(progress[u"progress"].toDouble() > last);
        QVERIFY(!progress[u"message"].toString().contains(u'\x1b'));
        last = progress[u"progress"].toDouble();
    }
}

void ToolCallsTest::theAnswerKeepsItsDistanceFromProgress()
{
    SessionStage s;
    s.begin(false);
    s.lamp.holds = true;
    s.callTool("1", "lamp_look", {}, withToken);
    QTRY_COMPARE(s.lamp.held.size(), size_t(1));
    s.lamp.report({.fraction = 0.5});
    QVERIFY(!s.progress().isEmpty());
    s.lamp.release();
    QTRY_VERIFY(s.session->running() > 0);
    QVERIFY(!s.isAnswered("1"));
    QVERIFY(!s.structured("1").isEmpty());
    QVERIFY(s.sent.last().contains(u"result"));
}

void ToolCallsTest::noTokenMeansNoProgress()
{
    SessionStage s;
    s.begin(false);
    s.lamp.holds = true;
    s.callTool("1", "lamp_look");
    QTRY_COMPARE(s.lamp.held.size(), size_t(1));
    s.lamp.report({.fraction = 0.5});
    s.lamp.release();
    QVERIFY(!s.structured("1").isEmpty());
    QVERIFY(s.progress().isEmpty());
}

void ToolCallsTest::cancellingAQuestionEndsIt()
{
    QFETCH(bool, modern);
    SessionStage s;
    s.begin(modern);
    s.callTool("\"1\"", "lamp_set", half, withToken);
    QTRY_VERIFY(s.stage.approver.isAsking());
    const auto before = s.lines.size();
    s.cancel("1"); // another id
    QVERIFY(s.stage.approver.isAsking());
    s.cancel("\"1\"");
    QTRY_VERIFY(!s.stage.approver.isAsking());
    QCOMPARE(s.session->running(), 0);
    s.callTool("3", "lamp_smash", half); // without progress, so that nothing holds its answer back
    QTRY_VERIFY(s.stage.approver.isAsking());
    s.cancel("3");
    s.cancel("\"1\"");
    s.callTool("2", "lamp_look");
    QVERIFY(!s.structured("2").isEmpty());
    QCOMPARE(s.lines.size(), before + 1);
    QCOMPARE(s.lamp.sets, 0);
}

void ToolCallsTest::cancellingWhatWasSentLetsItGoOn()
{
    SessionStage s(QStringLiteral("operator"));
    s.begin(false);
    s.lamp.holds = true;
    s.callTool("1", "lamp_set", half);
    QTRY_COMPARE(s.lamp.held.size(), size_t(1));
    const auto entry = s.stage.executor->live()[0].callId;
    const auto before = s.lines.size();
    s.cancel("1");
    QCOMPARE(s.session->running(), 0);
    s.lamp.release();
    QTRY_COMPARE(s.lamp.brightness, 50);
    QTRY_VERIFY(s.stage.executor->live().empty());
    QCOMPARE(s.stage.detail(entry).row.state, CallState::Done);
    QCOMPARE(s.lines.size(), before);
}

void ToolCallsTest::closingStopsWhatHasSentNothing()
{
    SessionStage s;
    s.begin(false);
    s.callTool("1", "lamp_set", half);
    QTRY_VERIFY(s.stage.approver.isAsking());
    s.session->close();
    QVERIFY(!s.stage.approver.isAsking());
    QTRY_VERIFY(s.stage.executor->live().empty());
}

void ToolCallsTest::anIdInUseIsRefused()
{
    SessionStage s;
    s.begin(false);
    s.lamp.holds = true;
    s.callTool("1", "lamp_look");
    s.callTool("1", "lamp_look");
    QCOMPARE(s.errorCode("null"), -32600);
    s.callTool("\"1\"", "lamp_look"); // another one
    QTRY_COMPARE(s.lamp.held.size(), size_t(2));
    s.lamp.release();
    QVERIFY(!s.structured("1").isEmpty());
    QVERIFY(!s.structured("\"1\"").isEmpty());
}

void ToolCallsTest::moreThanSixtyFourCallsAtOnceAreRefused()
{
    SessionStage s;
    s.begin(false);
    s.lamp.holds = true;
    s.stage.limits.allowance.identicalCalls = 100;
    for (int i = 1; i <= 65; ++i)
        s.callTool(QByteArray::number(i), "lamp_look");
    QCOMPARE(errorOf(s.structured("65")), QStringLiteral("limited"));
    s.lamp.release();
    for (int i = 1; i <= 64; ++i)
        QVERIFY(!s.answer(QByteArray::number(i)).contains(u"isError"));
}

void ToolCallsTest::aLongChangeIsAnsweredWithWhereItStands()
{
    SessionStage s;
    s.begin(false);
    s.session->calls().setPatience(std::chrono::milliseconds(100));
    s.callTool("1", "lamp_set", half);
    const auto waiting = s.structured("1");
    QCOMPARE(waiting[u"state"].toString(), QStringLiteral("waiting"));
    QCOMPARE(waiting[u"changed"], QJsonValue(false));
    s.session->close(); // the question stays: it was answered for
    QVERIFY(s.stage.approver.isAsking());
    s.stage.approver.allow();
    QTRY_COMPARE(s.lamp.brightness, 50);
    QTRY_VERIFY(s.stage.executor->live().empty());
    QCOMPARE(s.stage.detail(waiting[u"entry"].toString()).row.state, CallState::Done);
}

void ToolCallsTest::aLongReadIsGivenUp()
{
    SessionStage s;
    s.begin(false);
    s.session->calls().setPatience(std::chrono::milliseconds(100));
    s.lamp.holds = true;
    s.callTool("1", "lamp_look");
    QCOMPARE(errorOf(s.structured("1")), QStringLiteral("timed_out"));
    QTRY_VERIFY(s.stage.executor->live().empty());
}

void ToolCallsTest::whoWantsToWaitMayWait()
{
    SessionStage s;
    s.begin(false);
    s.session->calls().setPatience(std::chrono::milliseconds(100));
    s.callTool("1", "lamp_set", half, {{QStringLiteral("labhelm/wait"), true}});
    s.callTool("2", "lamp_smash", half);
    QCOMPARE(s.structured("2")[u"state"].toString(), QStringLiteral("waiting"));
    QVERIFY(!s.isAnswered("1"));
    s.stage.approver.allow();
    QCOMPARE(s.structured("1")[u"state"].toString(), QStringLiteral("done"));
}

LABHELM_TEST(ToolCallsTest)
#include "ToolCallsTest.moc"
