#include "store/Database.h"
#include "support/AuditBook.h"
#include "support/FaultyDisk.h"
#include "support/OrdinaryUser.h"
#include "support/TestMain.h"
#include <QElapsedTimer>
#include <QSqlQuery>
#include <QVariant>

/// What the log does when the disk, the file or another program stands in its way.
class FaultTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { FaultyDisk::heal(); }
    void syncsBeforeItAcknowledgesAChange();
    void doesNotSyncForReadsAlone();
    void refusesWhatAFullDiskCannotTake_data();
    void refusesWhatAFullDiskCannotTake();
    void refusesAChangeThatCouldNotBeSynced();
    void refusesToOpenOnAFullDisk();
    void refusesWhileAnotherProgramHoldsTheLock();
    void keepsTheOwnersThreadFreeWhileItWaitsForALock();
    void opensWhileAnotherProgramHoldsTheLock();
    void refusesAFileThatMayNotBeWritten();
    void readsAFileThatMayNotBeWritten();
    void refusesAFolderThatMayNotBeWritten();
    void refusesALinkInPlaceOfTheFile();
    void noticesThatTheFileWasReplacedWhileItRuns();
    void noticesThatItsWriteAheadLogWasRemovedWhileItRuns();
    void noticesThatEventsVanishWhileItRuns();
    void opensBehindALinkToItsFolder();

private:
    static Error refusal(AuditBook &book)
    {
        auto answer = book.append(AuditBook::intent("refused"));
        return answer ? Error{Error::Kind::Internal, "It was written.", {}} : answer.error();
    }
    static qint64 events(const AuditBook &book)
    {
        auto database = Database::open(book.file(), ":/migrations/audit", Database::Access::Read);
        return database ? (*database)->value("SELECT count(*) FROM event").valueOr(-1).toLongLong() : -1;
    }
    static bool isWhole(AuditBook &book)
    {
        const auto report = await(book.query().verify());
        if (!report)
            qWarning() << report.error().message << report.error().detail;
        else if (!report->isWhole)
            qWarning() << report->finding;
        return report && report->isWhole;
    }
};

void FaultTest::syncsBeforeItAcknowledgesAChange()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::read("warm")));
    for (const auto &event : {AuditBook::intent("c1"), AuditBook::outcome("c1")}) {
        const long before = FaultyDisk::syncs;
        QVERIFY(book.append(event));
        QCOMPARE(FaultyDisk::syncs - before, 1L);
    }
}

void FaultTest::doesNotSyncForReadsAlone()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    const long before = FaultyDisk::syncs;
    const long written = FaultyDisk::writes;
    for (int i = 0; i < 20; ++i)
        QVERIFY(book.append(AuditBook::read(QString::number(i))));
    QCOMPARE(FaultyDisk::syncs - before, 0L);
    QVERIFY(FaultyDisk::writes > written);
}

void FaultTest::refusesWhatAFullDiskCannotTake_data()
{
    QTest::addColumn<int>("passing");
    for (int n = 0; n < 24; ++n)
        QTest::addRow("write %d", n + 1) << n;
}

void FaultTest::refusesWhatAFullDiskCannotTake()
{
    QFETCH(const int, passing);
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("before")));
    FaultyDisk::fail(ENOSPC, passing);
    auto large = AuditBook::intent("large");
    large.body.insert("before", QString(20'000, u'x'));
    std::vector<Future<qint64>> answers;
    for (int i = 0; i < 3; ++i) {
        large.callId = QString::number(i);
        answers.push_back(book.log().append(large));
    }
    qint64 acknowledged = 1;
    for (auto &future : answers) {
        const auto answer = await(std::move(future));
        acknowledged += answer ? 1 : 0;
        if (!answer) {
            QCOMPARE(answer.error().kind, Error::Kind::Unavailable);
            QVERIFY2(answer.error().message.contains("no space left"), qPrintable(answer.error().message));
            QCOMPARE(book.log().trouble(), answer.error().message);
        }
    }
    FaultyDisk::heal();
    QVERIFY(book.append(AuditBook::intent("after"))); // by itself, at once
    QCOMPARE(book.log().trouble(), "");
    QCOMPARE(events(book), acknowledged + 1);
    QVERIFY(isWhole(book));
    QVERIFY(passing > 0 || acknowledged == 1);
}

void FaultTest::refusesAChangeThatCouldNotBeSynced()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("before")));
    FaultyDisk::syncsOnly = true;
    FaultyDisk::fail(EIO);
    const auto error = refusal(book);
    QCOMPARE(error.kind, Error::Kind::Unavailable);
    QVERIFY2(error.message.contains("disk reports an error"), qPrintable(error.message));
    FaultyDisk::heal();
    QCOMPARE(book.append(AuditBook::intent("after")).valueOr(0), 2);
    QVERIFY(isWhole(book));
}

void FaultTest::refusesToOpenOnAFullDisk()
{
    AuditBook book;
    FaultyDisk::fail(ENOSPC);
    const auto opened = book.open();
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Error::Kind::Unavailable);
    QCOMPARE(refusal(book).kind, Error::Kind::Unavailable);
    FaultyDisk::heal();
    QCOMPARE(book.append(AuditBook::intent("after")).valueOr(0), 1);
}

void FaultTest::refusesWhileAnotherProgramHoldsTheLock()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("before")));
    auto other = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
    QVERIFY(other && (*other)->run("BEGIN IMMEDIATE"));
    QElapsedTimer time;
    time.start();
    const auto error = refusal(book);
    QCOMPARE(error.kind, Error::Kind::Unavailable);
    QVERIFY2(error.message.contains("in use by another program"), qPrintable(error.message));
    QVERIFY2(time.elapsed() >= 1900 && time.elapsed() < 10'000, qPrintable(QString::number(time.elapsed())));
    QVERIFY((*other)->run("ROLLBACK"));
    QCOMPARE(book.append(AuditBook::intent("after")).valueOr(0), 2);
    QVERIFY(isWhole(book));
}

