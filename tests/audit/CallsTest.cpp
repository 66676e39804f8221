#include "audit/Calls.h"
#include "audit/CallTable.h"
#include "support/AuditBook.h"
#include "support/TestMain.h"
#include <QRandomGenerator>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QVariant>

/// How the table of calls follows from the events.
class CallsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void movesTheStateByTheKindOfEvent_data();
    void movesTheStateByTheKindOfEvent();
    void takesTheFirstWordAboutWhoAndWhat();
    void takesTheLastWordAboutReasonAndError();
    void raisesTheEffectAndNeverLowersIt();
    void ignoresWhoUndoesInTheRowOfTheUndone();
    void tellsNotesByTheirText();
    void settlesAnUnknownOutcomeLater();
    void keepsEveryFieldThroughTheTable();
    void readsBackEveryWord();
    void rebuildsWhatItWroteStepByStep();
    void countsWhatAnOlderLabhelmWrote();

private:
    using Kind = AuditEvent::Kind;
    /// Both tables of calls as text.
    static QByteArray tables(const QString &file)
    {
        return table(file, "SELECT * FROM call ORDER BY seq") +
               table(file, "SELECT * FROM call_hour WHERE calls <> 0 ORDER BY hour, actor_kind");
    }
    static QByteArray table(const QString &file, const QString &sql)
    {
        auto database = Database::open(file, ":/migrations/audit", Database::Access::Read);
        auto query = (*database)->select(sql);
        if (!query)
            return {};
        QByteArray all;
        while (query->next()) {
            for (int i = 0; i < query->record().count(); ++i)
                all += query->value(i).isNull() ? QByteArray("NULL|") : query->value(i).toByteArray() + '|';
            all += '\n';
        }
        return all;
    }
};

struct Step {
    AuditEvent::Kind kind;
    QJsonObject body = {};
};
Q_DECLARE_METATYPE(QList<Step>)

void CallsTest::movesTheStateByTheKindOfEvent_data()
{
    QTest::addColumn<QList<Step>>("steps");
    QTest::addColumn<CallState>("state");
    QTest::addColumn<bool>("hasEnded");
    QTest::addColumn<bool>("isOpen");
    QTest::addColumn<bool>("hasInverse");
    const auto row = [](const char *name, const QList<Step> &steps, CallState state, bool hasEnded, bool isOpen = false,
                        bool hasInverse = false) {
        QTest::newRow(name) << steps << state << hasEnded << isOpen << hasInverse;
    };
    const QJsonObject yes{{"allowed", true}}, no{{"allowed", false}},
        inverse{{"inverse", QJsonObject{{"operation", "x"}}}};
    const auto state = [](const char *word) { return QJsonObject{{"state", word}}; };
    row("asked", {{Kind::Asked}}, CallState::Waiting, false);
    row("allowed", {{Kind::Asked}, {Kind::Answered, yes}}, CallState::Running, false);
    row("denied", {{Kind::Asked}, {Kind::Answered, no}}, CallState::Denied, true);
    row("answered without a word", {{Kind::Asked}, {Kind::Answered}}, CallState::Denied, true);
    row("asked again after a no", {{Kind::Answered, no}, {Kind::Asked}}, CallState::Denied, true);
    row("a late yes after a no", {{Kind::Answered, no}, {Kind::Answered, yes}}, CallState::Denied, true);
    row("refused after a yes", {{Kind::Answered, yes}, {Kind::Refused}}, CallState::Refused, true);
    row("refused by a limit", {{Kind::Refused}}, CallState::Refused, true);
    row("refused by policy", {{Kind::Refused, state("denied")}}, CallState::Denied, true);
    row("stopped before sending", {{Kind::Asked}, {Kind::Refused, state("cancelled")}}, CallState::Cancelled, true);
    row("intent", {{Kind::Intent}}, CallState::Running, false, true);
    row("sent", {{Kind::Intent}, {Kind::Sent}}, CallState::Running, false, true);
    row("done", {{Kind::Intent}, {Kind::Sent}, {Kind::Outcome, state("done")}}, CallState::Done, true);
    row("warnings", {{Kind::Intent}, {Kind::Outcome, state("warnings")}}, CallState::Warnings, true);
    row("failed", {{Kind::Intent}, {Kind::Outcome, state("failed")}}, CallState::Failed, true);
    row("outcome without a word", {{Kind::Intent}, {Kind::Outcome}}, CallState::Unknown, true, true);
    row("an odd outcome", {{Kind::Intent}, {Kind::Outcome, state("splendid")}}, CallState::Unknown, true, true);
    row("outcome with an inverse", {{Kind::Intent}, {Kind::Outcome, inverse}}, CallState::Unknown, true, true, true);
    row("recovered", {{Kind::Intent}, {Kind::Recovered, state("done")}}, CallState::Done, true);
    row("recovered without a word", {{Kind::Intent}, {Kind::Recovered}}, CallState::Unknown, true);
    row("sent after failed", {{Kind::Intent}, {Kind::Outcome, state("failed")}, {Kind::Sent}}, CallState::Failed, true);
    row("read", {{Kind::Read}}, CallState::Done, true);
    row("read that failed", {{Kind::Read, {{"error", "No route"}}}}, CallState::Failed, true);
    row("read that was stopped", {{Kind::Read, {{"error", "x"}, {"state", "cancelled"}}}}, CallState::Cancelled, true);
    row("note", {{Kind::Note}}, CallState::Done, true);
    row("anchored", {{Kind::Anchored}}, CallState::Done, true);
}

