#include "pve/Client.h"
#include "pve/Connection.h"
#include "pve/RefusalWords.h"
#include "secrets/MemoryStore.h"
#include "simulator/Simulator.h"
#include "simulator/world/Homelab.h"
#include "support/Await.h"
#include "support/TestMain.h"
#include <QCryptographicHash>
#include <QJsonArray>

/// R13: what a sign-in lacks is named as the server's version calls it, with a role that has it.
class PrivilegesAreNamed : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void asTheVersionCallsThem_data();
    void asTheVersionCallsThem();
    void withARoleThatHasThem_data();
    void withARoleThatHasThem();
};

void PrivilegesAreNamed::asTheVersionCallsThem_data()
{
    QTest::addColumn<int>("version");
    QTest::addColumn<QString>("privilege");
    QTest::newRow("8") << 8 << QStringLiteral("VM.Monitor");
    QTest::newRow("9") << 9 << QStringLiteral("VM.GuestAgent.Unrestricted");
}

void PrivilegesAreNamed::asTheVersionCallsThem()
{
    QFETCH(int, version);
    QFETCH(QString, privilege);
    Simulator::Options options;
    options.version = version;
    options.refusalDelay = std::chrono::milliseconds(0);
    Simulator simulator(options);
    const auto port = simulator.listen();
    QVERIFY(bool(port));
    Remote remote;
    remote.id = remote.name = QStringLiteral("lab");
    remote.addresses = QStringList{QStringLiteral("127.0.0.1:%1").arg(*port)};
    remote.pins = {{remote.addresses[0], simulator.certificate().certificate.digest(QCryptographicHash::Sha256)}};
    remote.user = QStringLiteral("auditor@pve!view");
    MemoryStore secrets;
    QVERIFY(bool(await(secrets.write(remote.secretKey(), Secret(Homelab::tokenSecret(remote.user).toUtf8())))));
    Connection connection(remote, secrets);
    const auto path = QStringLiteral("nodes/pve1/qemu/120/agent/exec").split(u'/');
    const auto refused =
        await(connection.client().send({Method::Post, path, {{QStringLiteral("command"), QStringLiteral("id")}}}, {}));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Error::Kind::Forbidden);
    QVERIFY2(refused.error().message.contains(privilege) && refused.error().message.contains(QLatin1String("/vms/120")),
             qPrintable(refused.error().message));
}

void PrivilegesAreNamed::withARoleThatHasThem_data()
{
    QTest::addColumn<QString>("privilege");
    QTest::addColumn<QString>("role");
    QTest::newRow("to look") << "VM.Audit"
                             << "PVEAuditor";
    QTest::newRow("to start") << "VM.PowerMgmt"
                              << "PVEVMUser";
    QTest::newRow("of 8") << "VM.Monitor"
                          << "PVEVMAdmin";
    QTest::newRow("of 9") << "VM.GuestAgent.Unrestricted"
                          << "PVEVMAdmin";
    QTest::newRow("of an administrator") << "Sys.Modify"
                                         << "";
    QTest::newRow("unknown") << "VM.Fly"
                             << "";
}

void PrivilegesAreNamed::withARoleThatHasThem()
{
    QFETCH(QString, privilege);
    QFETCH(QString, role);
    QCOMPARE(RefusalWords::roleWith(privilege), role);
    const auto words = RefusalWords::forbidden(QStringLiteral("Permission check failed (/vms/1, %1)").arg(privilege));
    QVERIFY2(words.contains(role.isEmpty() ? QStringLiteral("Administrator") : role), qPrintable(words));
}

LABHELM_TEST(PrivilegesAreNamed)
#include "PrivilegesAreNamed.moc"
