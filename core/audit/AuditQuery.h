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

/// Reads the audit database on a thread of its own. All calls on the owner's thread; Unavailable when it cannot be
/// read. Reads what a newer Labhelm wrote too, though the log cannot be opened for writing then.
class AuditQuery : public QObject
{
    Q_OBJECT
public:
    /// The log must outlive it.
    explicit AuditQuery(AuditLog &log);
    ~AuditQuery() override;

    /// Newest first; rows with seq < beforeSeq (0 = from the newest). limit 1 … 1000.
    Future<QList<CallRow>> page(CallFilter filter, qint64 beforeSeq, int limit);
    Future<CallDetail> detail(QString callId);
    /// `buckets` equal parts of [filter.fromMs, filter.toMs).
    Future<QList<HistogramBucket>> histogram(CallFilter filter, int buckets);
    /// Calls that have not ended, and those whose outcome is not known and that nobody has settled yet; oldest first.
    Future<QList<CallDetail>> unsettled();
    /// Calls whose undo is claimed and neither done nor released, oldest first: at start, what an end in the middle
    /// left behind.
    Future<QList<CallRow>> claimed();
    /// Walks the whole chain and the table of calls on a thread of its own, and compares with the keychain. About 10 s
    /// for each million events.
    Future<ChainReport> verify();

private:
    struct Reader;
    std::unique_ptr<Reader> m_reader;
};
