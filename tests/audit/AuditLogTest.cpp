#include "store/Database.h"
#include "support/AuditBook.h"
#include "support/TestMain.h"
#include <QFileInfo>
#include <QSignalSpy>

/// Appending to the chain and what the table of calls shows of it.
class AuditLogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void makesItsFolderAndFileForTheOwnerOnly();
    void numbersEventsInTheOrderOfTheCalls();
    void showsAChangeOnceItIsOver();
    void keepsWhatWasWrittenAcrossARestart();
    void saysWhichCallsACommitTouched();
    void refusesAnEventWithoutItsCall();
    void refusesABodyTooLargeToBeRecorded();
    void writesTenThousandEventsAtOnce();
    void answersEveryoneWhenItIsDestroyedBeforeTheyWereWritten();
    void answersInOrderWhenAnAnswerClosesTheLog();
    void givesOneLiveClaimOfAnUndo();
    void refusesOneClaimWithoutHurtingTheGroup();
    void refusesToUndoWhatHasNoInverse();
    void writesNothingOnceItIsClosed();
    void takesNoMoreThanItCanHold();
};

void AuditLogTest::makesItsFolderAndFileForTheOwnerOnly()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    const auto owner = QFile::ReadOwner | QFile::WriteOwner;
    const auto all =
        QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
    QCOMPARE(QFile::permissions(book.path()) & (owner | QFile::ExeOwner | all),
             QFile::Permissions(owner | QFile::ExeOwner));
    for (const auto *suffix : {"", "-wal", "-shm"})
        QCOMPARE(QFile::permissions(book.file() + QLatin1String(suffix)) & (owner | QFile::ExeOwner | all),
                 QFile::Permissions(owner));
}

void AuditLogTest::numbersEventsInTheOrderOfTheCalls()
{
    AuditBook book;
    QVERIFY(book.open());
    std::vector<Future<qint64>> answers;
    for (int i = 0; i < 50; ++i)
        answers.push_back(
            book.log().append(i % 2 ? AuditBook::read(QString::number(i)) : AuditBook::intent(QString::number(i))));
    for (int i = 0; i < 50; ++i)
        QCOMPARE(await(std::move(answers[size_t(i)])).valueOr(-1), i + 1);
}

void AuditLogTest::showsAChangeOnceItIsOver()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    auto row = book.row("c1");
    QCOMPARE(row.state, CallState::Running);
    QCOMPARE(row.endedMs, 0);
    QCOMPARE(row.actor.kind, Actor::Kind::Agent);
    QCOMPARE(row.actor.id, "a1");
    QCOMPARE(row.operation, "guest.config.set");
    QVERIFY(row.effect == Effect::Changes);
    QCOMPARE(row.target, "homelab:101");
    QVERIFY(!row.hasInverse);
    QVERIFY(book.append({.callId = "c1", .kind = AuditEvent::Kind::Sent, .body = {{"upid", AuditBook::upid()}}}));
    QVERIFY(book.append(AuditBook::outcome("c1", CallState::Warnings)));
    row = book.row("c1");
    QCOMPARE(row.state, CallState::Warnings);
    QCOMPARE(row.upid, AuditBook::upid());
    QVERIFY(row.endedMs >= row.atMs && row.atMs > 0);
    QVERIFY(row.hasInverse);
    QCOMPARE(book.page().size(), 1);
}

void AuditLogTest::keepsWhatWasWrittenAcrossARestart()
{
    AuditBook book;
    QVERIFY(book.open());
    QCOMPARE(book.change("c1").valueOr(0), 3);
    QVERIFY(book.reopen());
    QCOMPARE(book.append(AuditBook::read("c2")).valueOr(0), 4);
    const auto rows = book.page();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0].callId, "c2");
    QCOMPARE(rows[1].state, CallState::Done);
    QCOMPARE(book.log().anchor().state(), ChainAnchor::State::Kept);
}

void AuditLogTest::saysWhichCallsACommitTouched()
{
    AuditBook book;
    QVERIFY(book.open());
    QSignalSpy spy(&book.log(), &AuditLog::committed);
    QVERIFY(book.change("c1"));
    QVERIFY(book.append(AuditBook::read("c2")));
    QStringList touched;
    for (const auto &arguments : spy)
        touched += arguments[0].toStringList();
    QVERIFY(touched.contains("c1"));
    QVERIFY(touched.contains("c2"));
}

