#include "activity/ActivityDock.h"
#include "activity/ActivityModel.h"
#include "operations/PersonCalls.h"
#include "support/Desk.h"
#include "support/InventoryMaking.h"
#include "support/TestMain.h"
#include "widgets/RowTable.h"
#include <QJsonObject>

/// What is going on, by everyone, in one list.
class ActivityDockTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void showsRunningThingsFirst();
    void showsATaskOfOursOnce();
    void leavesOutReads();
    void saysHowFarAndHowLong();
    void doesNotCallATaskRunningThatNobodyHearsOf();
    void namesTheGuestBesideItsId();
    void stopsATaskThroughTheExecutor();
    void takesBackWhatHasSentNothing();
    void mayGoAwayWhileATaskRuns();

private:
    static constexpr qint64 now = 1'790'000'000'000;
    static ExecutionInfo call(const char *id, CallState state, qint64 endedMs = 0)
    {
        ExecutionInfo info;
        info.callId = QString::fromLatin1(id);
        info.operation = info.headline = QString::fromLatin1(id);
        info.effect = Effect::Changes;
        info.state = state;
        info.startedMs = now - 60'000;
        info.endedMs = endedMs;
        return info;
    }
    static TaskState task(const char *type, qint64 startedAgo, std::optional<qint64> endedAgo)
    {
        TaskState made;
        made.upid = *Upid::from(
            QStringLiteral("UPID:pve1:00001000:00010000:6AAC0000:%1:101:root@pam:").arg(QLatin1String(type)));
        made.user = QStringLiteral("root@pam");
        made.startTime = now / 1000 - startedAgo;
        if (endedAgo) {
            made.endTime = now / 1000 - *endedAgo;
            made.status = QStringLiteral("OK");
        }
        return made;
    }
    static InventoryPtr with(std::vector<TaskState> tasks,
                             InventorySnapshot::Reach reach = InventorySnapshot::Reach::Live)
    {
        auto state = InventoryMaking::remote("homelab", {InventoryMaking::guest(101, "nextcloud", "pve1")},
                                             {QStringLiteral("pve1")});
        state.tasks = std::move(tasks);
        state.reach = reach;
        return std::make_shared<const InventorySnapshot>(std::move(state));
    }
};

void ActivityDockTest::showsRunningThingsFirst()
{
    const auto rows = activityRows({call("a", CallState::Done, now - 1000), call("b", CallState::Running)},
                                   {with({task("qmstart", 500, 400), task("vzdump", 300, std::nullopt)})}, now);
    QStringList order;
    for (const auto &row : rows)
        order << row.what;
    QCOMPARE(order, (QStringList{QStringLiteral("b"), QStringLiteral("Back up guest"), QStringLiteral("a"),
                                 QStringLiteral("Start guest")}));
    QVERIFY(rows[0].isRunning && rows[1].isRunning && rows[1].mayStop && !rows[2].mayStop);
}

void ActivityDockTest::showsATaskOfOursOnce()
{
    auto ours = call("snapshot", CallState::Running);
    const auto theirs = task("qmsnapshot", 60, std::nullopt);
    ours.upid = theirs.upid.text;
    const auto rows = activityRows({ours}, {with({theirs})}, now);
    QCOMPARE(rows.size(), size_t(1));
    QCOMPARE(rows[0].by, QStringLiteral("You"));
}

void ActivityDockTest::leavesOutReads()
{
    auto read = call("guest.get", CallState::Running);
    read.effect = Effect::Reads;
    QVERIFY(activityRows({read}, {}, now).empty());
}

void ActivityDockTest::saysHowFarAndHowLong()
{
    auto running = call("backup", CallState::Running);
    QCOMPARE(activityRows({running}, {}, now)[0].time, QStringLiteral("1 min"));
    running.progress.fraction = 0.25;
    QCOMPARE(activityRows({running}, {}, now)[0].time, QStringLiteral("25\u00a0% · 3 min left"));
}

