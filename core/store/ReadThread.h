#pragma once
#include "base/Promise.h"
#include "store/Database.h"
#include <QObject>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>

/// A thread with a connection that only reads; runs one job after the other and answers on the owner's thread.
/// Destroying it stops the job that runs and drops those that wait: their futures say Cancelled.
class ReadThread : public QObject
{
    Q_OBJECT
public:
    /// The stop token is for jobs that take long.
    template <class T>
    using Job = std::function<Result<T>(Database &, const std::stop_token &)>;

    ReadThread(QString file, QString migrations);
    ~ReadThread() override;

    /// Owner's thread. Unavailable when the file cannot be opened; the next job tries again.
    template <class T>
    Future<T> ask(Job<T> job)
    {
        if (m_isClosed)
            return ready<T>(Error{Error::Kind::Cancelled, QStringLiteral("Cancelled")});
        auto waiting = std::make_unique<Waiting<T>>();
        auto future = waiting->promise.future();
        const auto id = ++m_lastId;
        m_waiting.emplace(id, std::move(waiting));
        post([this, id, job = std::move(job)](const Result<Database *> &database, const std::stop_token &stop) {
            auto answer = std::make_shared<Result<T>>(database ? job(**database, stop) : Result<T>(database.error()));
            QMetaObject::invokeMethod(
                this, [this, id, answer] { finish<T>(id, std::move(*answer)); }, Qt::QueuedConnection);
        });
        return future;
    }

private:
    struct Waiter {
        virtual ~Waiter() = default;
    };
    template <class T>
    struct Waiting : Waiter {
        Promise<T> promise;
    };
    using Work = std::function<void(const Result<Database *> &, const std::stop_token &)>;

    template <class T>
    void finish(quint64 id, Result<T> answer)
    {
        const auto node = m_waiting.extract(id); // out first: finish() may ask again
        static_cast<Waiting<T> &>(*node.mapped()).promise.finish(std::move(answer));
    }
    void post(Work work);
    void run(const std::stop_token &stop);

    const QString m_file;
    const QString m_migrations;
    std::unordered_map<quint64, std::unique_ptr<Waiter>> m_waiting; ///< owner's thread only
    quint64 m_lastId = 0;
    bool m_isClosed = false; ///< owner's thread only
    std::mutex m_mutex;      ///< guards m_queue
    std::condition_variable_any m_wake;
    std::deque<Work> m_queue;
    std::jthread m_thread; ///< last: ended first
};
