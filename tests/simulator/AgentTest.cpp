#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/// Guests answer through their agents, and nodes tell of themselves.
class AgentTest : public QObject
{
    Q_OBJECT

    QJsonValue run(const QByteArray &form)
    {
        const auto pid = m_cluster->data("POST /nodes/pve1/qemu/101/agent/exec", form)["pid"_L1].toInt();
        m_cluster->advance(1min);
        return m_cluster->data("GET /nodes/pve1/qemu/101/agent/exec-status?pid=" + QByteArray::number(pid));
    }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void aProgramTellsWhatItSaidAndHowItEnded();
    void aCommandIsAListAndNotALine();
    void anEndedProgramIsToldOnce();
    void aSleepingProgramHasNotEnded();
    void aWrittenFileCanBeReadBack();
    void withoutAnAgentNothingIsAsked();
    void aServiceStopsAndStarts();
    void theJournalComesCompressed();
    void theClusterLogTellsOfTasks();
    void someGuestsAreStartedTogether();
    void aNodeThatRebootsIsAwayAndComesBack();
};

void AgentTest::aProgramTellsWhatItSaidAndHowItEnded()
{
    const auto ended = run("command=sh&command=-c&command=echo%20out%3B%20echo%20err%20%3E%262%3B%20exit%203");
    QCOMPARE(ended["exited"_L1].toInt(), 1);
    QCOMPARE(ended["exitcode"_L1].toInt(), 3);
    QCOMPARE(ended["out-data"_L1].toString(), u"out\n"_s);
    QCOMPARE(ended["err-data"_L1].toString(), u"err\n"_s);
    QCOMPARE(run("command=cat&input-data=hello")["out-data"_L1].toString(), u"hello"_s);
    QCOMPARE(run("command=sh&command=-c&command=nosuch")["exitcode"_L1].toInt(), 127);
}

// A26
void AgentTest::aCommandIsAListAndNotALine()
{
    QCOMPARE(run("command=echo&command=a%20b&command=c")["out-data"_L1].toString(), u"a b c\n"_s);
    const auto broken = m_cluster->call("POST /nodes/pve1/qemu/101/agent/exec", "command=uname%20-a");
    QCOMPARE(broken.status, 596);
    QCOMPARE(broken.reason, QByteArray("Broken pipe"));
    QVERIFY(broken.body.isEmpty());
}

void AgentTest::anEndedProgramIsToldOnce()
{
    const auto pid = m_cluster->data("POST /nodes/pve1/qemu/101/agent/exec", "command=true")["pid"_L1].toInt();
    const auto path = "GET /nodes/pve1/qemu/101/agent/exec-status?pid=" + QByteArray::number(pid);
    QCOMPARE(m_cluster->data(path)["exited"_L1].toInt(), 1);
    QCOMPARE(m_cluster->call(path).reason, QByteArray("Agent error: PID ld does not exist"));
}

// A27
void AgentTest::aSleepingProgramHasNotEnded()
{
    const auto pid =
        m_cluster->data("POST /nodes/pve1/qemu/101/agent/exec", "command=sleep&command=5")["pid"_L1].toInt();
    const auto path = "GET /nodes/pve1/qemu/101/agent/exec-status?pid=" + QByteArray::number(pid);
    QCOMPARE(m_cluster->data(path).toObject(), (QJsonObject{{"exited"_L1, 0}}));
    m_cluster->advance(5s);
    QCOMPARE(m_cluster->data(path)["exited"_L1].toInt(), 1);
}

void AgentTest::aWrittenFileCanBeReadBack()
{
    QCOMPARE(m_cluster->call("POST /nodes/pve1/qemu/101/agent/file-write", "file=%2Ftmp%2Fx&content=h%C3%A9llo").status,
             200);
    QCOMPARE(m_cluster->data("GET /nodes/pve1/qemu/101/agent/file-read?file=/tmp/x")["content"_L1].toString(),
             QString::fromUtf8("h\xC3\xA9llo"));
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/101/agent/file-read?file=/nope").reason,
             QByteArray("Agent error: failed to open file '/nope' (mode: 'r'): No such file or directory"));
}

// A28
void AgentTest::withoutAnAgentNothingIsAsked()
{
    QCOMPARE(m_cluster->call("GET /nodes/pve1/qemu/115/agent/get-osinfo").reason,
             QByteArray("QEMU guest agent is not running"));
    QCOMPARE(m_cluster->call("GET /nodes/pve2/qemu/214/agent/get-osinfo").reason, QByteArray("VM 214 is not running"));
}

void AgentTest::aServiceStopsAndStarts()
{
    const QByteArray state = "GET /nodes/pve1/services/cron/state";
    QCOMPARE(m_cluster->data(state)["state"_L1].toString(), u"running"_s);
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/services/cron/stop"), u"OK"_s);
    QCOMPARE(m_cluster->data(state)["active-state"_L1].toString(), u"inactive"_s);
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/services/cron/restart"), u"OK"_s);
    QCOMPARE(m_cluster->data(state)["active-state"_L1].toString(), u"active"_s);
}

void AgentTest::theJournalComesCompressed()
{
    m_cluster->outcome("POST /nodes/pve1/services/cron/restart");
    const auto answer = m_cluster->call("GET /nodes/pve1/journal?lastentries=1");
    QCOMPARE(answer.header("Content-Encoding"), QByteArray("gzip"));
    QCOMPARE(answer.header("Content-Type"), QByteArray("application/json"));
    const auto lines = m_cluster->data("GET /nodes/pve1/syslog").toArray();
    QVERIFY(lines.last()["t"_L1].toString().contains(u"end task UPID:pve1:"_s));
}

void AgentTest::theClusterLogTellsOfTasks()
{
    m_cluster->outcome("POST /nodes/pve1/qemu/115/status/stop");
    const auto rows = m_cluster->data("GET /cluster/log?max=2").toArray();
    QCOMPARE(rows.size(), 2);
    QVERIFY(rows[0]["msg"_L1].toString().startsWith(u"end task UPID:pve1:"_s));
    QVERIFY(rows[1]["msg"_L1].toString().startsWith(u"starting task UPID:pve1:"_s));
}

void AgentTest::someGuestsAreStartedTogether()
{
    m_cluster->outcome("POST /nodes/pve1/qemu/110/status/stop");
    QCOMPARE(m_cluster->outcome("POST /cluster/bulk-action/guest/start", "vms=110&vms=113"),
             u"Some guests failed to start: 113"_s);
    QVERIFY(m_cluster->world().guest(110)->isRunning());
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/stopall", "vms=110"), u"OK"_s);
    QVERIFY(!m_cluster->world().guest(110)->isRunning());
}

void AgentTest::aNodeThatRebootsIsAwayAndComesBack()
{
    QCOMPARE(m_cluster->call("POST /nodes/pve2/status", "command=reboot").status, 200);
    m_cluster->advance(15s);
    const auto away = m_cluster->call("GET /nodes/pve2/status");
    QCOMPARE(away.status, 595);
    QCOMPARE(away.reason, QByteArray("No route to host"));
    QVERIFY(!m_cluster->world().guest(204)->isRunning());
    m_cluster->advance(2min);
    QCOMPARE(m_cluster->call("GET /nodes/pve2/status").status, 200);
    QVERIFY(m_cluster->world().guest(204)->isRunning());
    // This one does not start with its node.
    QVERIFY(!m_cluster->world().guest(209)->isRunning());
}

LABHELM_TEST(AgentTest)
#include "AgentTest.moc"
