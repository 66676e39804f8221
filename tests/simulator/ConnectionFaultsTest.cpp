#include "simulator/SimulatedCluster.h"
#include "simulator/control/ControlCommands.h"
#include "support/TestMain.h"
#include <QElapsedTimer>
#include <QJsonArray>

using namespace std::chrono_literals;

/// Answers that come slowly, too long, from somebody else or only in part, and sockets that fail at a chosen operation.
class ConnectionFaultsTest : public QObject
{
    Q_OBJECT

    QJsonValue command(const QJsonObject &command)
    {
        const auto done = ControlCommands(*m_cluster->simulator, &m_cluster->clock).run(command);
        return done ? *done : QJsonValue(done.error().message);
    }
    void fault(QJsonObject wish)
    {
        wish.insert(QLatin1String("do"), QLatin1String("fault"));
        QVERIFY(command(wish).isNull());
    }
    /// A small story: signs in, reads, changes, reads again. True when all of it was answered as it should be.
    bool story()
    {
        const auto signedIn = m_cluster->send("POST /access/ticket", "username=root%40pam&password=homelab", {});
        if (signedIn.status != 200)
            return false;
        const auto before = m_cluster->call("GET /nodes/pve1/qemu/101/config");
        if (before.status != 200)
            return false;
        if (m_cluster->call("PUT /nodes/pve1/qemu/101/config", "description=changed").status != 200)
            return false;
        return m_cluster->call("GET /version").status == 200;
    }
    int writes() const
    {
        return m_cluster->simulator->count(QStringLiteral("PUT"), QStringLiteral("/nodes/pve1/qemu/101/config"));
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void anAnswerIsCutAtAnyByte();
    void anAnswerComesAByteAtATime();
    void anAnswerOfAHundredMegabytesComesWhole();
    void aProxyAnswersInsteadWithAPage();
    void theNthOperationOfASocketFails();
    void ticketsExpireOnCommand();
    void aNodeIsOffOnCommand();
    void tenThousandGuestsAreListedFast();
    void aFaultOfNoKindIsRefused();
};

void ConnectionFaultsTest::anAnswerIsCutAtAnyByte()
{
    RawClient whole(m_cluster->port);
    const QByteArray request = "GET /api2/json/access/domains HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const auto answer = whole.exchange(request);
    qint64 length = answer.statusLine.size() + 4 + answer.body.size();
    for (const auto &[name, value] : answer.headers)
        length += name.size() + value.size() + 4;
    for (qint64 bytes = 0; bytes <= length; ++bytes) {
        fault({{"kind", "cut_during"}, {"bytes", bytes}});
        const auto part = RawClient(m_cluster->port).exchange(request);
        QVERIFY(bytes == length ? part.body == answer.body : part.body.size() < answer.body.size());
        QCOMPARE(part.nothing, bytes == 0);
    }
    QCOMPARE(RawClient(m_cluster->port).exchange(request).body.size(), answer.body.size());
}

void ConnectionFaultsTest::anAnswerComesAByteAtATime()
{
    fault({{"kind", "slow"}, {"path", "/version"}, {"delay", 1}, {"bytes", 4}});
    QElapsedTimer watch;
    watch.start();
    RawClient client(m_cluster->port);
    const auto answer = client.exchange("GET /api2/json/version HTTP/1.1\r\nHost: localhost\r\nAuthorization: " +
                                        Homelab::authorization(m_cluster->token) + "\r\n\r\n");
    QCOMPARE(answer.status, 200);
    QVERIFY(!answer.json().isEmpty());
    QVERIFY2(watch.elapsed() >= 50, qPrintable(QString::number(watch.elapsed())));
    // The connection goes on afterwards.
    QCOMPARE(client.exchange("GET /api2/json/access/domains HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
}

void ConnectionFaultsTest::anAnswerOfAHundredMegabytesComesWhole()
{
    constexpr qint64 bytes = 100'000'000;
    fault({{"kind", "huge"}, {"bytes", bytes}});
    RawClient client(m_cluster->port);
    auto &socket = client.socket();
    QTRY_VERIFY(socket.isEncrypted());
    socket.write("GET /api2/json/version HTTP/1.1\r\nHost: localhost\r\nAuthorization: " +
                 Homelab::authorization(m_cluster->token) + "\r\n\r\n");
    QByteArray head;
    qint64 received = 0;
    const auto read = [&] {
        const auto chunk = socket.readAll();
        if (!head.contains("\r\n\r\n"))
            head += chunk;
        received += chunk.size();
        return received >= bytes;
    };
    QTRY_VERIFY_WITH_TIMEOUT(read(), 120000);
    QVERIFY(head.startsWith("HTTP/1.1 200 "));
    QVERIFY(head.contains("Content-Length: 100000000\r\n"));
}

void ConnectionFaultsTest::aProxyAnswersInsteadWithAPage()
{
    for (const int status : {502, 503, 504, 200}) {
        fault({{"kind", "proxy_page"}, {"status", status}});
        const auto answer = m_cluster->call("PUT /nodes/pve1/qemu/101/config", "description=x");
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.header("Content-Type"), QByteArray("text/html"));
        QVERIFY(answer.body.startsWith("<html>"));
        QCOMPARE(answer.body.contains("<form"), status == 200);
    }
    QVERIFY(!m_cluster->world().guest(101)->config.value("description").contains(u'x'));
}

void ConnectionFaultsTest::theNthOperationOfASocketFails()
{
    QSet<QString> failed;
    int n = 0;
    bool told = false;
    do {
        m_cluster->simulator->forgetRequests();
        command({{"do", "fail_socket"}, {"nth", ++n}});
        told = story();
        const auto socket = command({{"do", "socket"}}).toObject();
        QCOMPARE(told, socket[QLatin1String("failed")].isNull());
        failed.insert(socket[QLatin1String("failed")].toString());
        QVERIFY(writes() <= 1);
    } while (!told && n < 100);
    QVERIFY(told);
    failed.remove(QString());
    QCOMPARE(failed, (QSet<QString>{"accept", "tls", "read", "write"}));
    // Four requests, each on a connection of its own.
    QVERIFY2(n > 16, qPrintable(QString::number(n)));
}

void ConnectionFaultsTest::ticketsExpireOnCommand()
{
    const QJsonValue data = m_cluster->send("POST /access/ticket", "username=root%40pam&password=homelab", {})
                                .json()[QLatin1String("data")];
    const auto cookie =
        "Cookie: PVEAuthCookie=" + data[QLatin1String("ticket")].toString().toUtf8().toPercentEncoding() + "\r\n";
    QCOMPARE(m_cluster->send("GET /version", {}, cookie).status, 200);
    command({{"do", "expire_tickets"}});
    QCOMPARE(m_cluster->send("GET /version", {}, cookie).status, 401);
}

void ConnectionFaultsTest::aNodeIsOffOnCommand()
{
    command({{"do", "node"}, {"name", "pve2"}, {"online", false}});
    QCOMPARE(m_cluster->call("GET /nodes/pve2/status").status, 595);
    command({{"do", "node"}, {"name", "pve2"}, {"online", true}});
    QCOMPARE(m_cluster->call("GET /nodes/pve2/status").status, 200);
}

void ConnectionFaultsTest::tenThousandGuestsAreListedFast()
{
    Simulator::Options options;
    options.guests = 10000;
    SimulatedCluster many(options);
    QElapsedTimer watch;
    watch.start();
    QCOMPARE(many.data("GET /cluster/resources?type=vm").toArray().size(), 10000);
    const auto first = watch.restart();
    // Rights are asked for each guest: a few grants more must not be felt.
    for (int i = 0; i < 50; ++i)
        many.world().access.grants.push_back({QStringLiteral("/vms/%1").arg(100 + i), "@nobody", "PVEVMUser", true});
    many.token = "auditor@pve!view";
    QCOMPARE(many.data("GET /cluster/resources?type=vm").toArray().size(), 10000);
    qInfo("10,000 guests: %lld ms for all rights, %lld ms for an auditor's token", first, watch.elapsed());
    QVERIFY(watch.elapsed() < 20 * std::max<qint64>(first, 100));
}

void ConnectionFaultsTest::aFaultOfNoKindIsRefused()
{
    QCOMPARE(command({{"do", "fault"}, {"kind", "nonsense"}}).toString(), QStringLiteral("unknown kind of fault"));
}

LABHELM_TEST(ConnectionFaultsTest)
#include "ConnectionFaultsTest.moc"
