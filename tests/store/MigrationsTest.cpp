#include "store/Migrations.h"
#include "store/Database.h"
#include "support/TestMain.h"
#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QVariant>

/// Opens a database, which takes its steps; for MigrationsTest to kill. Does nothing unless it was told a file.
class MigratingProgram : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void opensUntilItIsKilled()
    {
        const auto file = qEnvironmentVariable("LABHELM_TEST_MIGRATES");
        if (file.isEmpty())
            return;
        if (::write(STDOUT_FILENO, "opening\n", 8) != 8)
            return;
        QVERIFY(Database::open(file, qEnvironmentVariable("LABHELM_TEST_MIGRATIONS"), Database::Access::Write));
    }
};

/// Numbered steps from one schema to the next.
class MigrationsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void holdsEveryStepOfTheProgram();
    void takesStatementsApartAtEmptyLines();
    void refusesAGap();
    void refusesAMissingFolder();
    void takesEachStepOnceAndInOrder();
    void copiesTheFileBeforeItChangesIt();
    void copiesWhatIsStillInTheWriteAheadLog();
    void changesNothingWhenAStepFails();
    void changesNothingWhenTheCopyFails();
    void changesNothingInADamagedFile();
    void readsANewerSchemaAndRefusesToWriteIt();
    void refusesToReadAnOlderSchema();
    void survivesAKillInTheMiddleOfAStep();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString file() const { return m_folder->filePath("data/test.sqlite"); }
    QString migrations() const { return m_folder->filePath("migrations"); }
    void step(const QString &name, const QByteArray &sql) const
    {
        QFile file(migrations() + '/' + name);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(sql) == sql.size());
    }
    Result<std::unique_ptr<Database>> open(Database::Access access = Database::Access::Write) const
    {
        return Database::open(file(), migrations(), access);
    }
    int rows(const QString &name) const
    {
        auto database = Database::open(name, migrations(), Database::Access::Read);
        return database ? (*database)->value("SELECT count(*) FROM thing").valueOr(-1).toInt() : -1;
    }
    static int versionOf(const std::unique_ptr<Database> &database) { return database->version().valueOr(-1); }
};

void MigrationsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkdir("migrations"));
    step("001-things.sql", "CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT);\n");
}

void MigrationsTest::holdsEveryStepOfTheProgram()
{
    (void)open(); // makes the resource known
    const QDir source(LABHELM_SOURCE "/core/store/migrations");
    const auto schemas = source.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QVERIFY(schemas.contains("audit"));
    for (const auto &schema : schemas) {
        const auto inside = QDir(":/migrations/" + schema).entryList(QDir::Files, QDir::Name);
        QCOMPARE(inside, QDir(source.filePath(schema)).entryList(QDir::Files, QDir::Name));
        const auto known = Migrations::in(":/migrations/" + schema);
        QVERIFY(known);
        QCOMPARE(known->newest(), inside.size());
    }
}

void MigrationsTest::takesStatementsApartAtEmptyLines()
{
    step("002-more.sql", "-- A word.\nCREATE TABLE a (b TEXT);\n\n\n-- Another.\nCREATE TRIGGER t AFTER INSERT ON "
                         "a\nBEGIN\n    SELECT 1;\n"
                         "END;\n   \n-- The end.");
    const auto known = Migrations::in(migrations());
    QVERIFY(known);
    QCOMPARE(known->newest(), 2);
    QCOMPARE(known->steps[1].name, "more");
    QCOMPARE(known->steps[1].statements,
             QStringList(
                 {"CREATE TABLE a (b TEXT);\n", "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n    SELECT 1;\nEND;\n"}));
    QVERIFY(open());
}

void MigrationsTest::refusesAGap()
{
    step("003-late.sql", "CREATE TABLE late (a TEXT);\n");
    QVERIFY(!Migrations::in(migrations()));
    QCOMPARE(open().error().kind, Error::Kind::Internal);
}

void MigrationsTest::refusesAMissingFolder()
{
    QVERIFY(!Migrations::in(m_folder->filePath("nowhere")));
}

void MigrationsTest::takesEachStepOnceAndInOrder()
{
    step("002-name.sql", "ALTER TABLE thing ADD COLUMN size INTEGER;\n\nINSERT INTO thing VALUES (1, 'one', 5);\n");
    step("003-double.sql", "UPDATE thing SET size = size * 2;\n");
    for (int i = 0; i < 3; ++i) {
        auto database = open();
        QVERIFY(database);
        QCOMPARE(versionOf(*database), 3);
        QCOMPARE((*database)->value("SELECT size FROM thing")->toInt(), 10);
    }
    QCOMPARE(QDir(QFileInfo(file()).path()).entryList({"*schema*"}).size(), 0); // a new file needs no copy
}

void MigrationsTest::copiesTheFileBeforeItChangesIt()
{
    QVERIFY((*open())->run("INSERT INTO thing VALUES (1, 'one')"));
    step("002-empty.sql", "DELETE FROM thing;\n");
    QCOMPARE(versionOf(*open()), 2);
    QCOMPARE(rows(file()), 0);
    const auto aside = file() + ".schema-1";
    QCOMPARE(QFile::permissions(aside) & QFile::Permissions(0x0077), QFile::Permissions());
    QFile::remove(migrations() + "/002-empty.sql");
    QCOMPARE(rows(aside), 1);
}

void MigrationsTest::copiesWhatIsStillInTheWriteAheadLog()
{
    auto other = open();
    QVERIFY((*other)->run("INSERT INTO thing VALUES (1, 'in the log only')"));
    QVERIFY(QFileInfo(file() + "-wal").size() > 0);
    step("002-empty.sql", "DELETE FROM thing;\n");
    QVERIFY(open());
    QFile::remove(migrations() + "/002-empty.sql");
    QCOMPARE(rows(file() + ".schema-1"), 1);
}

