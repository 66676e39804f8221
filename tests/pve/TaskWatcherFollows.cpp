#include "pve/Client.h"
#include "pve/HttpTransport.h"
#include "pve/Session.h"
#include "pve/TaskAnswers.h"
#include "pve/TaskWatcher.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include "support/ScriptedServer.h"
#include "support/TestMain.h"
#include <QElapsedTimer>
#include <set>

namespace
{
TaskPace quick()
{
    using std::chrono::milliseconds;
    TaskPace pace;
    pace.betweenRequests = milliseconds(2);
    pace.first = pace.slowest = pace.list = milliseconds(5);
    pace.trouble = milliseconds(5);
    pace.troubleMost = milliseconds(20);
    return pace;
}

Upid upid(int number = 1, const char *node = "pve1")
{
    return *Upid::from(QStringLiteral("UPID:%1:%2:0005C54C:6B0D48FB:qmstart:100:root@pam:")
                           .arg(QLatin1String(node))
                           .arg(number, 8, 16, QLatin1Char('0'))
                           .toUpper()
                           .replace(QLatin1String("PVE"), QLatin1String("pve"))
                           .replace(QLatin1String("QMSTART"), QLatin1String("qmstart"))
                           .replace(QLatin1String("ROOT@PAM"), QLatin1String("root@pam")));
}

struct Watching {
    ScriptedServer server;
    MemoryStore secrets;
    Remote remote;
    HttpTransport transport;
    Session session;
    Client client;
    std::unique_ptr<TaskWatcher> tasks;
    explicit Watching(const TaskPace &pace = quick())
        : remote(server.remote()), transport(remote), session(remote, transport, secrets), client(transport, session),
          tasks(std::make_unique<TaskWatcher>(client, pace))
    {
        const auto kept = await(secrets.write(remote.secretKey(), Secret("x")));
        Q_ASSERT(kept);
    }
    using Place = std::shared_ptr<std::optional<Result<TaskEnd>>>;
    Place start(const Upid &task, std::stop_token stop = {}, TaskWatcher::Report report = {})
    {
        auto place = std::make_shared<std::optional<Result<TaskEnd>>>();
        awaiting::keep(tasks->watch(task, std::move(report), std::move(stop)), place);
        return place;
    }
};

int looksAt(const ScriptedServer &server, int number)
{
    const auto part = "%3A" + QByteArray::number(number, 16).rightJustified(8, '0') + "%3A";
    return int(std::count_if(server.requests.begin(), server.requests.end(),
                             [&](const auto &request) { return request.path.contains(part); }));
}

ScriptedServer::Reply stopped(const QByteArray &exit)
{
    return ScriptedServer::ok(R"({"status":"stopped","exitstatus":")" + exit + R"("})");
}
ScriptedServer::Reply running()
{
    return ScriptedServer::ok(R"({"status":"running"})");
}
ScriptedServer::Reply error(const QByteArray &status, const QByteArray &body)
{
    return ScriptedServer::say(ScriptedServer::bytes(status, body));
}
}

/// A task is followed to an end that PVE has told, or it is called unknown.
class TaskWatcherFollows : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void tellsHowATaskEnded_data();
    void tellsHowATaskEnded();
    void asksUntilItEnds();
    void reportsTheLastLineAndThePercentage();
    void callsATaskUnknownThatPveHasForgotten();
    void callsATaskUnknownThatMayNotBeSeen();
    void looksTwiceBeforeItBelievesThatTheEndIsLost();
    void tellsWarningsFromFailure_A20_data();
    void tellsWarningsFromFailure_A20();
    void readsTheExitStatusOfAStoppedTaskOnly_A21();
    void givesUpOnATaskOfWhichPveSaysNothingOfUse();
    void asksTheNodeThatTheTaskNames_A22();
    void waitsNetworkTroubleOut();
    void stopsAskingWhenNobodyWaits();
    void asksOnceForTwoWhoWait();
    void readsManyTasksOffTheList();
    void letsEachOfManySpeakInTurn();
    void staysBelowTenRequestsASecond();
    void endsWhoWaitsWhenItGoes();
    void findsThePercentage_data();
    void findsThePercentage();
};

