#pragma once
#include "audit/AuditQuery.h"
#include "audit/CallHours.h"
#include "audit/CallTable.h"
#include "audit/Events.h"
#include <stop_token>
#include <unordered_map>

/// Walks the chain from its first event and names the first thing that is not as it was written.
class ChainCheck
{
public:
    /// `kept` is what the keychain knows of the end; NotFound = nothing, other errors = it could not be asked.
    ChainCheck(Database &database, Result<ChainHead> kept) : m_database(database), m_kept(std::move(kept)) {}
    /// Once. Cancelled when stopped; Unavailable when the file cannot be read.
    Result<ChainReport> run(const std::stop_token &stop);

private:
    /// A call whose last event was not reached yet: as projected so far, and as the table has it.
    struct Pair {
        ProjectedCall projected, listed;
    };
    Result<> checkFile();
    Result<> walk(const std::stop_token &stop);
    Result<> follow(const ChainLink &link);
    Result<> nameFalse(const ChainLink &link);
    Result<> project(const ChainLink &link);
    Result<> checkEnd();
    Result<> checkCalls();
    void compareKept(const ChainHead &tail);
    void bad(qint64 seq, const QString &finding);
    bool isBad() const { return !m_report.finding.isEmpty(); }
    QString allIsWell() const;

    Database &m_database;
    Result<ChainHead> m_kept;
    std::optional<Events> m_events;
    QSqlQuery m_listed; ///< the table of calls, read along
    CallHours m_hours;
    ChainReport m_report;
    ChainHead m_end{0, QByteArray(32, '\0'), 0}; ///< the last event that was found good
    QByteArray m_hashAtKept;
    std::unordered_map<QString, Pair> m_open;
    QList<qint64> m_anchored; ///< events that start the chain again
};
