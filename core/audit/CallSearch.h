#pragma once
#include "audit/AuditQuery.h"
#include "store/Database.h"
#include <stop_token>

/// Questions to the table of calls. On the thread of the database; a long one ends early with Cancelled when stopped.
namespace CallSearch
{
static constexpr int mostRows = 1000;

/// Text is split into words, at most CallCondition::mostWords; each must be found in headline, target, operation or
/// error, in any case of ASCII letters. There is no index for it: the newest calls are read first, until the page is
/// full.
Result<QList<CallRow>> page(Database &database, const CallFilter &filter, qint64 beforeSeq, int limit,
                            const std::stop_token &stop);
/// NotFound.
Result<CallDetail> detail(Database &database, const QString &callId);
/// Invalid without a stretch of time in the filter.
Result<QList<HistogramBucket>> histogram(Database &database, const CallFilter &filter, int buckets);
Result<QList<CallDetail>> unsettled(Database &database);
Result<QList<CallRow>> claimed(Database &database);
}
