#pragma once
#include "audit/CallHours.h"
#include "audit/CallTable.h"
#include "audit/Events.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

/// The one thread that writes the chain: takes what waits, commits it as one group, hands the answers back in order.
class ChainWriter
{
public:
    /// What became of one group.
    struct Group {
        std::vector<Result<qint64>> answers; ///< seq, one for each event, in the order of append()
        QStringList callIds;                 ///< touched by the commit
        std::optional<ChainHead> synced;     ///< the end of the chain, if it is on disk for certain
    };
    /// How the file was found.
    struct Opening {
        ChainHead end;
        qint64 missing = 0; ///< events that were removed from the end since it was written
    };

    /// `wake` is called on the writer's thread when there is something to take() and was nothing before.
    ChainWriter(QString file, std::function<void()> wake);
    ~ChainWriter();

    /// Opens and checks the file on the writer's thread, while the caller waits. A file over `checkedAtOnce` bytes is
    /// checked behind the caller's back, but before the first write.
    Result<Opening> open();
    static constexpr qint64 checkedAtOnce = 16 * 1024 * 1024;

    /// False when too much waits already; the event is not taken then.
    bool append(AuditEvent event);
    static constexpr size_t mostWaiting = 20'000;
    std::vector<Group> take();
    /// Whether the chain holds this event. `then` is called on the writer's thread.
    void compare(ChainHead kept, std::function<void(Result<bool>)> then);
    /// Writes what waits and ends the thread. Only take() and synced() may be called afterwards.
    void close();
    /// The last event that is on disk for certain; after close() only.
    ChainHead synced() const { return m_synced; }

private:
    /// One open connection with its statements; lives on the writer's thread.
    struct Session {
        std::unique_ptr<Database> database;
        Events events;
        CallTable calls;
        bool isFull = true; ///< synchronous=FULL, else NORMAL
    };

    void work(const std::stop_token &stop);
    void finish(Group group);
    Group write(const std::vector<AuditEvent> &events);
    Result<Opening> openSession();
    Result<> ready();
    Result<> setDurable(bool isDurable);
    Result<> writeAll(const std::vector<AuditEvent> &events, Group &group, ChainHead &head);
    Result<> writeOne(const AuditEvent &event, Group &group, ChainHead &head, CallHours &hours);
    Result<> continues(const ChainHead &end);
    Result<bool> holds(const ChainHead &kept);
    void settleEnd();

    const QString m_file;
    const std::function<void()> m_wakeOwner;

    // The writer's thread only.
    std::optional<Session> m_session;
    std::optional<ChainHead> m_last; ///< the last event this writer knows to be there
    bool m_isChecked = false;        ///< quick_check was clean since the file was opened

    std::mutex m_mutex; ///< guards what follows
    std::condition_variable_any m_wake;
    std::deque<AuditEvent> m_waiting;
    std::vector<std::function<void()>> m_errands;
    std::vector<Group> m_finished;

    ChainHead m_synced;    ///< the writer's thread until it has ended
    std::jthread m_thread; ///< last: ended first
};
