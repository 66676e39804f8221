#pragma once
#include "base/Promise.h"
#include "model/Upid.h"
#include <QCoro/QCoroTask>
#include <functional>
#include <stop_token>

class Client;

/// How a PVE task ended.
struct TaskEnd {
    enum class How { Ok, Warnings, Failed };
    How how = How::Ok;
    QString exitStatus; ///< PVE's own words
};

/// What a running task has said last. fraction is -1 when the log tells no percentage.
struct TaskProgress {
    double fraction = -1;
    QString lastLine = {}; ///< text from outside
};

/// Follows the tasks of one cluster, at most ten requests a second in all (reliability R15). Owner's thread only.
class TaskWatcher
{
public:
    explicit TaskWatcher(Client &client);
    ~TaskWatcher();
    using Report = std::function<void(const TaskProgress &)>;
    /// Resolves when the task has ended. Network trouble is waited out; a task that PVE no longer knows is Unknown.
    /// Cancelled leaves the task running.
    QCoro::Task<Result<TaskEnd>> watch(Upid task, Report report, std::stop_token stop);

private:
    Client &m_client;
};
