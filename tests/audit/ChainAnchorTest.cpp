#include "support/AuditBook.h"
#include "support/TestMain.h"
#include <QJsonDocument>
#include <QSignalSpy>

/// A keychain that a test can lock, and that counts.
class MoodyStore : public SecretStore
{
public:
    Future<Secret> read(const QString &key) override
    {
        ++reads;
        if (isSilent)
            return m_silent.emplace_back(std::make_unique<Promise<Secret>>())->future();
        return isLocked ? ready<Secret>(locked()) : m_store.read(key);
    }
    Future<void> write(const QString &key, const Secret &value) override
    {
        ++writes;
        return isLocked ? ready<void>(locked()) : m_store.write(key, value);
    }
    Future<void> remove(const QString &key) override { return m_store.remove(key); }
    qint64 keptSeq()
    {
        const auto kept = await(m_store.read("audit/head"));
        return kept ? QJsonDocument::fromJson(kept->reveal()).object().value("seq").toInteger() : 0;
    }
    bool isLocked = false, isSilent = false;
    int reads = 0, writes = 0;

private:
    static Error locked() { return {Error::Kind::Unavailable, "The keyring is locked.", {}}; }
    MemoryStore m_store;
    std::vector<std::unique_ptr<Promise<Secret>>> m_silent;
};

/// The end of the chain in the keychain.
class ChainAnchorTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsTheEndOfTheLastSyncedEvent();
    void writesAtMostOnceASecond();
    void keepsTheEndAtTheEnd();
    void asksTheKeychainToKeepTheEndWhenNobodyClosesTheLog();
    void saysThatTheKeychainIsLockedAndWritesNothingElsewhere();
    void recordsWithoutAKeychain();
    void livesWithAKeychainThatNeverAnswers();
    void writesNothingBeforeItHasCompared();
    void anchorsAnewWhenTheKeychainWasLost();
    void takesForeignContentForBroken();
    void leavesTheEvidenceInTheKeychain();
};

using State = ChainAnchor::State;

void ChainAnchorTest::keepsTheEndOfTheLastSyncedEvent()
{
    QTemporaryDir folder;
    MoodyStore secrets;
    AuditLog log(folder.path(), secrets);
    QVERIFY(log.open());
    QVERIFY(await(log.append(AuditBook::intent("c1"))));
    QTRY_COMPARE(secrets.keptSeq(), 1);
    QVERIFY(await(log.append(AuditBook::read("r1")))); // not synced: the keychain must not know more than the disk
    QVERIFY(await(log.anchor().store()));
    QCOMPARE(secrets.keptSeq(), 1);
    QVERIFY(await(log.append(AuditBook::intent("c2"))));
    QVERIFY(await(log.anchor().store()));
    QCOMPARE(secrets.keptSeq(), 3);
}

void ChainAnchorTest::writesAtMostOnceASecond()
{
    QTemporaryDir folder;
    MoodyStore secrets;
    AuditLog log(folder.path(), secrets);
    QVERIFY(log.open());
    QElapsedTimer time;
    time.start();
    qint64 last = 0;
    while (time.elapsed() < 1500)
        last = await(log.append(AuditBook::intent("c" + QString::number(last)))).valueOr(0);
    QVERIFY(last > 10);
    QVERIFY2(secrets.writes <= 1 + time.elapsed() / 1000, qPrintable(QString::number(secrets.writes)));
    QTRY_COMPARE(secrets.keptSeq(), last);
    QVERIFY(secrets.writes <= 2 + time.elapsed() / 1000);
}

void ChainAnchorTest::keepsTheEndAtTheEnd()
{
    QTemporaryDir folder;
    MoodyStore secrets;
    AuditLog log(folder.path(), secrets);
    QVERIFY(log.open());
    for (int i = 0; i < 20; ++i)
        (void)log.append(AuditBook::intent(QString::number(i)));
    (void)log.append(AuditBook::read("r1")); // the end syncs reads too
    QVERIFY(await(log.close()));
    QCOMPARE(secrets.keptSeq(), 21);
}

void ChainAnchorTest::asksTheKeychainToKeepTheEndWhenNobodyClosesTheLog()
{
    QTemporaryDir folder;
    MoodyStore secrets;
    {
        AuditLog log(folder.path(), secrets);
        QVERIFY(log.open());
        QVERIFY(await(log.append(AuditBook::intent("c1"))));
        QVERIFY(await(log.append(AuditBook::intent("c2"))));
    }
    QCOMPARE(secrets.keptSeq(), 2);
}

