#include "pve/Client.h"
#include "support/ClusterStage.h"
#include "support/TestMain.h"

/// Tasks of everyone are listed, read, waited for and stopped.
class TaskTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<ClusterStage> m_stage;

    static TestClusterOptions slow()
    {
        TestClusterOptions options;
        options.taskPace = 1000;
        return options;
    }
    QString runningTask()
    {
        m_stage = std::make_unique<ClusterStage>(slow());
        if (!m_stage->cluster.isFilled())
            return {};
        ApiRequest request{Method::Post, {"nodes", "pve1", "qemu", "120", "status", "start"}};
        const auto answer = await(m_stage->cluster.client().send(std::move(request), {}));
        return answer ? answer->data.toString() : QString();
    }

private Q_SLOTS:
    void init()
    {
        m_stage = std::make_unique<ClusterStage>();
        QVERIFY(m_stage->cluster.isFilled());
    }
    void cleanup() { m_stage.reset(); }

    void listsTasksOfOneGuest()
    {
        OUTCOME_IS_GOOD(m_stage->run("guest.start", {{"guest", 107}}));
        const auto tasks = m_stage->answer("task.list", {{"guest", "radarr"}})[QStringLiteral("tasks")].toArray();
        QVERIFY(!tasks.isEmpty());
        QCOMPARE(tasks.first()[QLatin1String("type")].toString(), QStringLiteral("vzstart"));
        QCOMPARE(tasks.first()[QLatin1String("state")].toString(), QStringLiteral("ok"));
        for (const auto &task : tasks)
            QCOMPARE(task[QLatin1String("id")].toString(), QStringLiteral("107"));
    }
    void readsStateAndLogOfATask()
    {
        const auto started = m_stage->run("guest.start", {{"guest", 107}});
        OUTCOME_IS_GOOD(started);
        QCOMPARE(m_stage->answer("task.get", {{"task", started.outcome->upid}})[QStringLiteral("state")].toString(),
                 QStringLiteral("ok"));
        const auto log = m_stage->answer("task.log", {{"task", started.outcome->upid}});
        QVERIFY(log[QStringLiteral("lines")].toArray().last().toString().contains(QLatin1String("TASK OK")));
    }
    void saysThatATaskIsUnknown()
    {
        const QJsonObject unknown{{"task", "UPID:pve1:0000AAAA:0000BBBB:6B0D48B7:vzdump:200:root@pam:"}};
        QCOMPARE(m_stage->run("task.get", unknown).outcome.error().code(), QStringLiteral("not_found"));
        QCOMPARE(m_stage->run("task.log", unknown).outcome.error().code(), QStringLiteral("not_found"));
        REFUSED_WITH(m_stage->run("task.get", {{"task", "UPID:pve1/../x"}}), Error::Kind::Invalid, "UPID");
    }
    void stopsARunningTaskAndRefusesAFinishedOne()
    {
        const auto upid = runningTask();
        QVERIFY(!upid.isEmpty());
        QCOMPARE(m_stage->answer("task.get", {{"task", upid}})[QStringLiteral("state")].toString(),
                 QStringLiteral("running"));
        OUTCOME_IS_GOOD(m_stage->run("task.stop", {{"task", upid}}));
        QCOMPARE(m_stage->answer("task.get", {{"task", upid}})[QStringLiteral("state")].toString(),
                 QStringLiteral("failed"));
        REFUSED_WITH(m_stage->run("task.stop", {{"task", upid}}), Error::Kind::Conflict, "ended already");
    }
    void waitsUntilATaskEndsOrTheTimeIsUp()
    {
        const auto upid = runningTask();
        QVERIFY(!upid.isEmpty());
        const auto still = m_stage->answer("task.wait", {{"task", upid}, {"timeout", 1}});
        QCOMPARE(still[QStringLiteral("state")].toString(), QStringLiteral("running"));
        m_stage->cluster.world().interrupt(upid);
        const auto ended = m_stage->answer("task.wait", {{"task", upid}, {"timeout", 20}});
        QCOMPARE(ended[QStringLiteral("state")].toString(), QStringLiteral("failed"));
        QCOMPARE(ended[QStringLiteral("exit_status")].toString(), QStringLiteral("received interrupt"));
    }
};

LABHELM_TEST(TaskTest)
#include "TaskTest.moc"
