#include "policy/Grants.h"
#include "support/TestMain.h"
#include <QFile>
#include <QTemporaryDir>

class GrantsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void remembersWhatEachAgentMayDo();
    void grantsNothingWithoutAFile();
    void isReadableByItsOwnerOnly();
    void grantsNothingFromADamagedFileAndKeepsIt_data();
    void grantsNothingFromADamagedFileAndKeepsIt();
    void saysWhenItCannotBeSaved();

private:
    QTemporaryDir m_folder;
    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }
};

void GrantsTest::remembersWhatEachAgentMayDo()
{
    Policy before;
    before.grant(QStringLiteral("claude"), Preset::AskForWrites);
    before.grant(QStringLiteral("goose"), Preset::Observe);
    before.grant(QStringLiteral("nightly"), Preset::Operate);
    QVERIFY(Grants(path("kept.json")).save(before));

    Policy after;
    QVERIFY(Grants(path("kept.json")).load(after));
    QCOMPARE(after.grants(), before.grants());
}

void GrantsTest::grantsNothingWithoutAFile()
{
    Policy policy;
    QVERIFY(Grants(path("none.json")).load(policy));
    QVERIFY(policy.grants().isEmpty());
}

void GrantsTest::isReadableByItsOwnerOnly()
{
    QVERIFY(Grants(path("mode.json")).save(Policy()));
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(path("mode.json")) & others));
}

void GrantsTest::grantsNothingFromADamagedFileAndKeepsIt_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("cut off") << QByteArray(R"({"grants":{"claude":"op)");
    QTest::newRow("unknown preset") << QByteArray(R"({"grants":{"claude":"everything"}})");
    QTest::newRow("one good, one bad") << QByteArray(R"({"grants":{"claude":"operate","goose":1}})");
    QTest::newRow("the same agent twice") << QByteArray(R"({"grants":{"claude":"observe","claude":"operate"}})");
    QTest::newRow("empty") << QByteArray();
}

void GrantsTest::grantsNothingFromADamagedFileAndKeepsIt()
{
    QFETCH(QByteArray, text);
    QFile file(path("damaged.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();

    Policy policy;
    Grants grants(path("damaged.json"));
    QCOMPARE(grants.load(policy).error().kind, Error::Kind::Malformed);
    QVERIFY(policy.grants().isEmpty());
    QVERIFY(!grants.save(policy));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), text);
}

void GrantsTest::saysWhenItCannotBeSaved()
{
    const auto saved = Grants(path("no/such/folder/grants.json")).save(Policy());
    QVERIFY(!saved);
    QCOMPARE(saved.error().kind, Error::Kind::Unavailable);
}

LABHELM_TEST(GrantsTest)
#include "GrantsTest.moc"