void AuditLogTest::refusesAnEventWithoutItsCall()
{
    AuditBook book;
    QVERIFY(book.open());
    for (const auto &id :
         {QString(), QString("two words"), QString("line\nbreak"), QString(129, u'x'), QString(QChar(0xd800))}) {
        const auto answer = book.append(AuditBook::read(id));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Error::Kind::Invalid);
    }
    QCOMPARE(book.append(AuditBook::read(QString(128, u'x'))).valueOr(0), 1);
}

void AuditLogTest::refusesABodyTooLargeToBeRecorded()
{
    AuditBook book;
    QVERIFY(book.open());
    auto large = AuditBook::read("c1");
    large.body.insert("before", QString(9 * 1024 * 1024, u'x'));
    const auto answer = book.append(large);
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Invalid);
    QCOMPARE(book.append(AuditBook::read("c2")).valueOr(0), 1);
}

void AuditLogTest::writesTenThousandEventsAtOnce()
{
    AuditBook book;
    QVERIFY(book.open());
    std::vector<Future<qint64>> answers;
    for (int i = 0; i < 10'000; ++i)
        answers.push_back(
            book.log().append(i % 3 ? AuditBook::read(QString::number(i)) : AuditBook::intent(QString::number(i))));
    for (int i = 0; i < 10'000; ++i)
        QCOMPARE(await(std::move(answers[size_t(i)])).valueOr(-1), i + 1);
    const auto report = await(book.query().verify());
    QVERIFY(report);
    QVERIFY2(report->isWhole, qPrintable(report->finding));
    QCOMPARE(report->events, 10'000);
}

void AuditLogTest::answersEveryoneWhenItIsDestroyedBeforeTheyWereWritten()
{
    QTemporaryDir folder;
    MemoryStore secrets;
    std::vector<Future<qint64>> answers;
    {
        AuditLog log(folder.path(), secrets);
        QVERIFY(log.open());
        for (int i = 0; i < 500; ++i)
            answers.push_back(log.append(AuditBook::intent(QString::number(i))));
    }
    for (int i = 0; i < 500; ++i) {
        QVERIFY(answers[size_t(i)].isReady());
        QCOMPARE(answers[size_t(i)].await_resume().valueOr(-1), i + 1);
    }
    AuditLog again(folder.path(), secrets);
    QVERIFY(again.open());
    QCOMPARE(await(again.append(AuditBook::read("next"))).valueOr(0), 501);
}

static QCoro::Task<> closeWhenWritten(AuditLog *log, std::vector<qint64> *order)
{
    auto seq = co_await log->append(AuditBook::intent("first"));
    order->push_back(seq.valueOr(-1));
    auto closed = co_await log->close();
    order->push_back(closed ? 0 : -1);
}

static QCoro::Task<> noteWhenWritten(AuditLog *log, QString id, std::vector<qint64> *order)
{
    auto seq = co_await log->append(AuditBook::intent(id));
    order->push_back(seq.valueOr(-1));
}

void AuditLogTest::answersInOrderWhenAnAnswerClosesTheLog()
{
    AuditBook book;
    QVERIFY(book.open());
    std::vector<qint64> order;
    closeWhenWritten(&book.log(), &order);
    for (int i = 0; i < 3000; ++i)
        noteWhenWritten(&book.log(), QString::number(i), &order);
    QTRY_COMPARE(order.size(), 3002U);
    order.erase(std::find(order.begin(), order.end(), 0));
    for (size_t i = 0; i < order.size(); ++i)
        QCOMPARE(order[i], qint64(i) + 1);
}

void AuditLogTest::givesOneLiveClaimOfAnUndo()
{
    using Kind = AuditEvent::Kind;
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.change("c1"));
    auto first = book.log().append(AuditBook::undo(Kind::UndoClaimed, "c1", "u1"));
    auto second = book.log().append(AuditBook::undo(Kind::UndoClaimed, "c1", "u2"));
    QVERIFY(await(std::move(first)));
    const auto refused = await(std::move(second));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Error::Kind::Conflict);
    QCOMPARE(book.row("c1").claimedBy, "u1");
    QCOMPARE(await(book.query().claimed()).valueOr({}).size(), 1);

    QVERIFY(book.append(AuditBook::undo(Kind::UndoReleased, "c1", "u2"))); // not the one that holds it
    QCOMPARE(book.row("c1").claimedBy, "u1");
    QVERIFY(book.append(AuditBook::undo(Kind::UndoReleased, "c1", "u1")));
    QCOMPARE(book.row("c1").claimedBy, "");
    QVERIFY(book.append(AuditBook::undo(Kind::UndoClaimed, "c1", "u2")));
    QVERIFY(book.append(AuditBook::undo(Kind::Undone, "c1", "u2")));
    QCOMPARE(book.row("c1").undoneBy, "u2");
    QCOMPARE(book.append(AuditBook::undo(Kind::UndoClaimed, "c1", "u3")).error().kind, Error::Kind::Conflict);
    QCOMPARE(await(book.query().claimed()).valueOr({}).size(), 0);
}

void AuditLogTest::refusesOneClaimWithoutHurtingTheGroup()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.change("c1"));
    QVERIFY(book.append(AuditBook::undo(AuditEvent::Kind::UndoClaimed, "c1", "u1")));
    auto before = book.log().append(AuditBook::intent("c2"));
    auto claim = book.log().append(AuditBook::undo(AuditEvent::Kind::UndoClaimed, "c1", "u2"));
    auto after = book.log().append(AuditBook::intent("c3"));
    QCOMPARE(await(std::move(before)).valueOr(0), 5);
    QCOMPARE(await(std::move(claim)).error().kind, Error::Kind::Conflict);
    QCOMPARE(await(std::move(after)).valueOr(0), 6);
    QVERIFY(await(book.query().verify())->isWhole);
}

