#include "policy/Grants.h"
#include "support/TestMain.h"
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>

class GrantsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void remembersWhatEachAgentMayDo();
    void grantsNothingWithoutAFile();
    void remembersWhoIsHeldAndWhetherThingsWereCounted();
    void isReadableByItsOwnerOnly();
    void grantsNothingFromADamagedFileAndKeepsIt_data();
    void grantsNothingFromADamagedFileAndKeepsIt();
    void saysWhenItCannotBeSaved();

    void grantsNothingFromAFileThatAnotherProgramChanged_data();
    void grantsNothingFromAFileThatAnotherProgramChanged();
    void putsAChangedFileAsideWhenAPersonChoosesAgain();
    void grantsNothingAndKeepsTheFileWhileTheKeyringIsAway();

private:
    static QByteArray sealed(const QByteArray &text)
    {
        auto content = QJsonDocument::fromJson(text).object();
        const auto written = QJsonDocument(content).toJson(QJsonDocument::Compact);
        content.insert(QStringLiteral("seal"), QString::fromLatin1(Seal(Secret("key")).of(written)));
        return QJsonDocument(content).toJson(QJsonDocument::Compact);
    }
    static Grants grantsIn(const QString &file) { return Grants(file, Seal(Secret("key"))); }
    static QByteArray contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void write(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QTemporaryDir m_folder;
    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }
};

void GrantsTest::remembersWhatEachAgentMayDo()
{
    Policy before;
    before.grant(QStringLiteral("claude"), Preset::AskForWrites);
    before.grant(QStringLiteral("goose"), Preset::Observe);
    before.grant(QStringLiteral("nightly"), Preset::Operate);
    Rule rule;
    rule.id = QStringLiteral("r1");
    rule.actor = QStringLiteral("claude");
    rule.operation = QStringLiteral("snapshot.create");
    rule.verdict = Verdict::Allow;
    before.setRule(rule);
    QVERIFY(grantsIn(path("kept.json")).save(before));

    Policy after;
    QVERIFY(grantsIn(path("kept.json")).load(after));
    QCOMPARE(after.grants(), before.grants());
    QVERIFY(after.rules() == before.rules());
}

void GrantsTest::grantsNothingWithoutAFile()
{
    Policy policy;
    QVERIFY(grantsIn(path("none.json")).load(policy));
    QVERIFY(policy.grants().isEmpty());
}

void GrantsTest::remembersWhoIsHeldAndWhetherThingsWereCounted()
{
    Policy policy;
    policy.grant(QStringLiteral("claude"), Preset::Operate);
    policy.hold(QStringLiteral("claude"));
    auto grants = grantsIn(path("held.json"));
    QVERIFY(!grants.hasCounters());
    grants.setHasCounters();
    QVERIFY(grants.save(policy));
    Policy after;
    auto again = grantsIn(path("held.json"));
    QVERIFY(again.load(after));
    QVERIFY(after.isHeld(QStringLiteral("claude")));
    QCOMPARE(after.granted(QStringLiteral("claude")), Preset::Operate);
    QVERIFY(again.hasCounters());
}

void GrantsTest::isReadableByItsOwnerOnly()
{
    QVERIFY(grantsIn(path("mode.json")).save(Policy()));
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(path("mode.json")) & others));
}

void GrantsTest::grantsNothingFromADamagedFileAndKeepsIt_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("cut off") << QByteArray(R"({"grants":{"claude":"op)");
    QTest::newRow("unknown preset") << sealed(R"({"grants":{"claude":"everything"},"rules":[]})");
    QTest::newRow("one good, one bad") << sealed(R"({"grants":{"claude":"operate","goose":1},"rules":[]})");
    QTest::newRow("no rules") << sealed(R"({"grants":{"claude":"operate"}})");
    QTest::newRow("half a rule") << sealed(R"({"grants":{"claude":"operate"},"rules":[{"id":"r1","actor":"claude"}]})");
    QTest::newRow("the same agent twice") << QByteArray(R"({"grants":{"claude":"observe","claude":"operate"}})");
    QTest::newRow("empty") << QByteArray();
}

void GrantsTest::grantsNothingFromADamagedFileAndKeepsIt()
{
    QFETCH(QByteArray, text);
    write(path("damaged.json"), text);
    Policy policy;
    auto grants = grantsIn(path("damaged.json"));
    QCOMPARE(grants.load(policy).error().kind, Error::Kind::Malformed);
    QVERIFY(policy.grants().isEmpty());
    QVERIFY(!grants.save(policy));
    QCOMPARE(contentOf(path("damaged.json")), text);
}

void GrantsTest::grantsNothingFromAFileThatAnotherProgramChanged_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::newRow("another preset") << QByteArray("observe") << QByteArray("operate");
    QTest::newRow("another agent") << QByteArray("claude") << QByteArray("goose");
    QTest::newRow("another rule") << QByteArray("deny") << QByteArray("allow");
    QTest::newRow("another seal") << QByteArray("\"seal\":\"") << QByteArray("\"seal\":\"0");
    QTest::newRow("no seal") << QByteArray("\"seal\"") << QByteArray("\"note\"");
}

void GrantsTest::grantsNothingFromAFileThatAnotherProgramChanged()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    Policy policy;
    policy.grant(QStringLiteral("claude"), Preset::Observe);
    Rule rule;
    rule.id = QStringLiteral("r1");
    rule.verdict = Verdict::Deny;
    policy.setRule(rule);
    QVERIFY(grantsIn(path("changed.json")).save(policy));
    auto text = contentOf(path("changed.json"));
    QVERIFY(text.contains(from));
    write(path("changed.json"), text.replace(from, to));

    Policy after;
    QCOMPARE(grantsIn(path("changed.json")).load(after).error().kind, Error::Kind::Untrusted);
    QVERIFY(after.grants().isEmpty() && after.rules().empty());
    QCOMPARE(contentOf(path("changed.json")), text);
}

void GrantsTest::putsAChangedFileAsideWhenAPersonChoosesAgain()
{
    const QByteArray text(R"({"grants":{"claude":"operate"},"rules":[]})");
    write(path("chosen.json"), text);
    auto grants = grantsIn(path("chosen.json"));
    Policy policy;
    QVERIFY(!grants.load(policy));
    policy.grant(QStringLiteral("claude"), Preset::AskForWrites);
    QVERIFY(grants.save(policy));
    QCOMPARE(contentOf(path("chosen.json.altered")), text);
    Policy after;
    QVERIFY(grantsIn(path("chosen.json")).load(after));
    QCOMPARE(after.grants(), policy.grants());
}

void GrantsTest::grantsNothingAndKeepsTheFileWhileTheKeyringIsAway()
{
    Policy policy;
    policy.grant(QStringLiteral("claude"), Preset::Operate);
    QVERIFY(grantsIn(path("away.json")).save(policy));
    const auto text = contentOf(path("away.json"));
    Grants grants(path("away.json"));
    Policy after;
    QCOMPARE(grants.load(after).error().kind, Error::Kind::Unavailable);
    QVERIFY(after.grants().isEmpty());
    QVERIFY(!grants.save(after));
    QCOMPARE(contentOf(path("away.json")), text);
}

void GrantsTest::saysWhenItCannotBeSaved()
{
    const auto saved = grantsIn(path("no/such/folder/grants.json")).save(Policy());
    QVERIFY(!saved);
    QCOMPARE(saved.error().kind, Error::Kind::Unavailable);
}

LABHELM_TEST(GrantsTest)
#include "GrantsTest.moc"
