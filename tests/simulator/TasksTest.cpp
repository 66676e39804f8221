#include "simulator/SimulatedCluster.h"
#include "support/TestMain.h"
#include <QJsonArray>

using namespace std::chrono_literals;

/// Tasks: they take time, write, warn, fail and can be stopped; nothing moves while the clock stands still.
class TasksTest : public QObject
{
    Q_OBJECT

    QString start(const QByteArray &call, const QByteArray &form = {})
    {
        return m_cluster->data(call, form).toString();
    }
    QJsonObject status(const QString &upid)
    {
        return m_cluster->data("GET /nodes/" + node(upid) + "/tasks/" + upid.toUtf8().toPercentEncoding() + "/status")
            .toObject();
    }
    QStringList log(const QString &upid)
    {
        QStringList lines;
        for (const auto &line :
             m_cluster
                 ->data("GET /nodes/" + node(upid) + "/tasks/" + upid.toUtf8().toPercentEncoding() + "/log?limit=0")
                 .toArray())
            lines.append(line[QLatin1String("t")].toString());
        return lines;
    }
    static QByteArray node(const QString &upid) { return upid.section(u':', 1, 1).toUtf8(); }

    std::unique_ptr<SimulatedCluster> m_cluster;

private Q_SLOTS:
    void init() { m_cluster = std::make_unique<SimulatedCluster>(); }

    void nothingHappensWhileTheClockStands();
    void aTaskEndsWhenItsTimeHasCome();
    void aLogGrowsLineByLine();
    void aTaskCanEndWithWarnings();
    void aTaskCanFail();
    void aStoppedTaskWasInterrupted();
    void stoppingWhatIsOverChangesNothing();
    void aRunningTaskIsInTheListsAsRunning();
    void anUnknownTaskHasNoStatusButALog();
    void tasksOfATokenCarryIt();
    void paceMakesTasksInstant();
    void aTaskSurvivesThatItsGuestIsGone();
};

void TasksTest::nothingHappensWhileTheClockStands()
{
    const auto upid = start("POST /nodes/pve2/qemu/212/status/start");
    for (int i = 0; i < 5; ++i)
        QCOMPARE(status(upid)[QLatin1String("status")].toString(), QStringLiteral("running"));
    QVERIFY(!status(upid).contains(QLatin1String("exitstatus")));
    QVERIFY(!m_cluster->world().guest(212)->isRunning());
}

void TasksTest::aTaskEndsWhenItsTimeHasCome()
{
    const auto upid = start("POST /nodes/pve2/qemu/212/status/start");
    m_cluster->advance(2s);
    QVERIFY(m_cluster->world().task(upid)->isRunning());
    m_cluster->advance(1s);
    QCOMPARE(status(upid)[QLatin1String("exitstatus")].toString(), QStringLiteral("OK"));
    QVERIFY(m_cluster->world().guest(212)->isRunning());
    QCOMPARE(log(upid), QStringList{"TASK OK"});
}

void TasksTest::aLogGrowsLineByLine()
{
    const auto upid = start("POST /nodes/pve1/vzdump", "vmid=101&storage=nas-backup&mode=snapshot");
    QStringList seen = log(upid);
    QCOMPARE(seen.size(), 1);
    for (int second = 4; second <= 40; second += 4) {
        m_cluster->advance(4s);
        const auto now = log(upid);
        QVERIFY(now.size() > seen.size());
        QCOMPARE(now.mid(0, seen.size()), seen);
        seen = now;
    }
    QVERIFY(seen.last().contains(QLatin1String("100%")));
    QCOMPARE(m_cluster->world().guest(101)->lock(), QStringLiteral("backup"));
    m_cluster->advance(4s);
    QCOMPARE(log(upid).last(), QStringLiteral("TASK OK"));
    QVERIFY(m_cluster->world().guest(101)->lock().isEmpty());
}

void TasksTest::aTaskCanEndWithWarnings()
{
    const auto upid = start("POST /nodes/pve1/qemu/120/status/start");
    m_cluster->advance(10s);
    QCOMPARE(status(upid)[QLatin1String("exitstatus")].toString(), QStringLiteral("WARNINGS: 1"));
    QCOMPARE(log(upid).last(), QStringLiteral("TASK WARNINGS: 1"));
    QVERIFY(m_cluster->world().guest(120)->isRunning());
}

