#include "store/Database.h"
#include "support/TestMain.h"
#include <QDir>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QVariant>
#include <thread>

/// One connection to one file.
class DatabaseTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void makesFolderAndFileForTheOwnerOnly();
    void tightensWhatWasOpenToOthers();
    void writesInWalModeWithFullSync();
    void keepsAllOfATransactionOrNothing();
    void tellsAnErrorFromTheEndOfTheRows();
    void refusesToWriteThroughAReadingConnection();
    void waitsTwoSecondsForALock();
    void readsWhileAnotherWrites();
    void givesEachThreadItsOwnConnection();
    void saysWhenTheDiskIsFull();
    void knowsNetworkFileSystems();
    void neverTakesTextForSql();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString file() const { return m_folder->filePath("data/test.sqlite"); }
    QString migrations() const { return m_folder->filePath("migrations"); }
    Result<std::unique_ptr<Database>> open(Database::Access access = Database::Access::Write) const
    {
        return Database::open(file(), migrations(), access);
    }
};

void DatabaseTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkdir("migrations"));
    QFile sql(migrations() + "/001-things.sql");
    QVERIFY(sql.open(QIODevice::WriteOnly));
    sql.write("-- Things.\nCREATE TABLE thing (\n    id INTEGER PRIMARY KEY,\n    name TEXT\n) STRICT;\n\nCREATE "
              "TRIGGER t AFTER INSERT ON "
              "thing\nBEGIN\n    SELECT 1;\n    SELECT 2;\nEND;\n");
}

static QFile::Permissions modeOf(const QString &path)
{
    return QFile::permissions(path) & QFile::Permissions(0x7077);
}

void DatabaseTest::makesFolderAndFileForTheOwnerOnly()
{
    auto database = open();
    QVERIFY(database && (*database)->run("INSERT INTO thing VALUES (1, 'a')"));
    const auto owner = QFile::ReadOwner | QFile::WriteOwner;
    QCOMPARE(modeOf(QFileInfo(file()).path()), QFile::Permissions(owner | QFile::ExeOwner));
    for (const auto *suffix : {"", "-wal", "-shm"})
        QCOMPARE(modeOf(file() + suffix), QFile::Permissions(owner));
}

