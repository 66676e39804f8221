#pragma once
#include "pve/ApiRequest.h"
#include "pve/RequestPace.h"
#include "pve/TaskWatcher.h"
#include <set>
#include <vector>

/// Asks one node about the tasks that are watched there, for as long as there are any.
class TaskLoop
{
public:
    TaskLoop(QString node, Client &client, RequestPace &requests, const TaskPace &pace);
    ~TaskLoop();
    Future<TaskEnd> follow(const Upid &task, TaskWatcher::Report report, std::stop_token stop);

private:
    struct Listener {
        TaskWatcher::Report report;
        Promise<TaskEnd> promise;
        std::stop_token stop;
    };
    struct Entry {
        std::vector<Listener> listeners;
        TaskProgress said;
        qint64 sinceMs = 0, dueMs = 0;
        qint64 logStart = 0;
        int lostLooks = 0; ///< how often PVE said that it does not know the end
        int oddLooks = 0;  ///< in a row, how often it said neither that it runs nor that it has ended
    };
    QCoro::Task<void> run();
    QCoro::Task<Result<void>> look();
    QCoro::Task<Result<void>> lookAtList();
    QCoro::Task<Result<void>> lookAt(QString upid);
    QCoro::Task<Result<void>> readLog(QString upid);
    QCoro::Task<Result<ApiAnswer>> ask(ApiRequest request);
    void takeList(const QJsonValue &list, std::set<QString> *running);
    void takeStatus(const QString &upid, const QJsonObject &status);
    void takeEnd(const QString &upid, const QString &exitStatus);
    Result<void> takeTrouble(const QString &upid, const Error &error);
    void report(const QString &upid, TaskProgress said);
    void finish(const QString &upid, Result<TaskEnd> result);
    void finishAll(const Error &error);
    void dropStopped();
    std::vector<QString> missingFrom(const std::set<QString> &running) const;
    std::vector<QString> nextToSpeak();
    bool wantsLog(const QString &upid) const;
    std::chrono::milliseconds untilNextLook() const;

    const QString m_node;
    Client &m_client;
    RequestPace &m_requests;
    const TaskPace &m_pace;
    std::map<QString, Entry> m_entries; ///< by UPID
    std::optional<Promise<void>> m_wake;
    bool m_isRunning = false;
    int m_failures = 0; ///< looks in a row that failed
    int m_refusals = 0; ///< of those, how many the server answered
    qint64 m_listDueMs = 0;
    QString m_spokeLast; ///< the task whose log was read last while there were many
    std::stop_source m_stop;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};
