#pragma once
#include "audit/AuditEvent.h"
#include "base/Promise.h"
#include <QObject>
#include <memory>

class AuditLog;

/// What verifying the chain found.
struct ChainReport {
    qint64 events = 0;
    bool isWhole = false;
    qint64 firstBadSeq = 0; ///< 0 = none
    QString finding;        ///< in words; also says how the head in the keychain compares
};

/// Calls of one stretch of time by kind of actor, for the histogram.
struct HistogramBucket {
    qint64 fromMs = 0;
    int people = 0, agents = 0, others = 0;
};

/// Reads the audit database on a thread of its own. All calls on the owner's thread.
class AuditQuery : public QObject
{
    Q_OBJECT
public:
    explicit AuditQuery(AuditLog &log);
    ~AuditQuery() override;

    /// Newest first; rows with seq < beforeSeq (0 = from the newest). limit 1 … 1000.
    Future<QList<CallRow>> page(CallFilter filter, qint64 beforeSeq, int limit);
    Future<CallDetail> detail(QString callId);
    /// `buckets` equal parts of [filter.fromMs, filter.toMs).
    Future<QList<HistogramBucket>> histogram(CallFilter filter, int buckets);
    /// Calls with an intent and without an outcome, oldest first.
    Future<QList<CallDetail>> unsettled();
    Future<ChainReport> verify();

private:
    struct Reader;
    std::unique_ptr<Reader> m_reader;
};
