#include "store/Database.h"
#include "support/AuditBook.h"
#include "support/TestMain.h"
#include <QVariant>

/// A file that is not what it was: said at start, left as it is, nothing written into it.
class DamageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void refusesADamagedFile_data();
    void refusesADamagedFile();
    void refusesAFolderInPlaceOfTheFile();
    void refusesANewerSchemaAndStillReadsIt();
    void noticesALostWriteAheadLog();
    void checksALargeFileBeforeTheFirstWrite();

private:
    static void fill(AuditBook &book, int calls)
    {
        QVERIFY(book.open());
        std::vector<Future<qint64>> answers;
        for (int i = 0; i < calls; ++i) {
            auto event = AuditBook::intent(QString::number(i));
            event.body.insert("before", QString(1500, u'b'));
            answers.push_back(book.log().append(event));
        }
        for (auto &answer : answers)
            QVERIFY(await(std::move(answer)));
    }
    static QByteArray bytes(const QString &name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void put(const QString &name, const QByteArray &bytes)
    {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
};

void DamageTest::refusesADamagedFile_data()
{
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("size");
    QTest::addColumn<char>("with");
    QTest::addColumn<int>("cutTo");
    QTest::newRow("zeroed header") << 0 << 100 << '\0' << -1;
    QTest::newRow("zeroed first page") << 0 << 4096 << '\0' << -1;
    QTest::newRow("text in its place") << 0 << 4096 << 'x' << -1;
    QTest::newRow("zeroed page in the middle") << 10 * 4096 << 4096 << '\0' << -1;
    QTest::newRow("garbage in the middle") << 10 * 4096 << 8192 << '\x5a' << -1;
    QTest::newRow("cut in the middle of a page") << 0 << 0 << ' ' << 10 * 4096 + 100;
    QTest::newRow("cut between pages") << 0 << 0 << ' ' << 10 * 4096;
    QTest::newRow("only the header left") << 0 << 0 << ' ' << 100;
}

void DamageTest::refusesADamagedFile()
{
    QFETCH(const int, from);
    QFETCH(const int, size);
    QFETCH(const char, with);
    QFETCH(const int, cutTo);
    AuditBook book;
    fill(book, 100);
    book.close();
    auto content = bytes(book.file());
    QVERIFY(content.size() > 40 * 4096);
    content.replace(from, size, QByteArray(size, with));
    if (cutTo >= 0)
        content.truncate(cutTo);
    put(book.file(), content);

    const auto opened = book.reopen();
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Error::Kind::Unavailable);
    QVERIFY2(opened.error().message.contains("damaged"), qPrintable(opened.error().message));
    const auto refused = book.append(AuditBook::intent("after"));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Error::Kind::Unavailable);
    QCOMPARE(book.log().trouble(), refused.error().message);
    book.close();
    QCOMPARE(bytes(book.file()), content); // never "repaired"

    // What the sentence advises works.
    QVERIFY(QFile::rename(book.file(), book.file() + ".damaged"));
    QFile::remove(book.file() + "-wal");
    QFile::remove(book.file() + "-shm");
    QVERIFY(book.reopen());
    QCOMPARE(book.append(AuditBook::intent("after")).valueOr(0), 1);
}

void DamageTest::refusesAFolderInPlaceOfTheFile()
{
    AuditBook book;
    QVERIFY(QDir().mkpath(book.file()));
    const auto opened = book.open();
    QVERIFY(!opened);
    QVERIFY2(opened.error().message.contains("it is not a file"), qPrintable(opened.error().message));
}

void DamageTest::refusesANewerSchemaAndStillReadsIt()
{
    AuditBook book;
    fill(book, 1);
    book.close();
    {
        auto database = Database::open(book.file(), ":/migrations/audit", Database::Access::Write);
        QVERIFY((*database)->run("ALTER TABLE call ADD COLUMN later TEXT"));
        QVERIFY((*database)->run("PRAGMA user_version = 99"));
    }
    const auto content = bytes(book.file());
    const auto opened = book.reopen();
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Error::Kind::Unavailable);
    QVERIFY2(opened.error().message.contains("newer Labhelm"), qPrintable(opened.error().message));
    QVERIFY(!book.append(AuditBook::intent("after")));
    QCOMPARE(book.page().size(), 1);
    QVERIFY(await(book.query().verify())->isWhole);
    book.close();
    QCOMPARE(bytes(book.file()), content);
}

void DamageTest::noticesALostWriteAheadLog()
{
    AuditBook book;
    fill(book, 5);
    QVERIFY(await(book.log().anchor().store()));
    // As after a crash: the file without what was not yet brought into it.
    const auto content = bytes(book.file());
    QVERIFY(bytes(book.file() + "-wal").size() > 0);
    book.close();
    put(book.file(), content);
    QVERIFY(book.reopen());
    QCOMPARE(book.log().anchor().state(), ChainAnchor::State::Broken);
    QVERIFY(!await(book.query().verify())->isWhole);
}

void DamageTest::checksALargeFileBeforeTheFirstWrite()
{
    AuditBook book;
    fill(book, 1);
    auto large = AuditBook::intent("large");
    large.body.insert("before", QString(6 * 1024 * 1024, u'l'));
    for (const auto *id : {"l1", "l2", "l3"}) {
        large.callId = id;
        QVERIFY(book.append(large));
    }
    fill(book, 100);
    book.close();
    auto content = bytes(book.file());
    QVERIFY(content.size() > 16 * 1024 * 1024);
    content.replace(content.size() - 20 * 4096, 4096, QByteArray(4096, '\0'));
    put(book.file(), content);
    const auto opened = book.reopen(); // answers before the whole file was read
    const auto refused = book.append(AuditBook::intent("after"));
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains("damaged"), qPrintable(refused.error().message));
    QVERIFY(opened);
    book.close();
    QCOMPARE(bytes(book.file()), content);
}

LABHELM_TEST(DamageTest)
#include "DamageTest.moc"