void AuditLogTest::refusesToUndoWhatHasNoInverse()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    QVERIFY(book.append({.callId = "c1", .kind = AuditEvent::Kind::Outcome, .body = {{"state", "done"}}}));
    QCOMPARE(book.append(AuditBook::undo(AuditEvent::Kind::UndoClaimed, "c1", "u1")).error().kind,
             Error::Kind::Conflict);
    QCOMPARE(book.append(AuditBook::undo(AuditEvent::Kind::UndoClaimed, "c9", "u1")).error().kind,
             Error::Kind::NotFound);
    QCOMPARE(book.append(AuditBook::undo(AuditEvent::Kind::UndoClaimed, "c1", "")).error().kind, Error::Kind::Invalid);
}

void AuditLogTest::writesNothingOnceItIsClosed()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    QVERIFY(await(book.log().close()));
    QCOMPARE(book.append(AuditBook::intent("c2")).error().kind, Error::Kind::Unavailable);
    QCOMPARE(book.log().open().error().kind, Error::Kind::Unavailable);
    QVERIFY(await(book.secrets().read("audit/head")));
}

void AuditLogTest::takesNoMoreThanItCanHold()
{
    AuditBook book;
    QVERIFY(book.open());
    // A lock of another program stops the writer while they come in.
    auto other = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
    QVERIFY(other && (*other)->run("BEGIN IMMEDIATE"));
    std::vector<Future<qint64>> answers;
    const auto event = AuditBook::read("c1");
    int refused = 0;
    for (int i = 0; i < 25'000; ++i) {
        answers.push_back(book.log().append(event));
        refused += answers.back().isReady() ? 1 : 0;
    }
    QVERIFY2(refused > 2000, qPrintable(QString::number(refused)));
    QCOMPARE(answers.back().await_resume().error().kind, Error::Kind::Unavailable);
    QVERIFY((*other)->run("ROLLBACK"));
    answers.pop_back();
    int written = 0, unavailable = 0;
    for (auto &answer : answers) {
        const auto seq = await(std::move(answer));
        written += seq ? 1 : 0;
        unavailable += !seq && seq.error().kind == Error::Kind::Unavailable ? 1 : 0;
    }
    QCOMPARE(written + unavailable, 24'999);
    QVERIFY(written > 15'000);
}

LABHELM_TEST(AuditLogTest)
#include "AuditLogTest.moc"