void TaskWatcherFollows::tellsHowATaskEnded_data()
{
    QTest::addColumn<QByteArray>("exit");
    QTest::addColumn<TaskEnd::How>("how");
    QTest::newRow("ok") << QByteArray("OK") << TaskEnd::How::Ok;
    QTest::newRow("warnings") << QByteArray("WARNINGS: 2") << TaskEnd::How::Warnings;
    QTest::newRow("failed") << QByteArray("VM 100 already running") << TaskEnd::How::Failed;
    QTest::newRow("stopped by somebody") << QByteArray("received interrupt") << TaskEnd::How::Failed;
    QTest::newRow("words that begin like success") << QByteArray("OK?") << TaskEnd::How::Failed;
}

// A20, A21
void TaskWatcherFollows::tellsHowATaskEnded()
{
    QFETCH(QByteArray, exit);
    QFETCH(TaskEnd::How, how);
    Watching with;
    with.server.script = [&](const auto &) { return stopped(exit); };
    const auto end = await(with.tasks->watch(upid(), {}, {}));
    QVERIFY(bool(end));
    QCOMPARE(end->how, how);
    QCOMPARE(end->exitStatus, QString::fromLatin1(exit));
    QCOMPARE(with.server.requests.size(), size_t(1));
    QCOMPARE(with.server.requests[0].path,
             QByteArray("/api2/json/nodes/pve1/tasks/"
                        "UPID%3Apve1%3A00000001%3A0005C54C%3A6B0D48FB%3Aqmstart%3A100%3Aroot%40pam%3A/status"));
}

// A21
void TaskWatcherFollows::asksUntilItEnds()
{
    Watching with;
    with.server.script = [&](const auto &) { return with.server.requests.size() < 4 ? running() : stopped("OK"); };
    QVERIFY(bool(await(with.tasks->watch(upid(), {}, {}))));
    QCOMPARE(with.server.requests.size(), size_t(4));
}

void TaskWatcherFollows::reportsTheLastLineAndThePercentage()
{
    Watching with;
    int lines = 0;
    with.server.script = [&](const auto &request) {
        if (!request.path.contains("/log?"))
            return lines < 3 ? running() : stopped("OK");
        if (++lines == 1)
            return ScriptedServer::ok(R"([{"n":1,"t":"no content"}],"total":1)");
        const auto start = request.path.mid(request.path.indexOf("start=") + 6).split('&').first().toInt();
        return lines == 2 && start == 0
                   ? ScriptedServer::ok(
                         R"x([{"n":1,"t":"starting"},{"n":2,"t":"transferred 1.2 GiB of 3.2 GiB (37.00%)"}],"total":2)x")
                   : ScriptedServer::ok(R"([{"n":3,"t":"cleaning up"}],"total":3)");
    };
    std::vector<TaskProgress> said;
    const auto end = with.start(upid(), {}, [&](const TaskProgress &progress) { said.push_back(progress); });
    QVERIFY(waitUntil([&] { return end->has_value(); }));
    QCOMPARE(said.size(), size_t(2));
    QCOMPARE(said[0].fraction, 0.37);
    QVERIFY(said[0].lastLine.contains(QLatin1String("3.2 GiB")));
    QCOMPARE(said[1].fraction, 0.37);
    QCOMPARE(said[1].lastLine, QStringLiteral("cleaning up"));
}

void TaskWatcherFollows::callsATaskUnknownThatPveHasForgotten()
{
    Watching with;
    with.server.script = [](const auto &) {
        return error("400 Parameter verification failed.",
                     R"({"data":null,"message":"Parameter verification failed.\n","errors":{"upid":"no such task"}})");
    };
    const auto end = await(with.tasks->watch(upid(), {}, {}));
    QVERIFY(!end);
    QCOMPARE(end.error().kind, Error::Kind::Unknown);
    QCOMPARE(with.server.requests.size(), size_t(1));
}

void TaskWatcherFollows::callsATaskUnknownThatMayNotBeSeen()
{
    Watching with;
    with.server.script = [](const auto &) {
        return error("403 Permission check failed (/nodes/pve1, Sys.Audit)", R"({"data":null})");
    };
    const auto end = await(with.tasks->watch(upid(), {}, {}));
    QVERIFY(!end);
    QCOMPARE(end.error().kind, Error::Kind::Unknown);
    QVERIFY(end.error().message.contains(QLatin1String("Sys.Audit")));
}

