#pragma once
#include "audit/AuditQuery.h"
#include "audit/CallCondition.h"
#include "store/Database.h"

/// Counts the calls of a stretch of time in equal parts. On the thread of the database.
class CallHistogram
{
public:
    static constexpr int mostBuckets = 2000;
    /// `filter` has a stretch of time; 1 to mostBuckets.
    CallHistogram(Database &database, const CallFilter &filter, int buckets);
    Result<QList<HistogramBucket>> run();

private:
    qint64 bucketOf(qint64 ms) const { return (ms - m_from) * m_buckets.size() / m_span; }
    bool canCountHours() const;
    Result<> countHours();
    Result<> prepareRows();
    Result<> countRows(qint64 from, qint64 to);
    void add(qint64 bucket, const QString &actorKind, int calls);

    Database &m_database;
    const CallCondition m_condition; ///< without the time
    const qint64 m_from, m_span;
    QList<HistogramBucket> m_buckets;
    QSqlQuery m_rows; ///< counts a part of the time call by call
};