void CallsTest::movesTheStateByTheKindOfEvent()
{
    QFETCH(const QList<Step>, steps);
    QFETCH(const CallState, state);
    QFETCH(const bool, hasEnded);
    QFETCH(const bool, isOpen);
    QFETCH(const bool, hasInverse);
    ProjectedCall call;
    qint64 seq = 0;
    for (const auto &[kind, body] : steps) {
        ++seq;
        call.apply(seq, {.callId = "c1", .kind = kind, .wallMs = 1000 * seq, .utcOffset = 3600, .body = body});
    }
    QCOMPARE(callStateName(call.row.state), callStateName(state));
    QCOMPARE(call.row.endedMs != 0, hasEnded);
    QCOMPARE(call.isOpen, isOpen);
    QCOMPARE(call.row.hasInverse, hasInverse);
    QCOMPARE(call.row.seq, 1);
    QCOMPARE(call.lastSeq, seq);
    QCOMPARE(call.row.atMs, 1000);
    QCOMPARE(call.row.utcOffset, 3600);
}

void CallsTest::takesTheFirstWordAboutWhoAndWhat()
{
    ProjectedCall call;
    auto event = AuditBook::intent("c1");
    call.apply(1, event);
    event.kind = Kind::Recovered;
    event.body = {{"actor", QJsonObject{{"kind", "labhelm"}}},
                  {"operation", "guest.delete"},
                  {"target", "other:1"},
                  {"targetLabel", "x"},
                  {"remote", "other"},
                  {"undoes", "c0"}};
    call.apply(2, event);
    QCOMPARE(call.row.actor.kind, Actor::Kind::Agent);
    QCOMPARE(call.row.operation, "guest.config.set");
    QCOMPARE(call.row.target, "homelab:101");
    QCOMPARE(call.row.targetLabel, "web 101");
    QCOMPARE(call.row.remote, "homelab");
    QCOMPARE(call.row.undoes, "c0"); // nobody had said before

    QJsonObject merged;
    mergeBody(merged, AuditBook::intent("c1"));
    mergeBody(merged, event);
    QCOMPARE(merged["operation"].toString(), "guest.config.set");
    QCOMPARE(merged["actor"].toObject()["id"].toString(), "a1");
    QCOMPARE(merged["undoes"].toString(), "c0");
}

void CallsTest::takesTheLastWordAboutReasonAndError()
{
    ProjectedCall call;
    call.apply(
        1,
        {.callId = "c1", .kind = Kind::Asked, .body = {{"reason", "first"}, {"decision", "ask"}, {"headline", "h1"}}});
    call.apply(2, {.callId = "c1", .kind = Kind::Answered, .body = {{"allowed", true}, {"decision", "allowed once"}}});
    call.apply(3, {.callId = "c1",
                   .kind = Kind::Outcome,
                   .body = {{"error", "e"}, {"upid", "u"}, {"headline", "h2"}, {"reason", QJsonValue()}}});
    QCOMPARE(call.row.reason, "first");
    QCOMPARE(call.row.decision, "allowed once");
    QCOMPARE(call.row.error, "e");
    QCOMPARE(call.row.upid, "u");
    QCOMPARE(call.row.headline, "h2");
}