void TaskWatcherFollows::looksTwiceBeforeItBelievesThatTheEndIsLost()
{
    Watching with;
    int looks = 0;
    with.server.script = [&](const auto &request) {
        if (request.path.contains("/log?"))
            return ScriptedServer::ok(R"([{"n":1,"t":"copying"}],"total":1)");
        ++looks;
        return stopped("unable to read tail (got 0 bytes)");
    };
    const auto lost = await(with.tasks->watch(upid(), {}, {}));
    QVERIFY(!lost);
    QCOMPARE(lost.error().kind, Error::Kind::Unknown);
    QCOMPARE(looks, 2);
    QCOMPARE(with.server.requests.size(), size_t(3)); // and its log once
    looks = 0;
    with.server.script = [&](const auto &request) {
        return request.path.contains("/log?") ? ScriptedServer::ok("[]")
                                              : stopped(++looks == 1 ? "unexpected status" : "OK");
    };
    QVERIFY(bool(await(with.tasks->watch(upid(2), {}, {}))));
}

// A20: what PVE says of an end, and what is made of it; nothing is ever sent again.
void TaskWatcherFollows::tellsWarningsFromFailure_A20_data()
{
    QTest::addColumn<QByteArray>("exit");
    QTest::addColumn<QString>("end");
    QTest::newRow("ok") << QByteArray("OK") << "ok 0";
    QTest::newRow("one warning") << QByteArray("WARNINGS: 1") << "warnings 1";
    QTest::newRow("twelve warnings") << QByteArray("WARNINGS: 12") << "warnings 12";
    QTest::newRow("its own words") << QByteArray("WARNINGS are on") << "failed 0";
    QTest::newRow("an error") << QByteArray("VM 100 already running") << "failed 0";
    // The worker died before it could say how it ended: PVE does not know either, and a change may be half done.
    QTest::newRow("unexpected status") << QByteArray("unexpected status") << "unknown";
    QTest::newRow("nothing") << QByteArray() << "unknown";
}

void TaskWatcherFollows::tellsWarningsFromFailure_A20()
{
    QFETCH(QByteArray, exit);
    QFETCH(QString, end);
    Watching with;
    with.server.script = [&](const auto &request) {
        return request.path.contains("/log?") ? ScriptedServer::ok("[]") : stopped(exit);
    };
    const auto is = await(with.tasks->watch(upid(), {}, {}));
    if (end == QLatin1String("unknown")) {
        QVERIFY(!is);
        QCOMPARE(is.error().kind, Error::Kind::Unknown);
    } else {
        QVERIFY(bool(is));
        const QStringList names{QStringLiteral("ok"), QStringLiteral("warnings"), QStringLiteral("failed")};
        QCOMPARE(QStringLiteral("%1 %2").arg(names[int(is->how)]).arg(is->warnings), end);
    }
    QCOMPARE(with.server.arrived("POST"), 0);
}

// A21: a running task has no exit status; a stopped one without it has an unknown end, and its log is read.
void TaskWatcherFollows::readsTheExitStatusOfAStoppedTaskOnly_A21()
{
    Watching with;
    int looks = 0;
    with.server.script = [&](const auto &) {
        return ++looks < 3 ? ScriptedServer::ok(R"({"status":"running","exitstatus":"OK"})") : stopped("OK");
    };
    const auto end = await(with.tasks->watch(upid(), {}, {}));
    QVERIFY(bool(end));
    QCOMPARE(end->how, TaskEnd::How::Ok);
    QCOMPARE(looks, 3);
    int logs = 0;
    with.server.script = [&](const auto &request) {
        if (!request.path.contains("/log?"))
            return ScriptedServer::ok(R"({"status":"stopped"})");
        ++logs;
        return ScriptedServer::ok(R"([{"n":1,"t":"copying disk"},{"n":2,"t":"out of\u001b space"}],"total":2)");
    };
    const auto unknown = await(with.tasks->watch(upid(2), {}, {}));
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().kind, Error::Kind::Unknown);
    QCOMPARE(logs, 1);
    QVERIFY2(unknown.error().message.contains(QLatin1String("out of\\x1b space")), qPrintable(unknown.error().message));
}

void TaskWatcherFollows::givesUpOnATaskOfWhichPveSaysNothingOfUse()
{
    for (const auto *answer : {"null", "{}", "[]", R"({"status":null})", R"({"status":"soon","exitstatus":"OK"})"}) {
        Watching with;
        with.server.script = [&](const auto &) { return ScriptedServer::ok(answer); };
        const auto end = await(with.tasks->watch(upid(), {}, {}));
        QVERIFY2(!end, answer);
        QCOMPARE(end.error().kind, Error::Kind::Unknown);
    }
}