void ActivityDockTest::doesNotCallATaskRunningThatNobodyHearsOf()
{
    const auto rows =
        activityRows({}, {with({task("vzdump", 300, std::nullopt)}, InventorySnapshot::Reach::Stale)}, now);
    QVERIFY(!rows[0].isRunning && !rows[0].mayStop);
    QCOMPARE(rows[0].state, QStringLiteral("unknown"));
}

void ActivityDockTest::namesTheGuestBesideItsId()
{
    QCOMPARE(activityRows({}, {with({task("qmstart", 500, 400)})}, now)[0].target, QStringLiteral("nextcloud 101"));
}

void ActivityDockTest::stopsATaskThroughTheExecutor()
{
    TestClusterOptions options;
    options.hasManualClock = false;
    options.taskPace = 50;
    Desk desk(options);
    QVERIFY(desk.isReady());
    PersonCalls calls(*desk.executor);
    ActivityDock dock(desk.cluster.inventory, calls, &desk.window);
    dock.resize(1000, 200);
    dock.show();
    auto *table = dock.findChild<RowTable *>();
    calls.change(QStringLiteral("snapshot.create"),
                 {{QStringLiteral("guest"), QStringLiteral("104")}, {QStringLiteral("name"), QStringLiteral("slow")}});
    const auto stop = [&] { return table->model()->index(0, ActivityModel::Stop); };
    QTRY_COMPARE(desk.cluster.simulator.writes().size(), 1);
    QTRY_COMPARE(stop().data().toString(), QStringLiteral("Stop"));
    QTRY_VERIFY(!desk.executor->live().empty() && !desk.executor->live().front().upid.isEmpty());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(stop()).center());
    QTRY_VERIFY(desk.queue.dialog());
    QVERIFY(desk.allowOpenDialog());
    QTRY_COMPARE(desk.cluster.simulator.writes().size(), 2);
    QCOMPARE(desk.cluster.simulator.writes().last().method, QStringLiteral("DELETE"));
    QVERIFY(desk.cluster.simulator.writes().last().path.contains(QLatin1String("/tasks/")));
    desk.executor.reset();
}

void ActivityDockTest::takesBackWhatHasSentNothing()
{
    TestClusterOptions options;
    options.hasManualClock = false;
    Desk desk(options);
    QVERIFY(desk.isReady());
    PersonCalls calls(*desk.executor);
    ActivityDock dock(desk.cluster.inventory, calls, &desk.window);
    dock.resize(1000, 200);
    dock.show();
    auto *table = dock.findChild<RowTable *>();
    calls.change(QStringLiteral("guest.stop"), {{QStringLiteral("guest"), QStringLiteral("104")}});
    QTRY_COMPARE(table->model()->index(0, ActivityModel::Progress).data().toString(),
                 QStringLiteral("waiting for you"));
    table->setCurrentIndex(table->model()->index(0, 0));
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_VERIFY(desk.executor->live().empty());
    QVERIFY(desk.cluster.simulator.writes().isEmpty());
    desk.executor.reset();
}

void ActivityDockTest::mayGoAwayWhileATaskRuns()
{
    TestClusterOptions options;
    options.hasManualClock = false;
    options.taskPace = 50;
    Desk desk(options);
    QVERIFY(desk.isReady());
    PersonCalls calls(*desk.executor);
    ActivityDock dock(desk.cluster.inventory, calls, &desk.window);
    calls.change(QStringLiteral("snapshot.create"),
                 {{QStringLiteral("guest"), QStringLiteral("104")}, {QStringLiteral("name"), QStringLiteral("slow")}});
    QTRY_COMPARE(desk.cluster.simulator.writes().size(), 1);
    QTRY_VERIFY(!desk.executor->live().empty() && !desk.executor->live().front().upid.isEmpty());
}

LABHELM_TEST(ActivityDockTest)
#include "ActivityDockTest.moc"
