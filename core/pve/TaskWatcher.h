#pragma once
#include "base/Promise.h"
#include "model/Upid.h"
#include <QCoro/QCoroTask>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>

class Client;
class RequestPace;
class TaskLoop;

/// How a PVE task ended.
struct TaskEnd {
    enum class How { Ok, Warnings, Failed };
    How how = How::Ok;
    QString exitStatus; ///< PVE's own words
    int warnings = 0;   ///< how many, if it says so
};

/// What a running task has said last. fraction is -1 when the log tells no percentage.
struct TaskProgress {
    double fraction = -1;
    QString lastLine = {}; ///< text from outside
    bool operator==(const TaskProgress &) const = default;
};

/// How often tasks are asked about.
struct TaskPace {
    std::chrono::milliseconds betweenRequests{100}; ///< of all tasks of the cluster together: ten a second (R15)
    std::chrono::milliseconds first{300};           ///< to the second look at a task; later looks are further apart
    std::chrono::milliseconds slowest{3'000};
    std::chrono::milliseconds list{1'500};  ///< between two lists of a node
    std::chrono::milliseconds trouble{500}; ///< after the first failure; doubles with each
    std::chrono::milliseconds troubleMost{30'000};
    int few = 5; ///< so many tasks of a node are asked for one by one; more are read off the node's list
};

/// Follows the tasks of one cluster, at most ten requests a second in all (reliability R15). Owner's thread only.
class TaskWatcher
{
public:
    /// `client` is borrowed.
    explicit TaskWatcher(Client &client, const TaskPace &pace = {});
    /// Who still waits gets Cancelled.
    ~TaskWatcher();
    using Report = std::function<void(const TaskProgress &)>;
    /// Resolves when the task has ended. Network trouble is waited out. Unknown: PVE no longer knows the task, or how
    /// it ended, or will not tell this sign-in. Cancelled leaves the task running. Without `report` the log is not
    /// read.
    QCoro::Task<Result<TaskEnd>> watch(Upid task, Report report, std::stop_token stop);

private:
    Client &m_client;
    const TaskPace m_pace;
    std::unique_ptr<RequestPace> m_requests;
    std::map<QString, std::unique_ptr<TaskLoop>> m_loops; ///< by node
};