void CallsTest::raisesTheEffectAndNeverLowersIt()
{
    ProjectedCall call;
    for (const auto *word : {"Changes", "Destroys", "Reads", "nonsense"})
        call.apply(1, {.callId = "c1", .kind = Kind::Intent, .body = {{"effect", word}}});
    QVERIFY(call.row.effect == Effect::Destroys);
}

void CallsTest::ignoresWhoUndoesInTheRowOfTheUndone()
{
    ProjectedCall call;
    call.apply(1, AuditBook::intent("c1"));
    call.apply(2, AuditBook::outcome("c1"));
    const auto before = call.row;
    auto claim = AuditBook::undo(Kind::UndoClaimed, "c1", "u1");
    claim.body.insert("headline", "Undo it");
    claim.body.insert("state", "failed");
    claim.body.insert("error", "no");
    call.apply(3, claim);
    QCOMPARE(call.row.headline, before.headline);
    QCOMPARE(call.row.state, before.state);
    QCOMPARE(call.row.error, "");
    QCOMPARE(call.row.claimedBy, "u1");
    QJsonObject merged;
    mergeBody(merged, claim);
    QCOMPARE(merged, QJsonObject({{"by", "u1"}}));
}

void CallsTest::tellsNotesByTheirText()
{
    ProjectedCall note, anchored;
    note.apply(1, {.callId = "n1", .kind = Kind::Note, .body = {{"text", "Agent paired"}}});
    QCOMPARE(note.row.headline, "Agent paired");
    QCOMPARE(note.row.actor.kind, Actor::Kind::Labhelm);
    QVERIFY(!note.row.effect);
    anchored.apply(2, {.callId = "n2", .kind = Kind::Anchored, .body = {{"why", "Restored"}}});
    QCOMPARE(anchored.row.headline, "Restored");
}

void CallsTest::settlesAnUnknownOutcomeLater()
{
    ProjectedCall call;
    call.apply(1, AuditBook::intent("c1"));
    call.apply(2, {.callId = "c1", .kind = Kind::Outcome, .wallMs = 10, .body = {{"state", "unknown"}}});
    QVERIFY2(call.isOpen, "what is unknown is still to be settled");
    call.apply(3, {.callId = "c1", .kind = Kind::Recovered, .wallMs = 20, .body = {{"state", "done"}}});
    QCOMPARE(call.row.state, CallState::Done);
    QCOMPARE(call.row.endedMs, 20);
    QVERIFY(!call.isOpen);
}

static ProjectedCall fullCall()
{
    ProjectedCall call;
    call.row = {
        .seq = 3,
        .callId = "c1",
        .atMs = 4,
        .endedMs = 5,
        .utcOffset = -7200,
        .actor = {.kind = Actor::Kind::Terminal, .id = "i", .name = "n", .session = "s", .pid = 77, .program = "/p"},
        .operation = "o",
        .effect = Effect::Executes,
        .remote = "r",
        .target = "t",
        .targetLabel = "l\n\u202e",
        .headline = "h",
        .state = CallState::Denied,
        .error = "e",
        .upid = "u",
        .reason = "why",
        .decision = "d",
        .hasInverse = true,
        .undoneBy = "ub",
        .undoes = "us",
        .claimedBy = "cb"};
    call.lastSeq = 9;
    call.hasActor = call.isOpen = true;
    return call;
}

void CallsTest::keepsEveryFieldThroughTheTable()
{
    QTemporaryDir folder;
    auto database = Database::open(folder.filePath("data/audit.sqlite"), ":/migrations/audit", Database::Access::Write);
    QVERIFY(database);
    auto calls = CallTable::on(**database);
    QVERIFY(calls);
    auto call = fullCall();
    QVERIFY(calls->save(call, true));
    auto found = calls->find("c1");
    QVERIFY(found && *found == call);
    QCOMPARE(found->row.actor.program, "/p");
    QCOMPARE(found->row.actor.pid, 77);
    call.row.headline = "other";
    call.row.effect.reset();
    call.hasActor = false;
    call.row.actor = Actor::labhelm();
    QVERIFY(calls->save(call, false));
    found = calls->find("c1");
    QVERIFY(found && !found->row.effect && !found->hasActor);
    QCOMPARE(found->row.headline, "other");
    QCOMPARE(calls->find("c2")->row.seq, 0);
}

