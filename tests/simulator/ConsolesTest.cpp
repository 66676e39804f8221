#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;

/// Consoles: their tickets, the websocket, and what is said over it.
class ConsolesTest : public QObject
{
    Q_OBJECT

    struct Console {
        QByteArray port;
        QByteArray ticket;
    };
    Console open(const QByteArray &place, const char *kind = "termproxy")
    {
        const auto data = m_cluster->data("POST " + place + '/' + kind);
        return {data[QLatin1String("port")].toString().toLatin1(), data[QLatin1String("ticket")].toString().toLatin1()};
    }
    QByteArray upgrade(const QByteArray &place, const Console &console)
    {
        return "GET /api2/json" + place + "/vncwebsocket?port=" + console.port +
               "&vncticket=" + console.ticket.toPercentEncoding() +
               " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
               "Authorization: " +
               Homelab::authorization(m_cluster->token) + "\r\n\r\n";
    }
    static QByteArray frame(int opcode, const QByteArray &payload)
    {
        const QByteArray mask("\x01\x02\x03\x04", 4);
        QByteArray bytes;
        bytes.append(char(0x80 | opcode)).append(char(0x80 | payload.size())).append(mask);
        for (qsizetype i = 0; i < payload.size(); ++i)
            bytes.append(char(payload[i] ^ mask[i % 4]));
        return bytes;
    }
    /// Sends, and waits for so many bytes in return or for the end.
    static QByteArray say(RawClient &client, const QByteArray &bytes, qsizetype expected)
    {
        QByteArray heard;
        client.socket().write(bytes);
        const auto enough = [&] {
            heard += client.socket().readAll();
            return heard.size() >= expected || !client.isOpen();
        };
        [&] { QTRY_VERIFY(enough()); }();
        return heard;
    }

    static constexpr const char *vm = "/nodes/pve1/qemu/101";
    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void eachConsoleWaitsOnAPortOfItsOwn();
    void aConsoleNobodyConnectsToIsGivenUp();
    void aTicketIsForOneCallerAndOnePlace();
    void aTicketDoesNotLiveLong();
    void theKeyIsAnsweredAsTheStandardAsks();
    void aTerminalTakesItsTicketAndEchoes();
    void aTerminalClosesOnAWrongTicket();
    void aScreenSpeaksUpToThePassword();
    void aPingIsAnswered();
    void anUnmaskedFrameEndsIt();
    void aConsoleIsConnectedToOnce();
    void theTicketStaysOutOfWhatWasHeard();
};

void ConsolesTest::eachConsoleWaitsOnAPortOfItsOwn()
{
    QCOMPARE(open(vm).port, QByteArray("5900"));
    QCOMPARE(open(vm).port, QByteArray("5901"));
    QCOMPARE(open("/nodes/pve2").port, QByteArray("5900"));
    m_cluster->advance(11s);
    QCOMPARE(open(vm).port, QByteArray("5900"));
}

void ConsolesTest::aConsoleNobodyConnectsToIsGivenUp()
{
    const auto upid = m_cluster->data("POST /nodes/pve1/qemu/101/vncproxy")[QLatin1String("upid")].toString();
    m_cluster->advance(11s);
    QCOMPARE(m_cluster->world().task(upid)->exitStatus, QStringLiteral("connection timed out"));
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu/999/vncproxy").status, 500);
}

void ConsolesTest::aTicketIsForOneCallerAndOnePlace()
{
    const auto console = open(vm);
    QCOMPARE(RawClient(m_cluster->port).exchange(upgrade("/nodes/pve1/qemu/120", console)).status, 401);
    m_cluster->token = "root@pam!ci";
    const auto refused = RawClient(m_cluster->port).exchange(upgrade(vm, console));
    QCOMPARE(refused.reason, QByteArray("permission denied - invalid PVEVNC ticket"));
    m_cluster->token = "labhelm@pve!desktop";
    QCOMPARE(RawClient(m_cluster->port).exchange(upgrade(vm, console)).status, 101);
}