void TasksTest::aTaskCanFail()
{
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/115/status/shutdown", "timeout=20"),
             QStringLiteral("VM quit/powerdown failed - got timeout"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve1/qemu/101/status/start"), QStringLiteral("VM 101 already running"));
    QCOMPARE(m_cluster->outcome("POST /nodes/pve2/qemu/9000/status/start"),
             QStringLiteral("you can't start a vm if it's a template"));
    const auto errors = m_cluster->data("GET /nodes/pve1/tasks?errors=1&limit=2").toArray();
    QCOMPARE(errors[0][QLatin1String("status")].toString(), QStringLiteral("VM 101 already running"));
}

void TasksTest::aStoppedTaskWasInterrupted()
{
    const auto upid = start("POST /nodes/pve1/qemu/115/status/shutdown", "timeout=60");
    m_cluster->advance(5s);
    const auto path = "/nodes/pve1/tasks/" + upid.toUtf8().toPercentEncoding();
    QCOMPARE(m_cluster->call("DELETE " + path).status, 200);
    QCOMPARE(status(upid)[QLatin1String("exitstatus")].toString(), QStringLiteral("received interrupt"));
    QCOMPARE(log(upid), QStringList{"TASK ERROR: received interrupt"});
    m_cluster->advance(2min);
    QCOMPARE(status(upid)[QLatin1String("exitstatus")].toString(), QStringLiteral("received interrupt"));
    QVERIFY(m_cluster->world().guest(115)->isRunning());
}

void TasksTest::stoppingWhatIsOverChangesNothing()
{
    const auto upid = start("POST /nodes/pve2/qemu/212/status/start");
    m_cluster->advance(1min);
    QCOMPARE(m_cluster->call("DELETE /nodes/pve2/tasks/" + upid.toUtf8().toPercentEncoding()).status, 200);
    QCOMPARE(status(upid)[QLatin1String("exitstatus")].toString(), QStringLiteral("OK"));
}

void TasksTest::aRunningTaskIsInTheListsAsRunning()
{
    const auto upid = start("POST /nodes/pve2/qemu/212/status/start");
    const auto active = m_cluster->data("GET /nodes/pve2/tasks?source=active").toArray();
    QCOMPARE(active.size(), 1);
    QCOMPARE(active[0][QLatin1String("upid")].toString(), upid);
    QCOMPARE(active[0][QLatin1String("status")].toString(), QStringLiteral("RUNNING"));
    const auto first = m_cluster->data("GET /cluster/tasks").toArray().first().toObject();
    QCOMPARE(first[QLatin1String("upid")].toString(), upid);
    QVERIFY(!first.contains(QLatin1String("endtime")) && !first.contains(QLatin1String("status")));
}

void TasksTest::anUnknownTaskHasNoStatusButALog()
{
    const auto unknown = QByteArray("UPID:pve1:0000FFFF:00000001:6B0D0000:qmstart:100:root@pam:").toPercentEncoding();
    const auto answer = m_cluster->call("GET /nodes/pve1/tasks/" + unknown + "/status");
    QCOMPARE(answer.status, 400);
    QCOMPARE(answer.json()[QLatin1String("errors")][QLatin1String("upid")].toString(), QStringLiteral("no such task"));
    const auto lines = m_cluster->data("GET /nodes/pve1/tasks/" + unknown + "/log").toArray();
    QCOMPARE(lines[0][QLatin1String("t")].toString(),
             QStringLiteral("unable to open file - No such file or directory"));
}

void TasksTest::tasksOfATokenCarryIt()
{
    const auto upid = start("POST /nodes/pve2/qemu/212/status/start");
    QVERIFY(upid.endsWith(QLatin1String(":qmstart:212:labhelm@pve!desktop:")));
    QCOMPARE(status(upid)[QLatin1String("tokenid")].toString(), QStringLiteral("desktop"));
    QCOMPARE(status(upid)[QLatin1String("user")].toString(), QStringLiteral("labhelm@pve"));
}

void TasksTest::paceMakesTasksInstant()
{
    m_cluster->world().taskPace = 0;
    const auto upid = start("POST /nodes/pve2/qemu/212/status/start");
    QCOMPARE(status(upid)[QLatin1String("exitstatus")].toString(), QStringLiteral("OK"));
}

void TasksTest::aTaskSurvivesThatItsGuestIsGone()
{
    for (const auto *call :
         {"POST /nodes/pve2/qemu/212/status/start", "POST /nodes/pve1/lxc/104/snapshot?snapname=x1",
          "DELETE /nodes/pve1/lxc/104/snapshot/weekly", "POST /nodes/pve2/qemu/214/snapshot?snapname=x2"})
        QVERIFY(start(call).startsWith(QLatin1String("UPID:")));
    for (const auto vmid : {212, 104, 214})
        m_cluster->world().remove(vmid);
    m_cluster->advance(1min);
    for (const auto *task : m_cluster->world().tasks())
        QVERIFY(!task->isRunning());
}

LABHELM_TEST(TasksTest)
#include "TasksTest.moc"
