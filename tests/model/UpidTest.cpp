#include "model/Upid.h"
#include "support/TestMain.h"

/// A task id is taken apart, or refused whole.
class UpidTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesATaskApart();
    void takesATaskOfAToken();
    void takesATaskWithoutAnObject();
    void takesALateStart();
    void refusesEverythingElse_data();
    void refusesEverythingElse();
};

void UpidTest::takesATaskApart()
{
    const auto text = QStringLiteral("UPID:pve1:0002F3A1:01E0B2C3:6912ABCD:qmsnapshot:104:root@pam:");
    const auto upid = Upid::from(text);
    QVERIFY(upid);
    QCOMPARE(upid->text, text);
    QCOMPARE(upid->node, QStringLiteral("pve1"));
    QCOMPARE(upid->type, QStringLiteral("qmsnapshot"));
    QCOMPARE(upid->id, QStringLiteral("104"));
    QCOMPARE(upid->user, QStringLiteral("root@pam"));
    QCOMPARE(upid->tokenId, QString());
    QCOMPARE(upid->startTime, qint64(0x6912ABCD));
    QVERIFY(*upid == *Upid::from(text));
}

void UpidTest::takesATaskOfAToken()
{
    const auto upid =
        Upid::from(QStringLiteral("UPID:pve1:0002F3A1:01E0B2C3:6912ABCD:vzstart:200@local:labhelm@pve!agent-1:"));
    QVERIFY(upid);
    QCOMPARE(upid->user, QStringLiteral("labhelm@pve"));
    QCOMPARE(upid->tokenId, QStringLiteral("agent-1"));
    QCOMPARE(upid->id, QStringLiteral("200@local"));
}

void UpidTest::takesATaskWithoutAnObject()
{
    const auto upid = Upid::from(QStringLiteral("UPID:pve-2:0002F3A1:01E0B2C3:6912ABCD:aptupdate::root@pam:"));
    QVERIFY(upid);
    QCOMPARE(upid->id, QString());
    QCOMPARE(upid->node, QStringLiteral("pve-2"));
}

void UpidTest::takesALateStart()
{
    const auto upid = Upid::from(QStringLiteral("UPID:pve1:0002F3A1:101E0B2C3:FFFFFFFF:vzdump::root@pam:"));
    QVERIFY(upid);
    QCOMPARE(upid->startTime, qint64(0xFFFFFFFF));
}

void UpidTest::refusesEverythingElse_data()
{
    QTest::addColumn<QString>("text");
    const auto good = QStringLiteral("UPID:pve1:0002F3A1:01E0B2C3:6912ABCD:qmstart:104:root@pam:");
    QTest::newRow("empty") << QString();
    QTest::newRow("no colon behind") << good.chopped(1);
    QTest::newRow("text behind") << good + u'x';
    QTest::newRow("line break behind") << good + u'\n';
    QTest::newRow("space in front") << u' ' + good;
    QTest::newRow("two") << good + good;
    QTest::newRow("lower-case hex") << QStringLiteral("UPID:pve1:0002f3a1:01E0B2C3:6912ABCD:qmstart:104:root@pam:");
    QTest::newRow("short pid") << QStringLiteral("UPID:pve1:2F3A1:01E0B2C3:6912ABCD:qmstart:104:root@pam:");
    QTest::newRow("slash in the id") << QStringLiteral("UPID:pve1:0002F3A1:01E0B2C3:6912ABCD:qmstart:1/4:root@pam:");
    QTest::newRow("dots as a node") << QStringLiteral("UPID:..:0002F3A1:01E0B2C3:6912ABCD:qmstart:104:root@pam:");
    QTest::newRow("no type") << QStringLiteral("UPID:pve1:0002F3A1:01E0B2C3:6912ABCD::104:root@pam:");
    QTest::newRow("no user") << QStringLiteral("UPID:pve1:0002F3A1:01E0B2C3:6912ABCD:qmstart:104::");
    QTest::newRow("no token name") << QStringLiteral("UPID:pve1:0002F3A1:01E0B2C3:6912ABCD:qmstart:104:root@pam!:");
    QTest::newRow("escape in the type") << QStringLiteral(
        "UPID:pve1:0002F3A1:01E0B2C3:6912ABCD:qm\x1bstart:104:root@pam:");
    QTest::newRow("line break in the id")
        << QStringLiteral("UPID:pve1:0002F3A1:01E0B2C3:6912ABCD:qmstart:1\n4:root@pam:");
    QTest::newRow("NUL in the id")
        << QStringLiteral("UPID:pve1:0002F3A1:01E0B2C3:6912ABCD:qmstart:1%1:root@pam:").arg(QChar(u'\0'));
}

void UpidTest::refusesEverythingElse()
{
    QFETCH(QString, text);
    const auto upid = Upid::from(text);
    QVERIFY(!upid);
    QCOMPARE(upid.error().kind, Error::Kind::Invalid);
    QVERIFY(!upid.error().message.contains(QChar(0x1b)));
}

LABHELM_TEST(UpidTest)
#include "UpidTest.moc"