void ConsolesTest::aTicketDoesNotLiveLong()
{
    const auto console = open(vm);
    m_cluster->advance(12s);
    const auto late = RawClient(m_cluster->port).exchange(upgrade(vm, console));
    QVERIFY(late.nothing && late.closed);
    m_cluster->advance(40s);
    QCOMPARE(RawClient(m_cluster->port).exchange(upgrade(vm, console)).status, 401);
}

void ConsolesTest::theKeyIsAnsweredAsTheStandardAsks()
{
    const auto answer = RawClient(m_cluster->port).exchange(upgrade(vm, open(vm)));
    QCOMPARE(answer.header("Sec-WebSocket-Accept"), QByteArray("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    QVERIFY(answer.header("Sec-WebSocket-Protocol").isEmpty());
}

void ConsolesTest::aTerminalTakesItsTicketAndEchoes()
{
    const auto console = open(vm);
    RawClient client(m_cluster->port);
    QCOMPARE(client.exchange(upgrade(vm, console)).status, 101);
    const auto signIn = "labhelm@pve!desktop:" + console.ticket + '\n';
    QByteArray masked = frame(2, {});
    masked = QByteArray("\x82", 1) + char(0x80 | 126) + char(signIn.size() >> 8) + char(signIn.size() & 255) +
             QByteArray(4, '\0') + signIn;
    QCOMPARE(say(client, masked, 4), QByteArray("\x82\x02OK"));
    const auto heard = say(client, frame(2, "1:100:30:") + frame(2, "2") + frame(2, "0:3:ls\r"), 20);
    QVERIFY2(heard.contains("ls\r\nroot@"), heard.constData());
}

void ConsolesTest::aTerminalClosesOnAWrongTicket()
{
    RawClient client(m_cluster->port);
    client.exchange(upgrade(vm, open(vm)));
    QVERIFY(say(client, frame(2, "labhelm@pve!desktop:bad\n"), 1).isEmpty());
    QVERIFY(!client.isOpen());
}

void ConsolesTest::aScreenSpeaksUpToThePassword()
{
    RawClient client(m_cluster->port);
    const auto answer = client.exchange(upgrade(vm, open(vm, "vncproxy")));
    QCOMPARE(answer.status, 101);
    const auto greeting = answer.body + (answer.body.size() < 14 ? say(client, {}, 14 - answer.body.size()) : "");
    QCOMPARE(greeting, QByteArray("\x82\x0cRFB 003.008\n"));
    QCOMPARE(say(client, frame(2, "RFB 003.008\n"), 4), QByteArray("\x82\x02\x01\x02", 4));
    QCOMPARE(say(client, frame(2, QByteArray("\x02", 1)), 18).size(), 18);
}

void ConsolesTest::aPingIsAnswered()
{
    RawClient client(m_cluster->port);
    client.exchange(upgrade(vm, open(vm)));
    QCOMPARE(say(client, frame(9, "ping"), 6), QByteArray("\x8a\x04ping"));
    QVERIFY(say(client, frame(8, {}), 1).isEmpty());
    QVERIFY(!client.isOpen());
}

void ConsolesTest::anUnmaskedFrameEndsIt()
{
    RawClient client(m_cluster->port);
    client.exchange(upgrade(vm, open(vm)));
    QVERIFY(say(client, QByteArray("\x82\x02hi"), 1).isEmpty());
    QVERIFY(!client.isOpen());
}

void ConsolesTest::aConsoleIsConnectedToOnce()
{
    const auto console = open(vm);
    RawClient first(m_cluster->port);
    QCOMPARE(first.exchange(upgrade(vm, console)).status, 101);
    const auto second = RawClient(m_cluster->port).exchange(upgrade(vm, console));
    QVERIFY(second.nothing && second.closed);
}

void ConsolesTest::theTicketStaysOutOfWhatWasHeard()
{
    const auto console = open(vm);
    RawClient(m_cluster->port).exchange(upgrade(vm, console));
    const auto heard = m_cluster->simulator->requests().last().parameters;
    QCOMPARE(heard[QLatin1String("vncticket")].toString(), QStringLiteral("(left out)"));
}

LABHELM_TEST(ConsolesTest)
#include "ConsolesTest.moc"
