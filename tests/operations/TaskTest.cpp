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
    // A20: a task with warnings is done, its warnings are shown, and it is started once.
    void showsTheWarningsOfATask_A20()
    {
        auto &simulator = m_stage->cluster.simulator;
        Fault status, log;
        status.kind = log.kind = Fault::Kind::Answer;
        status.status = log.status = 200;
        status.reason = log.reason = "OK";
        status.contentType = log.contentType = "application/json;charset=UTF-8";
        status.always = log.always = true;
        status.path = QStringLiteral("/nodes/*/tasks/*/status");
        status.body = R"({"data":{"status":"stopped","exitstatus":"WARNINGS: 2"}})";
        log.path = QStringLiteral("/nodes/*/tasks/*/log");
        log.body = R"({"data":[{"n":1,"t":"starting"},{"n":2,"t":"WARN: no efidisk configured"},)"
                   R"({"n":3,"t":"WARN: \u202Eold"},{"n":4,"t":"TASK WARNINGS: 2"}],"total":4})";
        simulator.faults().add(status);
        simulator.faults().add(log);
        const auto started = m_stage->run("guest.start", {{"guest", 107}});
        OUTCOME_IS_GOOD(started);
        QCOMPARE(started.state, CallState::Warnings);
        const auto warnings = started.outcome->warnings;
        QVERIFY(warnings.contains(QStringLiteral("Warnings in the task's log: 2.")));
        QVERIFY(warnings.contains(QStringLiteral("WARN: no efidisk configured")));
        QVERIFY(warnings.contains(QStringLiteral("WARN: <U+202E>old")));
        QCOMPARE(simulator.count(QStringLiteral("POST"), QStringLiteral("/nodes/pve1/lxc/107/status/start")), 1);
    }
    // A21
    void neverTakesATaskForDoneThatDoesNotSaySo_A21_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QString>("state");
        const auto row = [](const char *answer, const char *state) {
            QTest::newRow(answer) << QByteArray(answer) << QString::fromLatin1(state);
        };
        row(R"({"status":"running"})", "running");
        row(R"({"status":"running","exitstatus":"OK"})", "running");
        row(R"({"status":"stopped","exitstatus":"OK"})", "ok");
        row(R"({"status":"stopped"})", "unknown");
        row(R"({"status":"stopped","exitstatus":null})", "unknown");
        row(R"({"status":"stopped","exitstatus":0})", "unknown");
        row(R"({"exitstatus":"OK"})", "unknown");
        row(R"({"status":"soon","exitstatus":"OK"})", "unknown");
        row(R"({"status":"stopped","exitstatus":"unexpected status"})", "failed");
        row(R"({"status":"stopped","exitstatus":"WARNINGS: 12"})", "warnings");
        row(R"({"status":"stopped","exitstatus":"WARNINGS"})", "failed");
    }
    void neverTakesATaskForDoneThatDoesNotSaySo_A21()
    {
        QFETCH(QByteArray, answer);
        QFETCH(QString, state);
        Fault status;
        status.kind = Fault::Kind::Answer;
        status.status = 200;
        status.reason = "OK";
        status.contentType = "application/json;charset=UTF-8";
        status.body = "{\"data\":" + answer + '}';
        m_stage->cluster.simulator.faults().add(status);
        const QJsonObject task{{"task", "UPID:pve1:0000AAAA:0000BBBB:6B0D48B7:vzdump:200:root@pam:"}};
        const auto shown = m_stage->answer("task.get", task);
        QCOMPARE(shown[QStringLiteral("state")].toString(), state);
        QCOMPARE(shown[QStringLiteral("start_time")].toInteger(), qint64(0x6B0D48B7)); // never 0
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
