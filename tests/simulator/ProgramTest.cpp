#include "simulator/RawClient.h"
#include "simulator/world/Homelab.h"
#include "support/TestMain.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSignalSpy>
#include <csignal>

/// labhelm-simulator as a program of its own, steered through its standard input.
class ProgramTest : public QObject
{
    Q_OBJECT

    bool start(const QStringList &arguments);
    QByteArray line();
    QJsonObject tell(const QByteArray &json);
    RawAnswer get(const QByteArray &path);

    std::unique_ptr<QProcess> m_process;
    quint16 m_port = 0;
    QString m_fingerprint;

private Q_SLOTS:
    void cleanup();

    void saysWhereItListensAndShowsThatCertificate();
    void endsWhenItsInputCloses();
    void endsWhenTerminated();
    void movesItsClockWhenTold();
    void refusesToMoveTheMachinesClock();
    void setsFaultsAndTellsWhatItHeard();
    void showsAndChangesAGuest();
    void saysWhatItDoesNotUnderstand();
    void speaksAsVersionEight();
    void beginsWithFaultsFromTheCommandLine();
    void failsTheNthOperationOfASocket();
    void refusesAFaultItDoesNotKnow();
};

void ProgramTest::cleanup()
{
    if (m_process && m_process->state() != QProcess::NotRunning) {
        QSignalSpy finished(m_process.get(), &QProcess::finished);
        m_process->closeWriteChannel();
        QVERIFY(finished.wait(5000));
    }
    m_process.reset();
}

bool ProgramTest::start(const QStringList &arguments)
{
    m_process = std::make_unique<QProcess>();
    m_process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process->start(QStringLiteral(LABHELM_BIN "/labhelm-simulator"), QStringList{"--port", "0"} + arguments);
    const auto words = line().trimmed().split(' ');
    m_port = words.value(1).toUShort();
    m_fingerprint = QString::fromLatin1(words.value(2));
    return words.value(0) == "LISTENING" && m_port > 0;
}

QByteArray ProgramTest::line()
{
    QSignalSpy ready(m_process.get(), &QProcess::readyReadStandardOutput);
    while (!m_process->canReadLine() && ready.wait(10000)) {
    }
    return m_process->readLine();
}

QJsonObject ProgramTest::tell(const QByteArray &json)
{
    m_process->write(json + '\n');
    return QJsonDocument::fromJson(line()).object();
}

RawAnswer ProgramTest::get(const QByteArray &path)
{
    return RawClient(m_port).exchange("GET /api2/json" + path + " HTTP/1.1\r\nAuthorization: " +
                                      Homelab::authorization(QStringLiteral("labhelm@pve!desktop")) + "\r\n\r\n");
}

void ProgramTest::saysWhereItListensAndShowsThatCertificate()
{
    QVERIFY(start({}));
    RawClient client(m_port);
    QCOMPARE(client.exchange("GET /api2/json/access/domains HTTP/1.1\r\n\r\n").status, 200);
    const auto shown = client.socket().peerCertificate().digest(QCryptographicHash::Sha256).toHex(':').toUpper();
    QCOMPARE(QString::fromLatin1(shown), m_fingerprint);
}

void ProgramTest::endsWhenItsInputCloses()
{
    QVERIFY(start({}));
    QSignalSpy finished(m_process.get(), &QProcess::finished);
    m_process->closeWriteChannel();
    QVERIFY(finished.wait(5000));
    QCOMPARE(m_process->exitCode(), 0);
}

void ProgramTest::endsWhenTerminated()
{
    QVERIFY(start({}));
    QSignalSpy finished(m_process.get(), &QProcess::finished);
    m_process->terminate();
    QVERIFY(finished.wait(5000));
}

void ProgramTest::movesItsClockWhenTold()
{
    QVERIFY(start({"--clock", "manual", "--control", "stdio"}));
    const auto before = tell(R"({"id":1,"do":"now"})")[QLatin1String("result")].toInteger();
    const auto moved = tell(R"({"id":2,"do":"advance","ms":5000})");
    QCOMPARE(moved[QLatin1String("id")].toInt(), 2);
    QVERIFY(moved[QLatin1String("ok")].toBool());
    QCOMPARE(moved[QLatin1String("result")].toInteger(), before + 5000);
}

void ProgramTest::refusesToMoveTheMachinesClock()
{
    QVERIFY(start({"--control", "stdio"}));
    const auto answer = tell(R"({"id":1,"do":"advance","ms":5000})");
    QVERIFY(!answer[QLatin1String("ok")].toBool());
    QVERIFY(answer[QLatin1String("error")].toString().contains(QLatin1String("--clock manual")));
}

