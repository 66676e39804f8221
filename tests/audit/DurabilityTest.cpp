#include "audit/Events.h"
#include "store/Database.h"
#include "support/AuditBook.h"
#include "support/FileStore.h"
#include "support/TestMain.h"
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QHash>
#include <QProcess>
#include <QRandomGenerator>
#include <QSqlQuery>
#include <QVariant>

/// The other side of DurabilityTest: a program that appends until it is killed and says what was acknowledged.
/// Does nothing unless it was told a folder.
class AppendingProgram : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void appendsUntilItIsKilled()
    {
        const auto folder = qEnvironmentVariable("LABHELM_TEST_APPENDS_TO");
        if (folder.isEmpty())
            return;
        FileStore secrets(folder + "/keychain");
        AuditLog log(folder + "/data", secrets);
        QVERIFY(log.open());
        const auto id = qEnvironmentVariable("LABHELM_TEST_RUN");
        for (int i = 0; i < 12; ++i)
            appendForever(&log, id + "-" + QString::number(i));
        QVERIFY(QTest::qWaitFor([] { return false; }, 60'000)); // the end comes from outside
    }

private:
    static QCoro::Task<> appendForever(AuditLog *log, QString lane)
    {
        for (int i = 0;; ++i) {
            const auto call = lane + "-" + QString::number(i);
            const bool isRead = QRandomGenerator::global()->bounded(3) == 0;
            auto event = isRead ? AuditBook::read(call) : AuditBook::intent(call);
            event.body.insert("before", QString(QRandomGenerator::global()->bounded(2000), u'x'));
            auto seq = co_await log->append(event);
            acknowledge(seq, call);
            if (isRead || !seq)
                continue;
            auto outcome = AuditBook::outcome(call);
            auto ended = co_await log->append(outcome);
            acknowledge(ended, call);
        }
    }
    static void acknowledge(const Result<qint64> &seq, const QString &call)
    {
        const auto line = QByteArray("ack ") + QByteArray::number(seq.valueOr(-1)) + " " + call.toUtf8() + "\n";
        if (::write(STDOUT_FILENO, line.constData(), size_t(line.size())) < 0)
            ::_exit(1);
    }
};

/// Nothing that was acknowledged is lost, whenever the program dies.
class DurabilityTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void losesNothingWhenItIsKilled();
    void keepsWalAndFullSync();

private:
    QHash<qint64, QString> m_acknowledged;
    void runAndKill(const QString &folder, int run);
    void checkEverything(const QString &folder, int run);
};

void DurabilityTest::runAndKill(const QString &folder, int run)
{
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LABHELM_TEST_APPENDS_TO", folder);
    environment.insert("LABHELM_TEST_RUN", QString::number(run));
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::SeparateChannels);
    program.start(QCoreApplication::applicationFilePath(), {"AppendingProgram"});
    QVERIFY(program.waitForStarted());
    // In some runs at a moment from the first instant on, in others once it writes.
    const bool waitsForWrites = run % 4 != 0;
    QByteArray output;
    QElapsedTimer time;
    time.start();
    while (waitsForWrites && !output.contains("ack ") && time.elapsed() < 20'000) {
        program.waitForReadyRead(100);
        output += program.readAllStandardOutput();
    }
    const auto moment = time.elapsed() + QRandomGenerator::global()->bounded(waitsForWrites ? 120 : 60);
    while (time.elapsed() < moment) {
        program.waitForReadyRead(int(std::max<qint64>(1, moment - time.elapsed())));
        output += program.readAllStandardOutput();
    }
    program.kill();
    QVERIFY(program.waitForFinished());
    output += program.readAllStandardOutput();
    for (const auto &line : output.left(output.lastIndexOf('\n')).split('\n')) {
        const auto words = line.split(' ');
        if (words.size() != 3 || words[0] != "ack")
            continue;
        QVERIFY2(words[1].toLongLong() > 0, line);
        QVERIFY2(!m_acknowledged.contains(words[1].toLongLong()), line);
        m_acknowledged.insert(words[1].toLongLong(), QString::fromUtf8(words[2]));
    }
}

void DurabilityTest::checkEverything(const QString &folder, int run)
{
    FileStore secrets(folder + "/keychain");
    AuditLog log(folder + "/data", secrets);
    const auto opened = log.open();
    QVERIFY2(opened, opened ? "" : qPrintable(opened.error().message + opened.error().detail));
    QTRY_VERIFY(log.anchor().state() != ChainAnchor::State::Unread);
    QVERIFY2(log.anchor().state() == ChainAnchor::State::Kept, qPrintable(log.anchor().finding()));
    AuditQuery query(log);
    const auto report = await(query.verify());
    QVERIFY2(report && report->isWhole, report ? qPrintable(report->finding) : qPrintable(report.error().message));
    auto database = Database::open(log.file(), ":/migrations/audit", Database::Access::Read);
    auto rows = (*database)->prepare("SELECT seq, call_id FROM event");
    QVERIFY(rows && (*database)->run(*rows));
    QHash<qint64, QString> kept;
    while (rows->next())
        kept.insert(rows->value(0).toLongLong(), rows->value(1).toString());
    for (auto it = m_acknowledged.cbegin(); it != m_acknowledged.cend(); ++it)
        QVERIFY2(kept.value(it.key()) == it.value(), qPrintable(QString("run %1: event %2").arg(run).arg(it.key())));
    // What was begun and not ended is found by the next start, and nothing else.
    const auto open = (*database)->value("SELECT count(*) FROM (SELECT call_id FROM event WHERE kind = 'intent' EXCEPT "
                                         "SELECT call_id FROM event WHERE kind = 'outcome')");
    const auto unsettled = await(query.unsettled());
    QVERIFY(open && unsettled);
    QCOMPARE(unsettled->size(), open->toInt());
}

void DurabilityTest::losesNothingWhenItIsKilled()
{
    QTemporaryDir folder;
    const int runs = qEnvironmentVariableIsSet("LABHELM_LONG") ? 300 : 30;
    for (int run = 1; run <= runs; ++run) {
        runAndKill(folder.path(), run);
        if (run % 5 == 0 || run == runs)
            checkEverything(folder.path(), run);
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY(m_acknowledged.size() > runs);
    qInfo("%d kills, %d acknowledged events, none lost", runs, int(m_acknowledged.size()));
}

void DurabilityTest::keepsWalAndFullSync()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.append(AuditBook::intent("c1")));
    auto database = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
    QVERIFY(database);
    QCOMPARE((*database)->value("PRAGMA journal_mode")->toString(), "wal");
    QCOMPARE((*database)->value("PRAGMA synchronous")->toInt(), 2); // FULL, also where nobody asks
    QCOMPARE((*database)->value("PRAGMA busy_timeout")->toInt(), 2000);
}

LABHELM_TEST(AppendingProgram)
LABHELM_TEST(DurabilityTest)
#include "DurabilityTest.moc"
