#include "simulator/world/World.h"
#include <algorithm>

static QString hex(qint64 number, int digits)
{
    return QString::number(number, 16).toUpper().rightJustified(digits, u'0');
}

Task &World::newTask(const TaskPlan &plan, qint64 startMs)
{
    auto &task = *m_tasks.emplace_back(std::make_unique<Task>());
    task.node = plan.node;
    task.type = plan.type;
    task.id = plan.id;
    task.user = plan.user.section(u'!', 0, 0);
    task.tokenId = plan.user.section(u'!', 1);
    task.pid = nextPid();
    task.startMs = startMs;
    task.startTime = startMs / 1000;
    const auto *host = node(plan.node);
    task.pstart = std::max<qint64>(1, startMs / 10 - (host ? host->bootedAt * 100 : 0));
    task.upid = QStringLiteral("UPID:%1:%2:%3:%4:%5:%6:%7:")
                    .arg(task.node, hex(task.pid, 8), hex(task.pstart, 8), hex(task.startTime, 8), task.type, task.id,
                         plan.user);
    task.lines = plan.lines;
    task.plan = plan;
    m_byUpid.insert(task.upid, &task);
    return task;
}

QString World::run(TaskPlan plan)
{
    plan.duration = std::chrono::milliseconds(qint64(double(plan.duration.count()) * taskPace));
    for (auto &line : plan.lines)
        line.after = std::chrono::milliseconds(qint64(double(line.after.count()) * taskPace));
    auto &task = newTask(plan, nowMs());
    log(task.node, task.owner(), QStringLiteral("starting task ") + task.upid);
    const auto problem = task.plan.begin ? task.plan.begin() : QString();
    if (!problem.isEmpty()) {
        task.lines.clear();
        end(task, problem);
        return task.upid;
    }
    after(task.plan.duration, [this, &task] {
        if (task.isRunning())
            end(task, task.plan.finish ? task.plan.finish() : QString());
    });
    return task.upid;
}

void World::log(const QString &node, const QString &user, const QString &text)
{
    if (clusterLog.size() >= 1000)
        clusterLog.removeFirst();
    const auto number = clusterLog.isEmpty() ? 1 : clusterLog.last().number + 1;
    clusterLog.append({number, now(), node, user, text, m_lastPid});
}

void World::end(Task &task, const QString &outcome)
{
    const auto since = std::chrono::milliseconds(nowMs() - task.startMs);
    task.lines.erase(
        std::remove_if(task.lines.begin(), task.lines.end(), [&](const auto &line) { return line.after > since; }),
        task.lines.end());
    task.endTime = std::max(now(), task.startTime);
    task.exitStatus = outcome.isEmpty() ? QStringLiteral("OK") : outcome;
    const bool warned = task.exitStatus.startsWith(QLatin1String("WARNINGS: "));
    if (task.exitStatus != QLatin1String("OK"))
        task.lines.append(
            {since, (warned ? QStringLiteral("TASK ") : QStringLiteral("TASK ERROR: ")) + task.exitStatus});
    else
        task.lines.append({since, QStringLiteral("TASK OK")});
    log(task.node, task.owner(), QStringLiteral("end task %1 %2").arg(task.upid, task.exitStatus));
    task.plan.begin = {};
    task.plan.finish = {};
    task.plan.interrupted = {};
}

void World::addFinished(TaskPlan plan, qint64 startedAt, const QString &exitStatus)
{
    auto &task = newTask(plan, startedAt * 1000);
    m_at = task.startMs + plan.duration.count();
    end(task, exitStatus == QLatin1String("OK") ? QString() : exitStatus);
    m_at = 0;
}

const Task *World::task(const QString &upid) const
{
    return m_byUpid.value(upid);
}

QList<const Task *> World::tasks() const
{
    QList<const Task *> all;
    for (auto it = m_tasks.rbegin(); it != m_tasks.rend(); ++it)
        all.append(it->get());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto *one, const auto *other) { return one->startMs > other->startMs; });
    return all;
}

void World::interrupt(const QString &upid)
{
    auto *task = m_byUpid.value(upid);
    if (!task || !task->isRunning())
        return;
    const auto interrupted = task->plan.interrupted;
    end(*task, QStringLiteral("received interrupt"));
    if (interrupted)
        interrupted();
}