void ProgramTest::setsFaultsAndTellsWhatItHeard()
{
    QVERIFY(start({"--control", "stdio"}));
    QVERIFY(
        tell(R"({"do":"fault","kind":"cut_before","method":"GET","path":"/version"})")[QLatin1String("ok")].toBool());
    QVERIFY(get("/version").nothing);
    QCOMPARE(get("/version").status, 200);
    QCOMPARE(tell(R"({"do":"count","method":"GET","path":"/version"})")[QLatin1String("result")].toInt(), 2);
    const auto heard = tell(R"({"do":"requests"})")[QLatin1String("result")].toArray();
    QCOMPARE(heard.size(), 2);
    QCOMPARE(heard[0][QLatin1String("path")].toString(), QStringLiteral("/version"));
    QVERIFY(tell(R"({"do":"writes"})")[QLatin1String("result")].toArray().isEmpty());
}

void ProgramTest::showsAndChangesAGuest()
{
    QVERIFY(start({"--control", "stdio"}));
    const QJsonValue before = tell(R"({"do":"guest","vmid":104})")[QLatin1String("result")];
    QCOMPARE(before[QLatin1String("config")][QLatin1String("hostname")].toString(), QStringLiteral("jellyfin"));
    QCOMPARE(before[QLatin1String("run")].toString(), QStringLiteral("running"));
    const QJsonValue after =
        tell(R"({"do":"set_config","vmid":104,"key":"cores","value":"8"})")[QLatin1String("result")];
    QVERIFY(after[QLatin1String("digest")] != before[QLatin1String("digest")]);
    QCOMPARE(get("/nodes/pve1/lxc/104/config").json()[QLatin1String("data")][QLatin1String("cores")].toInt(), 8);
    QCOMPARE(tell(R"({"do":"set_run","vmid":104,"run":"stopped"})")[QLatin1String("result")][QLatin1String("run")]
                 .toString(),
             QStringLiteral("stopped"));
    QVERIFY(tell(R"({"do":"guest","vmid":999})")[QLatin1String("result")].isNull());
}

void ProgramTest::saysWhatItDoesNotUnderstand()
{
    QVERIFY(start({"--control", "stdio"}));
    QVERIFY(!tell(R"({"id":7,"do":"dance"})")[QLatin1String("ok")].toBool());
    QVERIFY(!tell("no json")[QLatin1String("ok")].toBool());
    QVERIFY(tell(R"({"do":"accounts"})")[QLatin1String("ok")].toBool());
}

void ProgramTest::speaksAsVersionEight()
{
    QVERIFY(start({"--pve", "8"}));
    QCOMPARE(get("/version").json()[QLatin1String("data")][QLatin1String("release")].toString(), QStringLiteral("8.4"));
    QCOMPARE(get("/cluster/ha/rules").status, 501);
    QCOMPARE(get("/cluster/ha/groups").status, 200);
}

void ProgramTest::beginsWithFaultsFromTheCommandLine()
{
    QVERIFY(start(
        {"--offline", "pve2", "--no-quorum", "--fault", R"({"kind":"proxy_page","status":503,"path":"/version"})"}));
    QCOMPARE(get("/version").status, 503);
    QCOMPARE(get("/version").status, 200);
    QCOMPARE(get("/nodes/pve2/status").status, 595);
    const QJsonValue cluster = get("/cluster/status").json()[QLatin1String("data")].toArray()[0];
    QCOMPARE(cluster[QLatin1String("quorate")].toInt(-1), 0);
}

void ProgramTest::failsTheNthOperationOfASocket()
{
    QVERIFY(start({"--fail-socket", "1", "--control", "stdio"}));
    QVERIFY(get("/version").nothing);
    QCOMPARE(tell(R"({"do":"socket"})")[QLatin1String("result")][QLatin1String("failed")].toString(),
             QStringLiteral("accept"));
    QCOMPARE(get("/version").status, 200);
}

void ProgramTest::refusesAFaultItDoesNotKnow()
{
    QVERIFY(!start({"--fault", R"({"kind":"nonsense"})"}));
    QTRY_COMPARE(m_process->state(), QProcess::NotRunning);
    QCOMPARE(m_process->exitCode(), 1);
}

LABHELM_TEST(ProgramTest)
#include "ProgramTest.moc"
