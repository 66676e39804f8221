#include "pve/TaskWatcher.h"
#include "pve/RequestPace.h"
#include "pve/TaskLoop.h"

TaskWatcher::TaskWatcher(Client &client, const TaskPace &pace)
    : m_client(client), m_pace(pace), m_requests(std::make_unique<RequestPace>(pace.betweenRequests))
{
}

TaskWatcher::~TaskWatcher() = default;

QCoro::Task<Result<TaskEnd>> TaskWatcher::watch(Upid task, Report report, std::stop_token stop)
{
    auto &loop = m_loops[task.node];
    if (!loop)
        loop = std::make_unique<TaskLoop>(task.node, m_client, *m_requests, m_pace);
    auto end = co_await loop->follow(task, std::move(report), stop).until(stop);
    co_return end;
}