void MigrationsTest::changesNothingWhenAStepFails()
{
    QVERIFY((*open())->run("INSERT INTO thing VALUES (1, 'one')"));
    step("002-bad.sql", "DELETE FROM thing;\n\nALTER TABLE nothing ADD COLUMN a;\n");
    const auto failed = open();
    QVERIFY(!failed);
    QCOMPARE(failed.error().kind, Error::Kind::Unavailable);
    step("002-bad.sql", "ALTER TABLE thing ADD COLUMN a;\n");
    auto database = open();
    QVERIFY(database);
    QCOMPARE((*database)->value("SELECT count(*) FROM thing")->toInt(), 1);
}

void MigrationsTest::changesNothingWhenTheCopyFails()
{
    QVERIFY((*open())->run("INSERT INTO thing VALUES (1, 'one')"));
    step("002-empty.sql", "DELETE FROM thing;\n");
    QVERIFY(QDir().mkpath(file() + ".schema-1/in the way"));
    const auto failed = open();
    QVERIFY(!failed);
    QVERIFY2(failed.error().message.contains("no copy"), qPrintable(failed.error().message));
    QFile::remove(migrations() + "/002-empty.sql");
    QCOMPARE(rows(file()), 1);
    QCOMPARE(QDir(QFileInfo(file()).path()).entryList({"*.part"}).size(), 0);
}

void MigrationsTest::changesNothingInADamagedFile()
{
    {
        auto database = open();
        QVERIFY((*database)->run(
            "INSERT INTO thing WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
            "SELECT i, 'some name' FROM n"));
    }
    QFile damaged(file());
    QVERIFY(damaged.open(QIODevice::ReadWrite) && damaged.seek(5 * 4096) &&
            damaged.write(QByteArray(4096, '\0')) == 4096);
    damaged.close();
    QVERIFY(damaged.open(QIODevice::ReadOnly));
    const auto before = damaged.readAll();
    step("002-empty.sql", "DELETE FROM thing WHERE id = 1;\n");
    const auto failed = open();
    QVERIFY(!failed);
    QVERIFY2(failed.error().message.contains("damaged"), qPrintable(failed.error().message));
    damaged.seek(0);
    QCOMPARE(damaged.readAll(), before);
}

void MigrationsTest::readsANewerSchemaAndRefusesToWriteIt()
{
    step("002-more.sql", "ALTER TABLE thing ADD COLUMN a;\n");
    QVERIFY((*open())->run("INSERT INTO thing VALUES (1, 'one', 2)"));
    QFile::remove(migrations() + "/002-more.sql");
    const auto refused = open();
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Error::Kind::Unavailable);
    QVERIFY2(refused.error().message.contains("newer Labhelm"), qPrintable(refused.error().message));
    QCOMPARE(rows(file()), 1);
}

void MigrationsTest::refusesToReadAnOlderSchema()
{
    QVERIFY(open());
    step("002-more.sql", "ALTER TABLE thing ADD COLUMN a;\n");
    QVERIFY(!open(Database::Access::Read));
    QVERIFY(open());
    QVERIFY(open(Database::Access::Read));
}

void MigrationsTest::survivesAKillInTheMiddleOfAStep()
{
    QVERIFY((*open())->run(
        "INSERT INTO thing WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        "SELECT i, 'some name' FROM n"));
    const QByteArray grow = "INSERT INTO thing SELECT id + (SELECT max(id) FROM thing), name FROM thing;\n\n";
    const int kills = qEnvironmentVariableIsSet("LABHELM_LONG") ? 200 : 12;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LABHELM_TEST_MIGRATES", file());
    environment.insert("LABHELM_TEST_MIGRATIONS", migrations());
    QFile::copy(file(), m_folder->filePath("first"));
    int done = 0;
    for (int i = 0; i < kills; ++i) {
        QFile::remove(file() + "-wal");
        QFile::remove(file() + "-shm");
        QFile::remove(file());
        QVERIFY(QFile::copy(m_folder->filePath("first"), file()));
        step("002-double.sql", grow + "CREATE INDEX by_name ON thing (name, id);\n\n" + grow);
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QCoreApplication::applicationFilePath(), {"MigratingProgram"});
        while (program.waitForReadyRead(10'000) && !program.readAllStandardOutput().contains("opening\n")) {
        }
        program.waitForFinished(QRandomGenerator::global()->bounded(500));
        program.kill();
        program.waitForFinished();
        QFile::remove(migrations() + "/002-double.sql");
        const int found = rows(file()); // reads either schema
        QVERIFY2(found == 20'000 || found == 80'000, qPrintable(QString::number(found)));
        done += found == 80'000 ? 1 : 0;
        QVERIFY(!QFileInfo::exists(file() + ".schema-1") || rows(file() + ".schema-1") == 20'000);
        step("002-double.sql", grow + "CREATE INDEX by_name ON thing (name, id);\n\n" + grow);
        auto database = open();
        QVERIFY(database && (*database)->check());
        QCOMPARE((*database)->value("SELECT count(*) FROM thing")->toInt(), 80'000);
        QFile::remove(migrations() + "/002-double.sql");
    }
    qInfo("%d kills, in %d the step was done", kills, done);
    QVERIFY(done < kills);
}

LABHELM_TEST(MigratingProgram)
LABHELM_TEST(MigrationsTest)
#include "MigrationsTest.moc"