void FaultTest::keepsTheOwnersThreadFreeWhileItWaitsForALock()
{
    AuditBook book;
    QVERIFY(book.open());
    auto other = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
    QVERIFY(other && (*other)->run("BEGIN IMMEDIATE"));
    QElapsedTimer beat;
    qint64 longest = 0;
    QTimer pulse;
    connect(&pulse, &QTimer::timeout, this, [&] { longest = std::max(longest, beat.restart()); });
    beat.start();
    pulse.start(10);
    QVERIFY(!book.append(AuditBook::intent("c1")));
    QVERIFY2(longest < 1000, qPrintable(QString::number(longest))); // the wait itself takes 2 s
    QVERIFY((*other)->run("ROLLBACK"));
}

void FaultTest::opensWhileAnotherProgramHoldsTheLock()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    book.close();
    auto other = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
    QVERIFY(other && (*other)->run("BEGIN IMMEDIATE"));
    QVERIFY(book.reopen());
    QCOMPARE(book.page().size(), 1); // reading goes on
    QVERIFY((*other)->run("ROLLBACK"));
    QCOMPARE(book.append(AuditBook::intent("c2")).valueOr(0), 2);
}

void FaultTest::refusesAFileThatMayNotBeWritten()
{
    const OrdinaryUser user;
    QVERIFY(user.isOne);
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    book.close();
    QVERIFY(QFile::setPermissions(book.file(), QFile::ReadOwner));
    const auto opened = book.reopen();
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Error::Kind::Unavailable);
    QVERIFY2(opened.error().message.contains("read-only"), qPrintable(opened.error().message));
    QCOMPARE(refusal(book).message, opened.error().message);
    QVERIFY(QFile::setPermissions(book.file(), QFile::ReadOwner | QFile::WriteOwner));
    QCOMPARE(book.append(AuditBook::intent("c2")).valueOr(0), 2);
}

void FaultTest::readsAFileThatMayNotBeWritten()
{
    const OrdinaryUser user;
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    book.close();
    QVERIFY(QFile::setPermissions(book.file(), QFile::ReadOwner));
    QVERIFY(!book.reopen());
    const auto rows = await(book.query().page({}, 0, 10));
    QVERIFY2(rows, rows ? "" : qPrintable(rows.error().message + rows.error().detail));
    QCOMPARE(rows->size(), 1);
}

void FaultTest::refusesAFolderThatMayNotBeWritten()
{
    const OrdinaryUser user;
    QTemporaryDir parent;
    QVERIFY(QFile::setPermissions(parent.path(), QFile::ReadOwner | QFile::ExeOwner));
    MemoryStore secrets;
    AuditLog log(parent.filePath("data"), secrets);
    const auto opened = log.open();
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Error::Kind::Unavailable);
    QVERIFY(!await(log.append(AuditBook::intent("c1"))));
    QVERIFY(QFile::setPermissions(parent.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY(await(log.append(AuditBook::intent("c1"))));
}

void FaultTest::refusesALinkInPlaceOfTheFile()
{
    QTemporaryDir folder;
    QFile elsewhere(folder.filePath("elsewhere"));
    QVERIFY(elsewhere.open(QIODevice::WriteOnly));
    elsewhere.close();
    QVERIFY(QFile::link(elsewhere.fileName(), folder.filePath("audit.sqlite")));
    MemoryStore secrets;
    AuditLog log(folder.path(), secrets);
    const auto opened = log.open();
    QVERIFY(!opened);
    QVERIFY2(opened.error().message.contains("it is a link"), qPrintable(opened.error().message));
    QCOMPARE(QFileInfo(elsewhere).size(), 0);
}

void FaultTest::noticesThatTheFileWasReplacedWhileItRuns()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    QTemporaryDir aside;
    QVERIFY(QFile::rename(book.file(), aside.filePath("audit.sqlite")));
    auto error = refusal(book);
    QVERIFY2(error.message.contains("moved or replaced"), qPrintable(error.message));
    error = refusal(book); // opens a new file, in which its own event is missing
    QVERIFY2(error.message.contains("changed from outside"), qPrintable(error.message));
}

void FaultTest::noticesThatItsWriteAheadLogWasRemovedWhileItRuns()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    QVERIFY(QFile::remove(book.file() + "-wal"));
    const auto error = refusal(book);
    QVERIFY2(error.message.contains("moved or replaced"), qPrintable(error.message));
    // Closing the connection has brought what was acknowledged into the file.
    QCOMPARE(book.append(AuditBook::intent("c2")).valueOr(0), 2);
    QVERIFY(isWhole(book));
}

void FaultTest::noticesThatEventsVanishWhileItRuns()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    QVERIFY(book.append(AuditBook::intent("c2")));
    auto other = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
    QVERIFY(other && (*other)->run("DROP TRIGGER event_stays"));
    QVERIFY((*other)->run("DELETE FROM event WHERE seq = 2"));
    const auto error = refusal(book);
    QVERIFY2(error.message.contains("changed from outside"), qPrintable(error.message));
    QCOMPARE(refusal(book).message, error.message);
}

void FaultTest::opensBehindALinkToItsFolder()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir("real"));
    QVERIFY(QFile::link(folder.filePath("real"), folder.filePath("data")));
    MemoryStore secrets;
    AuditLog log(folder.filePath("data"), secrets);
    QVERIFY(log.open());
    QVERIFY(await(log.append(AuditBook::intent("c1"))));
}

LABHELM_TEST(FaultTest)
#include "FaultTest.moc"
