#include "model/Upid.h"
#include "simulator/api/Routes.h"
#include "simulator/api/TaskRows.h"
#include <QDateTime>
#include <QJsonArray>

bool TaskRows::belongsTo(const Task &task, const Identity &who)
{
    return who.isToken() ? task.owner() == who.full() : task.user == who.user;
}

static QJsonObject common(const Task &task)
{
    QJsonObject row{{QLatin1String("upid"), task.upid}, {QLatin1String("node"), task.node},
                    {QLatin1String("type"), task.type}, {QLatin1String("id"), task.id},
                    {QLatin1String("user"), task.user}, {QLatin1String("starttime"), task.startTime}};
    if (!task.tokenId.isEmpty())
        row.insert(QLatin1String("tokenid"), task.tokenId);
    return row;
}

QJsonObject TaskRows::forCluster(const Task &task)
{
    auto row = common(task);
    if (task.isRunning()) {
        row.insert(QLatin1String("pid"), task.pid);
        return row;
    }
    row.insert(QLatin1String("saved"), QStringLiteral("1"));
    row.insert(QLatin1String("endtime"), task.endTime);
    row.insert(QLatin1String("status"), task.exitStatus);
    return row;
}

QJsonObject TaskRows::forNode(const Task &task)
{
    auto row = common(task);
    row.insert(QLatin1String("pid"), task.pid);
    row.insert(QLatin1String("pstart"), task.pstart);
    if (task.isRunning()) {
        row.insert(QLatin1String("saved"), QStringLiteral("0"));
        row.insert(QLatin1String("status"), QStringLiteral("RUNNING"));
    } else {
        row.insert(QLatin1String("endtime"), task.endTime);
        row.insert(QLatin1String("status"), task.exitStatus);
    }
    return row;
}

QJsonObject TaskRows::status(const Task &task)
{
    auto row = common(task);
    row.insert(QLatin1String("pid"), task.pid);
    row.insert(QLatin1String("pstart"), task.pstart);
    row.insert(QLatin1String("status"), task.isRunning() ? QStringLiteral("running") : QStringLiteral("stopped"));
    if (!task.isRunning())
        row.insert(QLatin1String("exitstatus"), task.exitStatus);
    return row;
}

