#include "pages/connect/PermissionWords.h"
#include "support/TestMain.h"
#include <QJsonDocument>

class PermissionWordsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void saysWhatASignInMay_data();
    void saysWhatASignInMay();
    void namesTheCommandThatGrants();
};

void PermissionWordsTest::saysWhatASignInMay_data()
{
    QTest::addColumn<QByteArray>("permissions");
    QTest::addColumn<QString>("may");
    QTest::addColumn<QString>("mayNot");
    QTest::newRow("nothing") << QByteArray("{}") << QString()
                             << QStringLiteral("see guests|see the nodes|see the storages|start or stop guests|change "
                                               "guests|take snapshots|delete guests");
    QTest::newRow("look at everything") << QByteArray(R"({"/":{"VM.Audit":1,"Sys.Audit":1,"Datastore.Audit":1}})")
                                        << QStringLiteral("see all guests|see the nodes|see the storages")
                                        << QStringLiteral(
                                               "start or stop guests|change guests|take snapshots|delete guests");
    QTest::newRow("guests only") << QByteArray(R"({"/vms":{"VM.Audit":1,"VM.PowerMgmt":1}})")
                                 << QStringLiteral("see all guests|start and stop guests")
                                 << QStringLiteral(
                                        "see the nodes|see the storages|change guests|take snapshots|delete guests");
    QTest::newRow("a pool") << QByteArray(R"({"/pool/media":{"VM.Audit":1},"/vms/104":{"VM.PowerMgmt":1}})")
                            << QStringLiteral("see some guests|start and stop some guests")
                            << QStringLiteral(
                                   "see the nodes|see the storages|change guests|take snapshots|delete guests");
    QTest::newRow("on the root alone, not below")
        << QByteArray(R"({"/":{"VM.Audit":0}})") << QString()
        << QStringLiteral("see guests|see the nodes|see the storages|start or "
                          "stop guests|change guests|take snapshots|delete guests");
}

void PermissionWordsTest::saysWhatASignInMay()
{
    QFETCH(QByteArray, permissions);
    QFETCH(QString, may);
    QFETCH(QString, mayNot);
    const auto words = PermissionWords::of(QJsonDocument::fromJson(permissions).object());
    QCOMPARE(words.may.join(u'|'), may);
    QCOMPARE(words.mayNot.join(u'|'), mayNot);
    QCOMPARE(words.isNothing, may.isEmpty());
}

void PermissionWordsTest::namesTheCommandThatGrants()
{
    QCOMPARE(PermissionWords::commandThatGrants(QStringLiteral("labhelm@pve!bare")),
             QStringLiteral("pveum acl modify / --tokens 'labhelm@pve!bare' --roles PVEAuditor"));
    QCOMPARE(PermissionWords::commandThatGrants(QStringLiteral("root@pam")),
             QStringLiteral("pveum acl modify / --users 'root@pam' --roles PVEAuditor"));
}

LABHELM_TEST(PermissionWordsTest)
#include "PermissionWordsTest.moc"
