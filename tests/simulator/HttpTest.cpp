#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QEventLoop>
#include <QProcess>
#include <QSignalSpy>
#include <QTcpSocket>

/// What the server says before and around the API: connections, limits, plain HTTP.
class HttpTest : public QObject
{
    Q_OBJECT

    static QByteArray get(const QByteArray &path, const QByteArray &more = {})
    {
        return "GET /api2/json" + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " +
               Homelab::authorization(QStringLiteral("labhelm@pve!desktop")) + "\r\n" + more + "\r\n";
    }

    SimulatedCluster m_cluster;

private Q_SLOTS:
    void keepsAConnectionForAHundredRequests();
    void closesAfterAnErrorAndSaysSo();
    void readsARequestThatComesByteByByte();
    void answersRequestsThatCameTogetherInOrder();
    void saysNothingToTooLongHeaders();
    void sendsPlainHttpToHttps();
    void compressesLongAnswersWhenAsked();
    void goesOnAfterNonsense();
};

void HttpTest::keepsAConnectionForAHundredRequests()
{
    RawClient client(m_cluster.port);
    for (int i = 1; i < 100; ++i) {
        const auto answer = client.exchange(get("/nodes/pve1/qemu/101/status/current"));
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.all("Connection"), (QList<QByteArray>{"close", "Keep-Alive"}));
        QVERIFY(client.isOpen());
    }
    const auto last = client.exchange(get("/version"));
    QCOMPARE(last.all("Connection"), QList<QByteArray>{"close"});
    QTRY_VERIFY(!client.isOpen());
}

void HttpTest::closesAfterAnErrorAndSaysSo()
{
    RawClient client(m_cluster.port);
    const auto answer = client.exchange(get("/nodes/pve1/qemu/999/config"));
    QCOMPARE(answer.status, 500);
    QCOMPARE(answer.all("Connection"), QList<QByteArray>{"close"});
    QTRY_VERIFY(!client.isOpen());
}

void HttpTest::readsARequestThatComesByteByByte()
{
    RawClient client(m_cluster.port);
    QCOMPARE(client.exchange(get("/version")).status, 200);
    const auto bytes = get("/version");
    for (const auto byte : bytes.chopped(1)) {
        client.socket().write(&byte, 1);
        client.socket().flush();
        QCoreApplication::processEvents();
    }
    QCOMPARE(client.exchange(bytes.right(1)).status, 200);
}

void HttpTest::answersRequestsThatCameTogetherInOrder()
{
    RawClient client(m_cluster.port);
    QVERIFY(client.exchange(get("/version")).status == 200);
    QByteArray all;
    client.socket().write(get("/version") + get("/cluster/nextid") + get("/nodes/pve1/time"));
    QTRY_COMPARE((all += client.socket().readAll()).count("HTTP/1.1 200 OK"), 3);
    QVERIFY(all.indexOf("release") < all.indexOf(R"({"data":"100"})"));
    QVERIFY(all.indexOf(R"({"data":"100"})") < all.indexOf("localtime"));
}

void HttpTest::saysNothingToTooLongHeaders()
{
    const auto big = RawClient(m_cluster.port).exchange(get("/version", "X-Big: " + QByteArray(9000, 'a') + "\r\n"));
    QVERIFY(big.nothing && big.closed);
    const auto many = RawClient(m_cluster.port).exchange(get("/version", QByteArray("X: y\r\n").repeated(70)));
    QVERIFY(many.nothing && many.closed);
}

void HttpTest::sendsPlainHttpToHttps()
{
    for (const auto &[method, status] :
         {std::pair("GET", "301 Moved Permanently"), std::pair("POST", "308 Permanent Redirect")}) {
        QTcpSocket socket;
        socket.connectToHost(QStringLiteral("127.0.0.1"), m_cluster.port);
        QTRY_COMPARE(socket.state(), QAbstractSocket::ConnectedState);
        socket.write(QByteArray(method) +
                     " /api2/json/version HTTP/1.1\r\nHost: pve1:8006\r\nContent-Length: 0\r\n\r\n");
        QByteArray answer;
        QTRY_VERIFY((answer += socket.readAll()).contains("\r\n\r\n"));
        QVERIFY(answer.startsWith("HTTP/1.1 " + QByteArray(status)));
        QVERIFY(answer.contains("\r\nLocation: https://pve1:8006/api2/json/version\r\n"));
    }
}

void HttpTest::compressesLongAnswersWhenAsked()
{
    const auto plain = RawClient(m_cluster.port).exchange(get("/access/roles"));
    QVERIFY(plain.header("Content-Encoding").isEmpty());
    const auto zipped = RawClient(m_cluster.port).exchange(get("/access/roles", "Accept-Encoding: gzip, deflate\r\n"));
    QCOMPARE(zipped.header("Content-Encoding"), QByteArray("gzip"));
    QProcess gzip;
    gzip.start(QStringLiteral("gzip"), {QStringLiteral("-dc")});
    gzip.write(zipped.body);
    gzip.closeWriteChannel();
    QSignalSpy finished(&gzip, &QProcess::finished);
    QVERIFY(finished.wait());
    QCOMPARE(gzip.exitCode(), 0);
    QCOMPARE(gzip.readAllStandardOutput(), plain.body);
    const auto small = RawClient(m_cluster.port).exchange(get("/version", "Accept-Encoding: gzip\r\n"));
    QVERIFY(small.header("Content-Encoding").isEmpty());
}

void HttpTest::goesOnAfterNonsense()
{
    for (const auto *nonsense :
         {"\r\n\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", "\0\1\2\3\r\n\r\n"}) {
        RawClient client(m_cluster.port);
        QVERIFY(client.exchange(get("/version")).status == 200);
        client.socket().write(nonsense);
        client.socket().disconnectFromHost();
        QTRY_VERIFY(!client.isOpen());
    }
    QCOMPARE(m_cluster.call("GET /version").status, 200);
}

LABHELM_TEST(HttpTest)
#include "HttpTest.moc"