void DatabaseTest::tightensWhatWasOpenToOthers()
{
    QVERIFY(open());
    QVERIFY(QFile::setPermissions(file(), QFile::Permissions(0x6644)));
    QVERIFY(QFile::setPermissions(QFileInfo(file()).path(), QFile::Permissions(0x7755)));
    QVERIFY(open());
    QCOMPARE(modeOf(file()), QFile::Permissions(QFile::ReadOwner | QFile::WriteOwner));
    QCOMPARE(modeOf(QFileInfo(file()).path()),
             QFile::Permissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

void DatabaseTest::writesInWalModeWithFullSync()
{
    auto database = open();
    QCOMPARE((*database)->value("PRAGMA journal_mode")->toString(), "wal");
    QCOMPARE((*database)->value("PRAGMA synchronous")->toInt(), 2);
    QCOMPARE((*database)->value("PRAGMA busy_timeout")->toInt(), 2000);
}

void DatabaseTest::keepsAllOfATransactionOrNothing()
{
    auto database = open();
    auto &db = **database;
    QVERIFY(db.transact([&] { return db.run("INSERT INTO thing VALUES (1, 'a')"); }));
    const auto failed = db.transact([&]() -> Result<> {
        auto done = db.run("INSERT INTO thing VALUES (2, 'b')");
        return done ? db.run("INSERT INTO thing VALUES (1, 'c')") : done;
    });
    QVERIFY(!failed);
    QCOMPARE(db.value("SELECT count(*) FROM thing")->toInt(), 1);
    const auto refused = db.transact([&]() -> Result<> {
        (void)db.run("INSERT INTO thing VALUES (3, 'c')");
        return Error{Error::Kind::Conflict, "No."};
    });
    QCOMPARE(refused.error().kind, Error::Kind::Conflict);
    QCOMPARE(db.value("SELECT count(*) FROM thing")->toInt(), 1);
    QVERIFY(db.transact([] { return Result<>(); }));
}

void DatabaseTest::tellsAnErrorFromTheEndOfTheRows()
{
    auto database = open();
    auto &db = **database;
    auto query = db.prepare(
        "SELECT CASE WHEN value < 3 THEN value ELSE abs(-9223372036854775808) END FROM (SELECT 1 AS value UNION ALL "
        "SELECT 2 UNION ALL SELECT 3)");
    QVERIFY(query && db.run(*query));
    int rows = 0;
    while (query->next())
        ++rows;
    QCOMPARE(rows, 2);
    QVERIFY(!db.ended(*query));
    auto sound = db.prepare("SELECT 1 WHERE 0");
    QVERIFY(sound && db.run(*sound) && !sound->next());
    QVERIFY(db.ended(*sound));
    QVERIFY(!db.value("SELECT 1 WHERE 0"));
    QVERIFY(!db.prepare("SELECT nothing"));
}

void DatabaseTest::refusesToWriteThroughAReadingConnection()
{
    QVERIFY(!open(Database::Access::Read)); // makes nothing
    QVERIFY(!QFileInfo::exists(file()));
    QVERIFY(open());
    auto database = open(Database::Access::Read);
    QVERIFY(database);
    const auto done = (*database)->run("INSERT INTO thing VALUES (1, 'a')");
    QVERIFY(!done);
    QVERIFY2(done.error().message.contains("read-only"), qPrintable(done.error().message));
}

void DatabaseTest::waitsTwoSecondsForALock()
{
    auto one = open();
    auto two = open();
    QVERIFY((*one)->run("BEGIN IMMEDIATE"));
    QElapsedTimer time;
    time.start();
    const auto refused = (*two)->run("INSERT INTO thing VALUES (1, 'a')");
    QVERIFY(!refused);
    QVERIFY2(time.elapsed() >= 1900 && time.elapsed() < 10'000, qPrintable(QString::number(time.elapsed())));
    QCOMPARE(refused.error().kind, Error::Kind::Unavailable);
    QCOMPARE(refused.error().message, QString("The database %1 is in use by another program.").arg(file()));
    QVERIFY((*one)->run("COMMIT"));
    QVERIFY((*two)->run("INSERT INTO thing VALUES (1, 'a')"));
}

void DatabaseTest::readsWhileAnotherWrites()
{
    auto writer = open();
    QVERIFY((*writer)->run("INSERT INTO thing VALUES (1, 'a')"));
    auto reader = open(Database::Access::Read);
    QVERIFY((*writer)->run("BEGIN IMMEDIATE") && (*writer)->run("INSERT INTO thing VALUES (2, 'b')"));
    QCOMPARE((*reader)->value("SELECT count(*) FROM thing")->toInt(), 1);
    QVERIFY((*writer)->run("COMMIT"));
    QCOMPARE((*reader)->value("SELECT count(*) FROM thing")->toInt(), 2);
}

void DatabaseTest::givesEachThreadItsOwnConnection()
{
    QVERIFY(open());
    std::vector<std::thread> threads;
    std::atomic<int> written = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([this, t, &written] {
            auto database = open();
            for (int i = 0; database && i < 25; ++i)
                written += (*database)->run(QString("INSERT INTO thing VALUES (%1, 'x')").arg(t * 100 + i)) ? 1 : 0;
        });
    for (auto &thread : threads)
        thread.join();
    QCOMPARE(int(written), 100);
    QCOMPARE((*open())->value("SELECT count(*) FROM thing")->toInt(), 100);
}

void DatabaseTest::saysWhenTheDiskIsFull()
{
    auto database = open();
    auto &db = **database;
    QVERIFY(db.run("INSERT INTO thing VALUES (1, 'kept')"));
    QVERIFY(db.value("PRAGMA max_page_count = 6"));
    const auto full = db.run("INSERT INTO thing VALUES (2, zeroblob(100000) || 'x')");
    QVERIFY(!full);
    QCOMPARE(full.error().message, QString("There is no space left on the disk for the database %1.").arg(file()));
    QVERIFY(db.value("PRAGMA max_page_count = 1000"));
    QVERIFY(db.run("INSERT INTO thing VALUES (2, zeroblob(100000) || 'x')"));
    QCOMPARE(db.value("SELECT name FROM thing WHERE id = 1")->toString(), "kept");
}

void DatabaseTest::knowsNetworkFileSystems()
{
    for (const auto *type : {"nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "NFS4"})
        QVERIFY2(Database::isNetworkFileSystem(type), type);
    for (const auto *type : {"ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "fuse.gocryptfs", ""})
        QVERIFY2(!Database::isNetworkFileSystem(type), type);
}

void DatabaseTest::neverTakesTextForSql()
{
    auto database = open();
    auto &db = **database;
    auto query = db.prepare("INSERT INTO thing VALUES (?, ?)");
    const auto hostile = QStringLiteral("'); DROP TABLE thing; --\n\0x");
    query->bindValue(0, 1);
    query->bindValue(1, hostile);
    QVERIFY(db.run(*query));
    query->finish();
    QCOMPARE(db.value("SELECT name FROM thing")->toString(), hostile);
}

LABHELM_TEST(DatabaseTest)
#include "DatabaseTest.moc"