// A22: the node is the task's own, whichever node is connected; the whole id is one piece of the path.
void TaskWatcherFollows::asksTheNodeThatTheTaskNames_A22()
{
    const auto task = Upid::from(QStringLiteral("UPID:node2:000137B5:00112EB4:6991F9E1:vzcreate:300:root@pam!tofu:"));
    QVERIFY(bool(task));
    QCOMPARE(task->node, QStringLiteral("node2"));
    QCOMPARE(task->type, QStringLiteral("vzcreate"));
    QCOMPARE(task->id, QStringLiteral("300"));
    QCOMPARE(task->user + u'!' + task->tokenId, QStringLiteral("root@pam!tofu"));
    QCOMPARE(task->startTime, qint64(0x6991F9E1));
    Watching with;
    with.server.script = [&](const auto &) { return stopped("OK"); };
    QVERIFY(bool(await(with.tasks->watch(*task, {}, {}))));
    QVERIFY2(with.server.requests[0].path.startsWith("/api2/json/nodes/node2/tasks/UPID%3Anode2%3A"),
             with.server.requests[0].path);
    QVERIFY(with.server.requests[0].path.endsWith("%3Aroot%40pam%21tofu%3A/status"));
    const auto nobody = Upid::from(QStringLiteral("UPID:node2:000137B5:00112EB4:6991F9E1:aptupdate::root@pam:"));
    QVERIFY(bool(nobody));
    QCOMPARE(nobody->id, QString());
}

void TaskWatcherFollows::waitsNetworkTroubleOut()
{
    Watching with;
    with.server.script = [&](const auto &) -> ScriptedServer::Reply {
        switch (with.server.requests.size()) {
        case 1: return error("595 No route to host", {});
        case 2: return error("596 Connection timed out", {});
        case 3:
            return ScriptedServer::say(
                ScriptedServer::bytes("502 Bad Gateway", "<html>", "Content-Type: text/html\r\n"));
        case 4: return ScriptedServer::say(ScriptedServer::bytes("200 OK", "{\"da"));
        default: return stopped("OK");
        }
    };
    const auto end = await(with.tasks->watch(upid(), {}, {}));
    QVERIFY(bool(end));
    QCOMPARE(with.server.requests.size(), size_t(5));
}

void TaskWatcherFollows::stopsAskingWhenNobodyWaits()
{
    Watching with;
    with.server.script = [](const auto &) { return running(); };
    std::stop_source stop;
    const auto end = with.start(upid(), stop.get_token());
    QVERIFY(waitUntil([&] { return with.server.requests.size() >= 2; }));
    stop.request_stop();
    QVERIFY(end->has_value());
    QCOMPARE((**end).error().kind, Error::Kind::Cancelled);
    // Another task takes eight more looks; at most the one that was under way is still for the first.
    const auto asked = looksAt(with.server, 1);
    with.server.script = [&](const auto &) { return looksAt(with.server, 2) < 8 ? running() : stopped("OK"); };
    QVERIFY(bool(await(with.tasks->watch(upid(2), {}, {}))));
    QVERIFY(looksAt(with.server, 1) <= asked + 1);
    QCOMPARE(with.server.arrived("DELETE"), 0);
}

void TaskWatcherFollows::asksOnceForTwoWhoWait()
{
    Watching with;
    with.server.script = [&](const auto &) { return with.server.requests.size() < 3 ? running() : stopped("OK"); };
    const auto first = with.start(upid());
    const auto second = with.start(upid());
    QVERIFY(waitUntil([&] { return first->has_value() && second->has_value(); }));
    QVERIFY(bool(**first) && bool(**second));
    QCOMPARE(with.server.requests.size(), size_t(3));
}

void TaskWatcherFollows::readsManyTasksOffTheList()
{
    Watching with;
    constexpr int many = 200;
    int alive = many;
    with.server.script = [&](const auto &request) {
        QByteArray rows;
        if (request.path.contains("source=active")) {
            alive = qMax(0, alive - 60);
            for (int i = 0; i < alive; ++i)
                rows += R"({"upid":")" + upid(i).text.toLatin1() + R"(","status":"RUNNING","starttime":1},)";
        } else if (request.path.contains("source=archive")) {
            for (int i = alive; i < many; ++i)
                if (i != 150) // one has vanished from every list
                    rows += R"({"upid":")" + upid(i).text.toLatin1() + R"(","status":"OK","starttime":1,"endtime":2},)";
        } else {
            return request.path.contains("%3A00000096%3A") ? stopped("WARNINGS: 1") : running();
        }
        return ScriptedServer::ok("[" + (rows.isEmpty() ? rows : rows.chopped(1)) + "]");
    };
    std::vector<Watching::Place> ends;
    for (int i = 0; i < many; ++i)
        ends.push_back(with.start(upid(i)));
    QVERIFY(waitUntil(
        [&] { return std::all_of(ends.begin(), ends.end(), [](const auto &end) { return end->has_value(); }); }));
    for (int i = 0; i < many; ++i) {
        QVERIFY(bool(**ends[size_t(i)]));
        QCOMPARE((**ends[size_t(i)])->how, i == 150 ? TaskEnd::How::Warnings : TaskEnd::How::Ok);
    }
    QVERIFY2(with.server.requests.size() < 30, qPrintable(QString::number(with.server.requests.size())));
}

