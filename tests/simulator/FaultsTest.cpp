#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QElapsedTimer>
#include <QJsonArray>
#include <QSignalSpy>

using namespace std::chrono_literals;

/// What can go wrong on purpose, and what the simulator heard.
class FaultsTest : public QObject
{
    Q_OBJECT

    void set(Fault::Kind kind, const char *method = "", const char *path = "", int nth = 1)
    {
        Fault fault;
        fault.kind = kind;
        fault.method = QLatin1String(method);
        fault.path = QLatin1String(path);
        fault.nth = nth;
        m_cluster->simulator->faults().add(fault);
    }
    bool isOn() { return m_cluster->world().guest(101)->config.value(QStringLiteral("onboot")) == u'0'; }

    static constexpr const char *config = "/nodes/pve1/qemu/101/config";
    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void aDroppedRequestIsNotCarriedOut();
    void aCutBeforeTheAnswerHidesThatItWasDone();
    void aCutDuringTheAnswerSendsAPart();
    void aCutAfterTheAnswerSendsItAll();
    void onlyTheNthFittingRequestIsHit();
    void anAnswerCanBeAnything();
    void garbageCanComeInstead();
    void anAnswerCanBeLate();
    void tellsWhatItHeard();
    void countsWritesWithoutSignIns();
    void leavesSecretsOutOfWhatItHeard();
    void cutsOpenConnections();
    void changesItsCertificate();
};

void FaultsTest::aDroppedRequestIsNotCarriedOut()
{
    set(Fault::Kind::DropUnheard, "PUT", config);
    const auto answer = m_cluster->call("PUT /nodes/pve1/qemu/101/config", "onboot=0");
    QVERIFY(answer.nothing && answer.closed);
    QVERIFY(!isOn());
    QCOMPARE(m_cluster->simulator->count(QStringLiteral("PUT"), QLatin1String(config)), 1);
}

void FaultsTest::aCutBeforeTheAnswerHidesThatItWasDone()
{
    set(Fault::Kind::CutBefore, "PUT", config);
    const auto answer = m_cluster->call("PUT /nodes/pve1/qemu/101/config", "onboot=0");
    QVERIFY(answer.nothing && answer.closed);
    QVERIFY(isOn());
    QCOMPARE(m_cluster->simulator->writes().last().status, 200);
}

void FaultsTest::aCutDuringTheAnswerSendsAPart()
{
    set(Fault::Kind::CutDuring, "GET", "/nodes/*/config");
    const auto answer = m_cluster->call("GET /nodes/pve1/qemu/101/config");
    QVERIFY(answer.closed && !answer.nothing);
    QVERIFY(answer.body.size() < answer.header("Content-Length").toInt());
    Fault fault;
    fault.kind = Fault::Kind::CutDuring;
    fault.bytes = 17;
    m_cluster->simulator->faults().add(fault);
    RawClient client(m_cluster->port);
    QVERIFY(client.exchange("GET /api2/json/access/domains HTTP/1.1\r\n\r\n").closed);
}

void FaultsTest::aCutAfterTheAnswerSendsItAll()
{
    set(Fault::Kind::CutAfter, "GET");
    const auto answer = m_cluster->call("GET /nodes/pve1/qemu/101/config");
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.body.size(), answer.header("Content-Length").toInt());
}

void FaultsTest::onlyTheNthFittingRequestIsHit()
{
    set(Fault::Kind::CutBefore, "GET", "/version", 3);
    for (const bool hit : {false, false, true, false}) {
        QCOMPARE(m_cluster->call("GET /nodes").status, 200);
        QCOMPARE(m_cluster->call("GET /version").nothing, hit);
    }
}

void FaultsTest::anAnswerCanBeAnything()
{
    Fault fault;
    fault.kind = Fault::Kind::Answer;
    fault.status = 502;
    fault.reason = "Bad Gateway";
    fault.contentType = "text/html";
    fault.body = "<html>proxy</html>";
    fault.always = true;
    m_cluster->simulator->faults().add(fault);
    for (int i = 0; i < 2; ++i) {
        const auto answer = m_cluster->call("GET /version");
        QCOMPARE(answer.statusLine, QByteArray("HTTP/1.1 502 Bad Gateway"));
        QCOMPARE(answer.header("Content-Type"), QByteArray("text/html"));
        QCOMPARE(answer.body, QByteArray("<html>proxy</html>"));
    }
    m_cluster->simulator->faults().clear();
    QCOMPARE(m_cluster->call("GET /version").status, 200);
}

