#include "pve/Client.h"
#include "pve/Connection.h"
#include "pve/TaskWatcher.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"
#include <QSignalSpy>

/// Connections come and go by the id of their remote, and who uses one is told before it goes.
class ConnectionsOpen : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void speakToTheirRemote();
    void areFoundByTheirId();
    void tellBeforeTheyGo();
    void areReplacedWhenOpenedAgain();
    void closeWithAllThatPends();

private:
    static Remote remoteOf(const ScriptedServer &server, const char *id)
    {
        auto made = server.remote();
        made.id = QLatin1String(id);
        return made;
    }
};

void ConnectionsOpen::speakToTheirRemote()
{
    ScriptedServer server;
    MemoryStore secrets;
    const auto remote = remoteOf(server, "a");
    QVERIFY(bool(await(secrets.write(remote.secretKey(), Secret("x")))));
    Connections connections(secrets);
    auto &connection = connections.open(remote);
    QVERIFY(bool(await(connection.client().send({Method::Get, {QStringLiteral("version")}}, {}))));
    QCOMPARE(server.requests.size(), size_t(1));
}

void ConnectionsOpen::areFoundByTheirId()
{
    ScriptedServer server;
    MemoryStore secrets;
    Connections connections(secrets);
    auto &a = connections.open(remoteOf(server, "a"));
    auto &b = connections.open(remoteOf(server, "b"));
    QCOMPARE(connections.find(QStringLiteral("a")), &a);
    QCOMPARE(connections.find(QStringLiteral("b")), &b);
    QVERIFY(!connections.find(QStringLiteral("c")));
    QCOMPARE(connections.all().size(), size_t(2));
    connections.close(a.remote().id);
    QVERIFY(!connections.find(QStringLiteral("a")));
    connections.close(QStringLiteral("never there"));
    QCOMPARE(connections.all().size(), size_t(1));
}

void ConnectionsOpen::tellBeforeTheyGo()
{
    ScriptedServer server;
    MemoryStore secrets;
    auto connections = std::make_unique<Connections>(secrets);
    QStringList told;
    connect(connections.get(), &Connections::closing, this, [&](const QString &id) {
        QVERIFY(connections->find(id));
        told << id;
    });
    QSignalSpy opened(connections.get(), &Connections::opened);
    connections->open(remoteOf(server, "a"));
    connections->open(remoteOf(server, "b"));
    QCOMPARE(opened.count(), 2);
    connections->close(QStringLiteral("a"));
    QCOMPARE(told, QStringList{QStringLiteral("a")});
    connections->close(QStringLiteral("b"));
    QCOMPARE(told.size(), 2);
}

void ConnectionsOpen::areReplacedWhenOpenedAgain()
{
    ScriptedServer server;
    MemoryStore secrets;
    Connections connections(secrets);
    auto &first = connections.open(remoteOf(server, "a"));
    QSignalSpy closing(&connections, &Connections::closing);
    connections.open(first.remote());
    QCOMPARE(closing.count(), 1);
    QCOMPARE(connections.all().size(), size_t(1));
    QCOMPARE(connections.find(QStringLiteral("a"))->remote().addresses, server.remote().addresses);
}

void ConnectionsOpen::closeWithAllThatPends()
{
    ScriptedServer server;
    server.script = [](const auto &) { return ScriptedServer::silence(); };
    MemoryStore secrets;
    const auto remote = remoteOf(server, "a");
    QVERIFY(bool(await(secrets.write(remote.secretKey(), Secret("x")))));
    Connections connections(secrets);
    auto &connection = connections.open(remote);
    auto place = std::make_shared<std::optional<Result<TaskEnd>>>();
    const auto upid = *Upid::from(QStringLiteral("UPID:pve1:00006D3C:0005C54C:6B0D48FB:qmstart:100:root@pam:"));
    awaiting::keep(connection.tasks().watch(upid, {}, {}), place);
    QVERIFY(waitUntil([&] { return server.requests.size() == 1; }));
    connections.close(QStringLiteral("a"));
    QVERIFY(place->has_value());
    QCOMPARE((**place).error().kind, Error::Kind::Cancelled);
}

LABHELM_TEST(ConnectionsOpen)
#include "ConnectionsOpen.moc"