void TaskWatcherFollows::letsEachOfManySpeakInTurn()
{
    Watching with;
    constexpr int many = 11;
    with.server.script = [](const auto &request) {
        QByteArray rows;
        for (int i = 0; i < many; ++i)
            rows += R"({"upid":")" + upid(i).text.toLatin1() + R"(","status":"RUNNING","starttime":1},)";
        if (request.path.contains("source=active"))
            return ScriptedServer::ok('[' + rows.chopped(1) + ']');
        return request.path.contains("/log?") ? ScriptedServer::ok(R"([{"n":1,"t":"12%"}],"total":1)") : running();
    };
    std::stop_source stop;
    std::set<int> spoke;
    std::vector<Watching::Place> ends;
    for (int i = 0; i < many; ++i)
        ends.push_back(with.start(upid(i), stop.get_token(), [&spoke, i](const TaskProgress &) { spoke.insert(i); }));
    QVERIFY(waitUntil([&] { return spoke.size() == many; }));
    stop.request_stop();
}

// R15
void TaskWatcherFollows::staysBelowTenRequestsASecond()
{
    TaskPace pace;
    pace.first = pace.slowest = pace.list = std::chrono::milliseconds(1);
    Watching with(pace);
    with.server.script = [](const auto &request) {
        return request.path.contains("source=") ? ScriptedServer::ok("[]") : running();
    };
    std::vector<Watching::Place> ends;
    std::stop_source stop;
    for (int i = 0; i < 100; ++i)
        ends.push_back(with.start(upid(i, i % 2 ? "pve1" : "pve2"), stop.get_token(), [](const TaskProgress &) {}));
    QElapsedTimer took;
    took.start();
    QVERIFY(waitUntil([&] { return with.server.requests.size() >= 16; }));
    QVERIFY2(took.elapsed() >= 1450, qPrintable(QString::number(took.elapsed())));
    stop.request_stop();
}

void TaskWatcherFollows::endsWhoWaitsWhenItGoes()
{
    Watching with;
    with.server.script = [](const auto &) { return running(); };
    const auto end = with.start(upid());
    const auto other = with.start(upid(2, "pve2"));
    QVERIFY(waitUntil([&] { return with.server.requests.size() >= 3; }));
    with.tasks.reset();
    QVERIFY(end->has_value() && other->has_value());
    QCOMPARE((**end).error().kind, Error::Kind::Cancelled);
}

void TaskWatcherFollows::findsThePercentage_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<double>("fraction");
    QTest::newRow("backup") << QStringLiteral("INFO:  12% (1.2 GiB of 10.0 GiB) in 3s, read: 409.6 MiB/s") << 0.12;
    QTest::newRow("move") << QStringLiteral("transferred 1.2 GiB of 3.2 GiB (37.00%)") << 0.37;
    QTest::newRow("mirror") << QStringLiteral("drive-scsi0: transferred 3.2 GiB of 3.2 GiB (100.00%) in 5s, ready")
                            << 1.0;
    QTest::newRow("zero") << QStringLiteral("progress 0%") << 0.0;
    QTest::newRow("too much") << QStringLiteral("123% done") << -1.0;
    QTest::newRow("none") << QStringLiteral("INFO: starting") << -1.0;
    QTest::newRow("part of a number") << QStringLiteral("1234.5%") << -1.0;
}

void TaskWatcherFollows::findsThePercentage()
{
    QFETCH(QString, line);
    QFETCH(double, fraction);
    QCOMPARE(TaskAnswers::fraction(line).value_or(-1), fraction);
}

Q_DECLARE_METATYPE(TaskEnd::How)
LABHELM_TEST(TaskWatcherFollows)
#include "TaskWatcherFollows.moc"
