#include "pve/Connection.h"
#include "pve/Lookup.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"
#include <QJsonArray>
#include <QJsonDocument>

/// A03: a user's realm comes from the server's list, which is read before a password is typed.
class RealmsAsk : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void listWhatTheServerOffersWithoutACredential();
    void putTheServersChoiceFirst();
    void refuseWhatIsNoList();
    void completeAUser_data();
    void completeAUser();
};

void RealmsAsk::listWhatTheServerOffersWithoutACredential()
{
    ScriptedServer server;
    server.script = [](const auto &) {
        return ScriptedServer::ok(R"([{"realm":"pve","type":"pve","comment":"Proxmox VE authentication server"},)"
                                  R"({"comment":"Linux PAM standard authentication","realm":"pam","type":"pam"}])");
    };
    MemoryStore secrets;
    auto remote = server.remote();
    remote.signIn = Remote::SignIn::Password;
    remote.user = QStringLiteral("root@pam");
    QVERIFY(bool(await(secrets.write(remote.secretKey(), Secret("CANARY")))));
    Connection connection(remote, secrets);
    Lookup lookup(connection);
    const auto realms = await(lookup.realms({}));
    QVERIFY2(bool(realms), realms ? "" : qPrintable(realms.error().message));
    QCOMPARE(realms->size(), size_t(2));
    QCOMPARE(realms->at(1).id, QStringLiteral("pam"));
    QCOMPARE(server.requests.size(), size_t(1));
    QCOMPARE(server.requests[0].path, QByteArray("/api2/json/access/domains"));
    QVERIFY(server.requests[0].header("authorization").isEmpty() && server.requests[0].header("cookie").isEmpty());
    QVERIFY(!server.received.contains("CANARY"));
}

void RealmsAsk::putTheServersChoiceFirst()
{
    const auto data = QJsonDocument::fromJson(R"([{"realm":"pam","type":"pam"},{"realm":"corp","type":"ad","default":1,
        "tfa":"oath"},{"realm":"sso","type":"openid"},{"type":"pve"},7])")
                          .array();
    const auto realms = Realm::listFrom(data);
    QVERIFY(bool(realms));
    QCOMPARE(realms->size(), size_t(2)); // nobody types a password for OpenID
    QCOMPARE(realms->front().id, QStringLiteral("corp"));
    QVERIFY(realms->front().wantsCode && !realms->back().wantsCode);
}

void RealmsAsk::refuseWhatIsNoList()
{
    for (const auto &data : {QJsonValue(), QJsonValue(QJsonObject()), QJsonValue(7)})
        QCOMPARE(Realm::listFrom(data).error().kind, Error::Kind::Malformed);
}

void RealmsAsk::completeAUser_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("realm");
    QTest::addColumn<QStringList>("known");
    QTest::addColumn<QString>("user");
    const QStringList both{QStringLiteral("pam"), QStringLiteral("pve")};
    QTest::newRow("forgotten") << " root "
                               << "pam" << both << "root@pam";
    QTest::newRow("typed") << "root@pve"
                           << "pam" << both << "root@pve";
    QTest::newRow("an address of mail") << "anna@corp.example"
                                        << "pve" << both << "anna@corp.example@pve";
    QTest::newRow("no list") << "root@pve"
                             << "" << QStringList() << "root@pve";
    QTest::newRow("no list and no realm") << "root"
                                          << "" << QStringList() << "root";
    QTest::newRow("only a realm") << "@pam"
                                  << "pam" << both << "@pam@pam";
}

void RealmsAsk::completeAUser()
{
    QFETCH(QString, typed);
    QFETCH(QString, realm);
    QFETCH(QStringList, known);
    QTEST(Realm::fullUser(typed, realm, known), "user");
}

LABHELM_TEST(RealmsAsk)
#include "RealmsAsk.moc"
