#pragma once
#include "execution/Executor.h"
#include "mcp/ToolAnswer.h"
#include <QElapsedTimer>
#include <QTimer>
#include <map>

/// The tool calls of one connection that have not been answered: progress while they run, one answer each, cancelling.
class ToolCalls : public QObject
{
    Q_OBJECT
public:
    static constexpr int most = 64; ///< at once
    using Reply = std::function<void(const QJsonObject &result)>;

    /// The executor must outlive this.
    ToolCalls(Executor &executor, bool isDemo);
    ~ToolCalls() override;

    bool has(const QByteArray &id) const { return m_byId.contains(id.toStdString()); }
    int count() const { return int(m_byId.size()); }
    /// Starts a call; `reply` hears its answer once, or never if it is cancelled. `meta` is the request's _meta: with a
    /// "progressToken" progress is told; with "labhelm/wait": true a change is answered only when it has ended. `id`
    /// must not be in use.
    void start(const QByteArray &id, const Operation &operation, Call call, const QJsonObject &meta, Reply reply);
    /// The caller no longer wants it: nothing more is sent for it. It is stopped unless something was sent to the
    /// cluster. False if there is no such call.
    bool cancel(const QByteArray &id);
    void cancelAll();
    /// Changes that take longer are answered with where they stand, and go on; reads are given up.
    void setPatience(std::chrono::milliseconds patience) { m_patienceMs = patience.count(); }

Q_SIGNALS:
    void progressed(const QJsonObject &params);
    void countChanged();

private:
    struct Running;
    using RunningPtr = std::shared_ptr<Running>;
    void hear(const ExecutionInfo &info);
    void tick();
    void tellProgress(Running &running, qint64 now);
    void loseTime(const RunningPtr &running);
    void end(const RunningPtr &running, const CallResult &result);
    void answer(const RunningPtr &running, const QJsonObject &result);
    void forget(const RunningPtr &running);

    Executor &m_executor;
    ToolAnswer m_answers;
    qint64 m_patienceMs = 45'000;
    QElapsedTimer m_time;
    QTimer m_ticks;
    std::map<std::string, RunningPtr> m_byId;
    QHash<QString, RunningPtr> m_byCall;
};