namespace
{
bool isWanted(const Task &task, const Call &call)
{
    const auto source = call.given.text(QStringLiteral("source"), QStringLiteral("archive"));
    const bool ok = task.exitStatus == QLatin1String("OK") || task.exitStatus.startsWith(QLatin1String("WARNINGS"));
    const auto word = task.isRunning()                                  ? QStringLiteral("unknown")
                      : task.exitStatus == QLatin1String("OK")          ? QStringLiteral("ok")
                      : task.exitStatus.startsWith(QLatin1String("WA")) ? QStringLiteral("warning")
                                                                        : QStringLiteral("error");
    return task.node == call.node() && (source != QLatin1String("archive") || !task.isRunning()) &&
           (source != QLatin1String("active") || task.isRunning()) &&
           (!call.flag("errors") || (!task.isRunning() && !ok)) &&
           (!call.has("vmid") || task.id == call.text("vmid")) &&
           (!call.has("typefilter") || task.type == call.text("typefilter")) &&
           (!call.has("userfilter") || task.owner().contains(call.text("userfilter"), Qt::CaseInsensitive)) &&
           (!call.has("since") || task.startTime >= call.text("since").toLongLong()) &&
           (!call.has("until") || task.startTime <= call.text("until").toLongLong()) &&
           (!call.has("statusfilter") || call.given.list(QStringLiteral("statusfilter")).contains(word));
}

ApiAnswer list(Call &call)
{
    const bool all = call.may(QStringLiteral("/nodes/") + call.node(), "Sys.Audit");
    const auto start = call.given.integer(QStringLiteral("start")).value_or(0);
    const auto limit = call.given.integer(QStringLiteral("limit")).value_or(50);
    QJsonArray data;
    qint64 count = 0;
    for (const auto *task : call.world.tasks()) {
        if (!isWanted(*task, call) || (!all && !TaskRows::belongsTo(*task, call.who)))
            continue;
        if (count++ >= start && data.size() < limit)
            data.append(TaskRows::forNode(*task));
    }
    // PVE gives no total beside an empty list.
    return count ? ApiAnswer::withTotal(data, count) : ApiAnswer::ok(data);
}

struct Found {
    const Task *task = nullptr;
    std::optional<ApiAnswer> refusal = {};
};

/// The task of the path, for its owner or who holds the privilege on the node.
Found find(Call &call, const char *privilege)
{
    const auto upid = Upid::from(call.text("upid"));
    if (!upid)
        return {nullptr, ApiAnswer::invalid(QStringLiteral("upid"), QStringLiteral("unable to parse worker upid"))};
    const auto *task = call.world.task(upid->text);
    const auto path = QStringLiteral("/nodes/") + call.node();
    const bool own = upid->user == call.who.user && (!call.who.isToken() || upid->tokenId == call.who.token);
    if (!own && !call.may(path, privilege))
        return {nullptr, ApiAnswer::refused(path + QLatin1String(", ") + QLatin1String(privilege))};
    return {task && task->node == call.node() ? task : nullptr};
}

ApiAnswer index(Call &)
{
    return ApiAnswer::ok(QJsonArray{QJsonObject{{QLatin1String("name"), QLatin1String("log")}},
                                    QJsonObject{{QLatin1String("name"), QLatin1String("status")}}});
}

ApiAnswer status(Call &call)
{
    const auto found = find(call, "Sys.Audit");
    if (found.refusal)
        return *found.refusal;
    if (!found.task)
        return ApiAnswer::invalid(QStringLiteral("upid"), QStringLiteral("no such task"));
    return ApiAnswer::ok(TaskRows::status(*found.task));
}

ApiAnswer log(Call &call)
{
    const auto found = find(call, "Sys.Audit");
    if (found.refusal)
        return *found.refusal;
    const auto lines = found.task ? found.task->log(call.world.nowMs())
                                  : QStringList{QStringLiteral("unable to open file - No such file or directory")};
    if (call.flag("download")) {
        ApiAnswer answer;
        answer.text = lines.join(u'\n').toUtf8() + '\n';
        const auto start = found.task ? found.task->startTime : 0;
        answer.disposition = "attachment; filename=\"task-" + call.node().toLatin1() + '-' +
                             (found.task ? found.task->type.toLatin1() : "") + '-' +
                             QDateTime::fromSecsSinceEpoch(start, Qt::UTC).toString(Qt::ISODate).toLatin1() + ".log\"";
        return answer;
    }
    const auto start = call.given.integer(QStringLiteral("start")).value_or(0);
    const auto limit = call.given.integer(QStringLiteral("limit")).value_or(50);
    QJsonArray data;
    for (auto i = start; i < lines.size() && (limit == 0 || data.size() < limit); ++i)
        data.append(QJsonObject{{QLatin1String("n"), i + 1}, {QLatin1String("t"), lines[i]}});
    return ApiAnswer::withTotal(data, lines.size());
}

ApiAnswer stop(Call &call)
{
    const auto found = find(call, "Sys.Modify");
    if (found.refusal)
        return *found.refusal;
    if (found.task)
        call.world.interrupt(found.task->upid);
    return ApiAnswer::ok();
}
} // namespace

void calls::addTasks(Routes &routes)
{
    routes.add("GET /nodes/{node}/tasks", list);
    routes.add("GET /nodes/{node}/tasks/{upid}", index);
    routes.add("GET /nodes/{node}/tasks/{upid}/status", status);
    routes.add("GET /nodes/{node}/tasks/{upid}/log", log);
    routes.add("DELETE /nodes/{node}/tasks/{upid}", stop);
}