void ChainAnchorTest::saysThatTheKeychainIsLockedAndWritesNothingElsewhere()
{
    QTemporaryDir folder;
    MoodyStore secrets;
    AuditLog log(folder.filePath("data"), secrets);
    QVERIFY(log.open());
    QVERIFY(await(log.append(AuditBook::intent("c1"))));
    QTRY_COMPARE(secrets.keptSeq(), 1);
    QSignalSpy changed(&log.anchor(), &ChainAnchor::changed);
    secrets.isLocked = true;
    QVERIFY(await(log.append(AuditBook::intent("c2"))));
    const auto stored = await(log.anchor().store());
    QVERIFY(!stored);
    QCOMPARE(stored.error().message, "The keyring is locked.");
    QCOMPARE(log.anchor().state(), State::Unavailable);
    QCOMPARE(log.anchor().finding(), "The keyring is locked.");
    QCOMPARE(changed.size(), 1);
    auto files = QDir(folder.filePath("data")).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    QCOMPARE(files, QStringList({"audit.sqlite", "audit.sqlite-shm", "audit.sqlite-wal"}));
    QCOMPARE(secrets.keptSeq(), 1);
    secrets.isLocked = false;
    QVERIFY(await(log.anchor().store()));
    QCOMPARE(log.anchor().state(), State::Kept);
    QCOMPARE(secrets.keptSeq(), 2);
}

void ChainAnchorTest::recordsWithoutAKeychain()
{
    QTemporaryDir folder;
    MoodyStore secrets;
    secrets.isLocked = true;
    AuditLog log(folder.path(), secrets);
    QVERIFY(log.open());
    QVERIFY(await(log.append(AuditBook::intent("c1"))));
    QTRY_COMPARE(log.anchor().state(), State::Unavailable);
    QCOMPARE(log.trouble(), "");
    AuditQuery query(log);
    const auto report = await(query.verify());
    QVERIFY(report && report->isWhole);
    QVERIFY2(report->finding.contains("could not be asked") && report->finding.contains("The keyring is locked."),
             qPrintable(report->finding));
    QCOMPARE(secrets.writes, 0);
    const auto closed = await(log.close());
    QVERIFY(!closed);
    QCOMPARE(closed.error().message, "The keyring is locked.");
}

void ChainAnchorTest::livesWithAKeychainThatNeverAnswers()
{
    QTemporaryDir folder;
    MoodyStore secrets;
    secrets.isSilent = true;
    auto log = std::make_unique<AuditLog>(folder.path(), secrets);
    QVERIFY(log->open());
    QVERIFY(await(log->append(AuditBook::intent("c1"))));
    QCOMPARE(log->anchor().state(), State::Unread);
    auto query = std::make_unique<AuditQuery>(*log);
    auto report = query->verify();
    query.reset();
    QVERIFY(!await(std::move(report)));
    QVERIFY(!await(log->close()));
    log.reset();
    QCOMPARE(secrets.writes, 0);
}

void ChainAnchorTest::writesNothingBeforeItHasCompared()
{
    QTemporaryDir folder;
    MoodyStore secrets;
    {
        AuditLog log(folder.path(), secrets);
        QVERIFY(log.open());
        QVERIFY(await(log.append(AuditBook::intent("c1"))));
        QVERIFY(await(log.close()));
    }
    const int written = secrets.writes;
    secrets.isLocked = true;
    AuditLog log(folder.path(), secrets);
    QVERIFY(log.open());
    QTRY_COMPARE(log.anchor().state(), State::Unavailable);
    secrets.isLocked = false;
    QVERIFY(await(log.append(AuditBook::intent("c2"))));
    QCOMPARE(secrets.writes, written); // an older copy could be under it
}

void ChainAnchorTest::anchorsAnewWhenTheKeychainWasLost()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.change("c1"));
    book.close();
    (void)await(book.secrets().remove("audit/head"));
    QVERIFY(book.reopen());
    QTRY_COMPARE(book.log().anchor().state(), State::Kept);
    const auto rows = book.page();
    QCOMPARE(rows.size(), 2);
    QVERIFY2(rows[0].headline.contains("The keychain held no end of the audit log"), qPrintable(rows[0].headline));
    const auto report = await(book.query().verify());
    QVERIFY(report && report->isWhole);
    QVERIFY2(report->finding.contains("anchored anew at event 4"), qPrintable(report->finding));
}

void ChainAnchorTest::takesForeignContentForBroken()
{
    AuditBook book;
    for (const auto *content :
         {"", "{}", "[1]", R"({"seq":1,"hash":"00","count":1})", R"({"seq":-1,"hash":"","count":1})"}) {
        (void)await(book.secrets().write("audit/head", Secret(content)));
        QVERIFY(book.reopen());
        QVERIFY2(book.log().anchor().state() == State::Broken, content);
        QVERIFY(book.append(AuditBook::intent("c1")));
        QVERIFY(!await(book.log().anchor().store()));
        QCOMPARE(await(book.secrets().read("audit/head"))->reveal(), QByteArray(content));
    }
}

void ChainAnchorTest::leavesTheEvidenceInTheKeychain()
{
    AuditBook book;
    QVERIFY(book.open());
    QVERIFY(book.change("c1"));
    book.close();
    const auto evidence = await(book.secrets().read("audit/head"))->reveal();
    QVERIFY(QFile::remove(book.file()));
    QVERIFY(book.reopen());
    QCOMPARE(book.log().anchor().state(), State::Broken);
    QVERIFY(book.change("c1"));
    QVERIFY(book.change("c2"));
    book.close();
    QCOMPARE(await(book.secrets().read("audit/head"))->reveal(), evidence);
}

LABHELM_TEST(ChainAnchorTest)
#include "ChainAnchorTest.moc"
