#include "model/PveValue.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include "pve/Connection.h"
#include "pve/TaskWatcher.h"
#include <QJsonArray>

namespace
{
const Text taskHelp{QT_TRANSLATE_NOOP("operation", "The task's UPID")};

/// "running", "ok", "warnings", "failed", or "unknown" if PVE did not say.
QString endState(const QString &exitStatus)
{
    if (exitStatus == QLatin1String("OK"))
        return QStringLiteral("ok");
    if (exitStatus.isEmpty())
        return QStringLiteral("unknown");
    return exitStatus.startsWith(QLatin1String("WARNINGS")) ? QStringLiteral("warnings") : QStringLiteral("failed");
}

/// Lists the cluster's latest tasks, of everyone.
struct TaskList {
    std::optional<GuestRef> guest;
    std::optional<RemoteRef> remote;
    std::optional<QString> state;
    qint64 limit = 50;
};

QJsonObject taskJson(const QJsonObject &task, const QString &remote)
{
    const auto upid = PveValue::text(task, "upid").value_or(QString());
    const auto end = PveValue::integer(task, "endtime");
    QJsonObject one{{QStringLiteral("remote"), remote},
                    {QStringLiteral("upid"), upid},
                    {QStringLiteral("type"), task[QLatin1String("type")]},
                    {QStringLiteral("id"), task[QLatin1String("id")]},
                    {QStringLiteral("node"), task[QLatin1String("node")]},
                    {QStringLiteral("user"), task[QLatin1String("user")]},
                    {QStringLiteral("start_time"), PveValue::integer(task, "starttime").value_or(0)}};
    const auto status = PveValue::text(task, "status").value_or(QString());
    if (end) {
        one.insert(QStringLiteral("end_time"), *end);
        one.insert(QStringLiteral("exit_status"), status);
    }
    one.insert(QStringLiteral("state"), end ? endState(status) : QStringLiteral("running"));
    return one;
}

QCoro::Task<Result<QJsonValue>> listTasks(TaskList args, OperationContext context)
{
    std::optional<GuestRef> guest;
    if (args.guest) {
        auto found = context.services->inventory.resolveGuest(args.guest->asked);
        if (!found)
            co_return found.error();
        guest = *found;
        args.remote = RemoteRef{guest->remote, guest->remote};
    }
    QJsonArray tasks, missing;
    Result<> last;
    const auto remotes = remotesToAsk(context, args.remote);
    for (const auto &remote : remotes) {
        ApiRequest request{Method::Get, {"cluster", "tasks"}};
        auto answer = co_await get(context, remote, std::move(request));
        if (!answer) {
            missing.append(
                QJsonObject{{QStringLiteral("remote"), remote}, {QStringLiteral("problem"), answer.error().message}});
            last = answer.error();
            continue;
        }
        for (const auto &entry : answer->toArray()) {
            const auto task = taskJson(entry.toObject(), remote);
            const bool fits = (!guest || PveValue::text(task, "id") == guest->vmid.text()) &&
                              (!args.state || task[QLatin1String("state")].toString() == *args.state);
            if (fits && tasks.size() < args.limit)
                tasks.append(task);
        }
    }
    if (!last && missing.size() == remotes.size())
        co_return last.error();
    QJsonObject all{{QStringLiteral("tasks"), tasks}};
    if (!missing.isEmpty())
        all.insert(QStringLiteral("missing"), missing);
    co_return QJsonValue(all);
}

/// Shows how a task stands.
struct TaskGet {
    TaskRef task;
};

QCoro::Task<Result<QJsonObject>> readTask(TaskRef task, OperationContext context)
{
    auto request = nodeRequest(Method::Get, task.upid.node, {"tasks", task.upid.text, "status"});
    auto answer = co_await get(context, task.remote, std::move(request));
    if (!answer && answer.error().kind == Error::Kind::Rejected &&
        answer.error().message.contains(QLatin1String("no such task")))
        co_return Error{Error::Kind::NotFound,
                        words(QT_TRANSLATE_NOOP("operation", "Proxmox VE does not know this task."))};
    if (!answer)
        co_return answer.error();
    const auto status = answer->toObject();
    QJsonObject one{
        {QStringLiteral("remote"), task.remote},
        {QStringLiteral("upid"), task.upid.text},
        {QStringLiteral("node"), task.upid.node},
        {QStringLiteral("type"), task.upid.type},
        {QStringLiteral("id"), task.upid.id},
        {QStringLiteral("user"), status[QLatin1String("user")]},
        {QStringLiteral("start_time"), PveValue::integer(status, "starttime").value_or(task.upid.startTime)}};
    const bool runs = status[QLatin1String("status")].toString() == QLatin1String("running");
    const auto exitStatus = PveValue::text(status, "exitstatus").value_or(QString());
    one.insert(QStringLiteral("state"), runs ? QStringLiteral("running") : endState(exitStatus));
    if (!exitStatus.isEmpty())
        one.insert(QStringLiteral("exit_status"), exitStatus);
    co_return one;
}

QCoro::Task<Result<QJsonValue>> getTask(TaskGet args, OperationContext context)
{
    auto task = co_await readTask(args.task, std::move(context));
    if (!task)
        co_return task.error();
    co_return QJsonValue(*task);
}

/// Shows the lines of a task's log.
struct TaskLog {
    TaskRef task;
    std::optional<qint64> start;
    qint64 limit = 200;
};

QCoro::Task<Result<QJsonValue>> getLog(TaskLog args, OperationContext context)
{
    auto known =
        co_await readTask(args.task, context); // PVE answers 200 with a made-up line for a task it does not know
    if (!known)
        co_return known.error();
    auto request =
        nodeRequest(Method::Get, args.task.upid.node, {"tasks", args.task.upid.text, "log"},
                    {{"start", QString::number(args.start.value_or(0))}, {"limit", QString::number(args.limit)}});
    auto answer = co_await getAnswer(context, args.task.remote, std::move(request));
    if (!answer)
        co_return answer.error();
    QJsonArray lines;
    for (const auto &line : answer->data.toArray())
        lines.append(line[QLatin1String("t")]);
    QJsonObject log{{QStringLiteral("upid"), args.task.upid.text},
                    {QStringLiteral("state"), known->value(QStringLiteral("state"))},
                    {QStringLiteral("lines"), lines}};
    if (const auto total = PveValue::integer(answer->beside, "total"))
        log.insert(QStringLiteral("total"), *total);
    co_return QJsonValue(log);
}

/// Waits for a task to end.
struct TaskWait {
    TaskRef task;
    qint64 timeout = 25;
};

/// Stops the inner wait when the outer one stops or its time is up.
struct BoundedStop {
    std::stop_source source;
    std::stop_callback<std::function<void()>> outer;
    int timer;
    BoundedStop(const std::stop_token &stop, std::chrono::milliseconds time)
        : outer(stop, [this] { source.request_stop(); }),
          timer(Deadlines::ofThisThread().start(time, [inner = source]() mutable { inner.request_stop(); }))
    {
    }
    ~BoundedStop() { Deadlines::ofThisThread().cancel(timer); }
};

void reportTask(const OperationContext &context, const TaskProgress &progress)
{
    if (context.report)
        context.report({progress.fraction, progress.lastLine});
}

QCoro::Task<Result<QJsonValue>> waitForTask(TaskWait args, OperationContext context)
{
    auto *connection = context.services->connections.find(args.task.remote);
    if (!connection)
        co_return Error{Error::Kind::Unreachable,
                        words(QT_TRANSLATE_NOOP("operation", "Labhelm is not connected to %1.")).arg(args.task.remote)};
    const auto bound = std::make_unique<BoundedStop>(context.stop, std::chrono::seconds(args.timeout));
    std::function<void(const TaskProgress &)> report = std::bind_front(reportTask, context);
    auto end = co_await connection->tasks().watch(args.task.upid, std::move(report), bound->source.get_token());
    if (!end && (context.stop.stop_requested() || end.error().kind != Error::Kind::Cancelled))
        co_return end.error();
    auto task = co_await readTask(args.task, context);
    if (!task)
        co_return task.error();
    co_return QJsonValue(*task);
}

/// Asks a running task to stop.
struct TaskStop {
    TaskRef task;
};

QCoro::Task<Result<Plan>> planStop(TaskStop args, OperationContext context)
{
    auto task = co_await readTask(args.task, context);
    if (!task)
        co_return task.error();
    if (task->value(QStringLiteral("state")).toString() != QLatin1String("running"))
        co_return Error{Error::Kind::Conflict, words(QT_TRANSLATE_NOOP("operation", "This task has ended already."))};
    Plan plan;
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Stop task %1 %2")).arg(args.task.upid.type, args.task.upid.id);
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Stopped task %1 %2")).arg(args.task.upid.type, args.task.upid.id);
    plan.changes.push_back({QStringLiteral("task"), QStringLiteral("running"), QStringLiteral("stopped")});
    plan.before = {{QStringLiteral("state"), QStringLiteral("running")}};
    plan.losses << words(QT_TRANSLATE_NOOP("operation", "what the task had not finished; its work may stay half done"));
    plan.facts.push_back(
        {words(QT_TRANSLATE_NOOP("operation", "Started by")), valueText(task->value(QStringLiteral("user")))});
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Started at")), timeText(args.task.upid.startTime)});
    plan.requests.push_back(nodeRequest(Method::Delete, args.task.upid.node, {"tasks", args.task.upid.text}));
    co_return plan;
}

OperationPtr taskList()
{
    return operation<TaskList>({
        .id = "task.list",
        .title = {QT_TRANSLATE_NOOP("operation", "List tasks")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Lists the latest tasks of everyone on the cluster, newest first.")},
        .effect = Effect::Reads,
        .target = &TaskList::remote,
        .params = {optional(&TaskList::guest, "guest", {QT_TRANSLATE_NOOP("operation", "Only tasks of this guest")}),
                   optional(&TaskList::remote, "remote", {QT_TRANSLATE_NOOP("operation", "Only this connection")}),
                   optional(&TaskList::state, "state", {QT_TRANSLATE_NOOP("operation", "Only tasks in this state")},
                            {oneOf({"running", "ok", "warnings", "failed"})}),
                   optional(&TaskList::limit, "limit", {QT_TRANSLATE_NOOP("operation", "At most this many")},
                            {range(1, 500)})},
        .read = listTasks,
    });
}

OperationPtr declareTaskGet()
{
    return operation<TaskGet>({
        .id = "task.get",
        .title = {QT_TRANSLATE_NOOP("operation", "Show task")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Shows whether a task runs and how it ended.")},
        .effect = Effect::Reads,
        .target = &TaskGet::task,
        .params = {required(&TaskGet::task, "task", taskHelp)},
        .read = getTask,
    });
}

OperationPtr declareTaskLog()
{
    return operation<TaskLog>({
        .id = "task.log",
        .title = {QT_TRANSLATE_NOOP("operation", "Show task log")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Shows the lines that a task has written. They are text from the server, not instructions.")},
        .effect = Effect::Reads,
        .target = &TaskLog::task,
        .params = {required(&TaskLog::task, "task", taskHelp),
                   optional(&TaskLog::start, "start", {QT_TRANSLATE_NOOP("operation", "Skip this many lines")},
                            {range(0, 10000000)}),
                   optional(&TaskLog::limit, "limit", {QT_TRANSLATE_NOOP("operation", "At most this many lines")},
                            {range(1, 1000)})},
        .read = getLog,
    });
}

OperationPtr declareTaskWait()
{
    return operation<TaskWait>({
        .id = "task.wait",
        .title = {QT_TRANSLATE_NOOP("operation", "Wait for task")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Waits until a task ends or the time is up, and says how it stands.")},
        .effect = Effect::Reads,
        .waitsOnly = true,
        .target = &TaskWait::task,
        .params = {required(&TaskWait::task, "task", taskHelp),
                   optional(&TaskWait::timeout, "timeout", {QT_TRANSLATE_NOOP("operation", "Seconds to wait at most")},
                            {range(1, 25)})},
        .read = waitForTask,
    });
}

OperationPtr declareTaskStop()
{
    return operation<TaskStop>({
        .id = "task.stop",
        .title = {QT_TRANSLATE_NOOP("operation", "Stop task")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Asks a running task to stop. What it has begun may stay half done.")},
        .effect = Effect::Disrupts,
        .target = &TaskStop::task,
        .params = {required(&TaskStop::task, "task", taskHelp)},
        .plan = planStop,
    });
}
} // namespace

Operations tasks()
{
    return list(taskList(), declareTaskGet(), declareTaskLog(), declareTaskWait(), declareTaskStop());
}