void FaultsTest::garbageCanComeInstead()
{
    Fault fault;
    fault.kind = Fault::Kind::Garbage;
    fault.body = "\xff\xfe not http";
    m_cluster->simulator->faults().add(fault);
    const auto answer = m_cluster->call("GET /version");
    QVERIFY(answer.closed && !answer.nothing && answer.statusLine.isEmpty());
}

void FaultsTest::anAnswerCanBeLate()
{
    m_cluster->simulator->faults().latency = 60ms;
    QElapsedTimer watch;
    watch.start();
    QCOMPARE(m_cluster->call("GET /version").status, 200);
    QVERIFY(watch.elapsed() >= 60);
    m_cluster->simulator->faults().latency = 0ms;
    Fault fault;
    fault.kind = Fault::Kind::Delay;
    fault.delay = 90ms;
    m_cluster->simulator->faults().add(fault);
    watch.restart();
    QCOMPARE(m_cluster->call("GET /version").status, 200);
    QVERIFY(watch.elapsed() >= 90);
}

void FaultsTest::tellsWhatItHeard()
{
    QSignalSpy heard(m_cluster->simulator.get(), &Simulator::heard);
    m_cluster->call("PUT /nodes/pve1/qemu/101/config", "onboot=0&description=a+b");
    QCOMPARE(heard.size(), 1);
    const auto request = m_cluster->simulator->requests().last();
    QCOMPARE(request.method, QStringLiteral("PUT"));
    QCOMPARE(request.path, QLatin1String(config));
    QCOMPARE(request.parameters, (QJsonObject{{"onboot", "0"}, {"description", "a b"}}));
    QCOMPARE(request.who, QStringLiteral("labhelm@pve!desktop"));
    QCOMPARE(request.status, 200);
}

void FaultsTest::countsWritesWithoutSignIns()
{
    m_cluster->send("POST /access/ticket", "username=root%40pam&password=homelab", {});
    m_cluster->call("GET /version");
    QVERIFY(m_cluster->simulator->writes().isEmpty());
    m_cluster->send("POST /nodes/pve1/qemu/101/status/stop", {}, {});
    QCOMPARE(m_cluster->simulator->writes().size(), 1);
    QCOMPARE(m_cluster->simulator->writes().first().status, 401);
    m_cluster->simulator->forgetRequests();
    QVERIFY(m_cluster->simulator->requests().isEmpty());
}

void FaultsTest::leavesSecretsOutOfWhatItHeard()
{
    m_cluster->send("POST /access/ticket", "username=root%40pam&password=homelab", {});
    const auto parameters = m_cluster->simulator->requests().last().parameters;
    QCOMPARE(parameters[QLatin1String("username")].toString(), QStringLiteral("root@pam"));
    QCOMPARE(parameters[QLatin1String("password")].toString(), QStringLiteral("(left out)"));
}

void FaultsTest::cutsOpenConnections()
{
    RawClient client(m_cluster->port);
    client.exchange("GET /api2/json/access/domains HTTP/1.1\r\n\r\n");
    QVERIFY(client.isOpen());
    m_cluster->simulator->cutConnections();
    QTRY_VERIFY(!client.isOpen());
    QCOMPARE(m_cluster->call("GET /version").status, 200);
}

void FaultsTest::changesItsCertificate()
{
    const auto shown = [this] {
        RawClient client(m_cluster->port);
        client.exchange("GET /api2/json/access/domains HTTP/1.1\r\n\r\n");
        return Certificate::fingerprint(client.socket().peerCertificate());
    };
    const auto first = m_cluster->simulator->fingerprint();
    QCOMPARE(shown(), first);
    QCOMPARE(m_cluster->data("GET /nodes").toArray()[0][QLatin1String("ssl_fingerprint")].toString(), first);
    m_cluster->simulator->renewCertificate();
    QVERIFY(m_cluster->simulator->fingerprint() != first);
    QCOMPARE(shown(), m_cluster->simulator->fingerprint());
}

LABHELM_TEST(FaultsTest)
#include "FaultsTest.moc"