void CallsTest::readsBackEveryWord()
{
    for (int i = 0; i <= int(Kind::Anchored); ++i)
        QVERIFY(auditKindFromName(auditKindName(Kind(i))) == Kind(i));
    for (int i = 0; i <= int(CallState::Unknown); ++i)
        QVERIFY(callStateFromName(callStateName(CallState(i))) == CallState(i));
    QVERIFY(!auditKindFromName("Intent"));
    QVERIFY(!callStateFromName(""));
}

static QJsonObject randomBody(QRandomGenerator &random)
{
    static const QStringList keys = {"operation", "effect",   "remote", "target", "targetLabel", "headline",
                                     "reason",    "decision", "error",  "upid",   "undoes",      "by",
                                     "state",     "text",     "why",    "allowed"};
    static const QList<QJsonValue> values = {"a",       "",         "done",       "failed",
                                             "Changes", "Destroys", "u1",         true,
                                             false,     7,          QJsonValue(), QJsonObject{{"kind", "person"}}};
    QJsonObject body;
    for (int i = random.bounded(6); i > 0; --i)
        body.insert(keys[random.bounded(int(keys.size()))], values[random.bounded(int(values.size()))]);
    if (random.bounded(3) == 0)
        body.insert("actor", AuditBook::agent("a" + QString::number(random.bounded(3))));
    if (random.bounded(3) == 0)
        body.insert("inverse", QJsonObject{{"operation", "x"}});
    return body;
}

void CallsTest::rebuildsWhatItWroteStepByStep()
{
    AuditBook book;
    QVERIFY(book.open());
    const auto seed = QRandomGenerator::global()->generate();
    QRandomGenerator random(seed);
    std::vector<Future<qint64>> answers;
    for (int i = 0; i < 3000; ++i) {
        answers.push_back(book.log().append({.callId = "c" + QString::number(random.bounded(300)),
                                             .kind = Kind(random.bounded(int(Kind::Anchored) + 1)),
                                             .body = randomBody(random)}));
    }
    int written = 0;
    for (auto &answer : answers)
        written += await(std::move(answer)) ? 1 : 0;
    QVERIFY(written > 2000 && written < 3000); // some claims are refused
    QVERIFY2(await(book.query().verify())->isWhole, qPrintable(QString::number(seed)));
    book.close();
    const auto before = tables(book.file());
    QVERIFY(before.count('\n') > 250);
    {
        auto database = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
        QVERIFY((*database)->run("UPDATE call SET headline = 'false', last_seq = 1"));
        QVERIFY((*database)->run("DELETE FROM call WHERE seq % 7 = 0"));
        QVERIFY((*database)->run("UPDATE call_hour SET calls = 1"));
        QVERIFY(tables(book.file()) != before);
        QVERIFY(CallTable::rebuild(**database));
    }
    QVERIFY2(tables(book.file()) == before, qPrintable(QString::number(seed)));
}

void CallsTest::countsWhatAnOlderLabhelmWrote()
{
    AuditBook book;
    QVERIFY(book.open());
    for (const qint64 ms :
         {qint64(-1), qint64(-3'600'000), qint64(-3'600'001), qint64(1), qint64(7'200'000), qint64(7'199'999)}) {
        auto event = AuditBook::read(QString::number(ms));
        event.wallMs = ms;
        QVERIFY(book.append(event));
    }
    book.close();
    const auto before = tables(book.file());
    {
        auto database = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
        for (const auto *sql : {"DROP TABLE call_hour", "DROP INDEX call_by_kind", "PRAGMA user_version = 1"})
            QVERIFY2((*database)->run(sql), sql);
    }
    QVERIFY(book.reopen());
    QVERIFY(await(book.query().verify())->isWhole);
    book.close();
    QCOMPARE(tables(book.file()), before);
}

LABHELM_TEST(CallsTest)
#include "CallsTest.moc"
