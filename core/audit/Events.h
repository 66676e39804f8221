#pragma once
#include "audit/AuditEvent.h"
#include "store/Database.h"

/// Where a chain ends: the last event and how many there are.
struct ChainHead {
    qint64 seq = 0; ///< 0 = the chain is empty
    QByteArray hash = {};
    qint64 count = 0;
    bool operator==(const ChainHead &) const = default;
};

/// One event as it is kept, with its place in the chain.
struct ChainLink {
    qint64 seq = 0;
    AuditEvent event; ///< its body is parsed from `body`
    QByteArray body;  ///< canonical bytes, what is hashed
    QString kind;     ///< as kept, also where it is no kind of ours
    QByteArray previous, hash;

    /// SHA-256 over seq, previous hash, call, kind, time, offset and body, each with its length before it.
    QByteArray computedHash() const;
};

/// The append-only table of events, on one connection.
class Events
{
public:
    static constexpr qsizetype largestBody = 8 * 1024 * 1024; ///< bytes
    static constexpr auto columns = "seq, call_id, kind, wall_ms, utc_offset, body, previous, hash";

    /// Prepares the statements.
    static Result<Events> on(Database &database);
    /// The end as the rows have it; the count is that of the table `tail`.
    Result<ChainHead> end();
    /// Adds an event after `head` and moves it. In a transaction of the caller.
    Result<> append(const AuditEvent &event, const QByteArray &body, ChainHead &head);
    /// Writes down where the chain ends, in the same transaction.
    Result<> keepTail(const ChainHead &head);
    /// The end as it was written down; empty if it never was.
    Result<ChainHead> tail();
    /// The hash of one event; NotFound.
    Result<QByteArray> hashAt(qint64 seq);

    /// The body as bytes: equal bodies give equal bytes.
    static QByteArray canonical(const QJsonObject &body);
    /// A row of `columns`, in that order.
    static ChainLink linkFrom(const QSqlQuery &row);

private:
    explicit Events(Database &database) : m_database(&database) {}
    Database *m_database;
    QSqlQuery m_insert, m_last, m_keepTail, m_tail, m_hashAt;
};
