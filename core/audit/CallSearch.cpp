#include "audit/CallSearch.h"
#include "audit/CallCondition.h"
#include "audit/CallHistogram.h"
#include "audit/CallTable.h"
#include "audit/Events.h"
#include <QCoreApplication>
#include <QVariant>

static QString text(const char *source)
{
    return QCoreApplication::translate("audit", source);
}

/// The calls of a stretch of time as a stretch of the table, which is in the order of the chain. The clock may have
/// jumped, so each row is still held against the time.
static Result<> addTime(Database &database, const CallFilter &filter, CallCondition &condition)
{
    if (!filter.fromMs && !filter.toMs)
        return {};
    auto whole =
        database.select(QStringLiteral("SELECT (SELECT min(at_ms) FROM call), (SELECT max(at_ms) FROM call)"), {});
    if (!whole || !whole->next())
        return whole ? database.ended(*whole) : whole.error();
    const auto from = filter.fromMs.value_or(std::numeric_limits<qint64>::min());
    const auto to = filter.toMs.value_or(std::numeric_limits<qint64>::max());
    if (from <= whole->value(0).toLongLong() && to > whole->value(1).toLongLong())
        return {};
    auto range = database.select(QStringLiteral("SELECT min(seq), max(seq) FROM call WHERE at_ms >= ? AND at_ms < ?"),
                                 {from, to});
    if (!range || !range->next())
        return range ? database.ended(*range) : range.error();
    condition.add(QStringLiteral("seq >= ? AND seq <= ?"),
                  {range->value(0).toLongLong(), range->value(1).toLongLong()});
    condition.add(QStringLiteral("+at_ms >= ? AND +at_ms < ?"), {from, to});
    return {};
}

static Result<> addRows(Database &database, const CallCondition &condition, int limit, QList<CallRow> &rows)
{
    auto query = database.select(QStringLiteral("SELECT %1 FROM call WHERE %2 ORDER BY seq DESC LIMIT %3")
                                     .arg(CallTable::columns(), condition.sql())
                                     .arg(limit - rows.size()),
                                 condition.values);
    if (!query)
        return query.error();
    while (query->next())
        rows.append(CallTable::callFrom(*query).row);
    return database.ended(*query);
}

Result<QList<CallRow>> CallSearch::page(Database &database, const CallFilter &filter, qint64 beforeSeq, int limit,
                                        const std::stop_token &stop)
{
    if (limit < 1 || limit > mostRows)
        return Error{Error::Kind::Invalid, text("A page has 1 to %1 rows.").arg(mostRows)};
    auto condition = CallCondition::of(filter);
    if (auto added = addTime(database, filter, condition); !added)
        return added.error();
    auto newest = database.value(QStringLiteral("SELECT coalesce(max(seq), 0) FROM call"));
    if (!newest)
        return newest.error();
    QList<CallRow> rows;
    qint64 before = newest->toLongLong() + 1;
    if (beforeSeq > 0)
        before = std::min(before, beforeSeq);
    // Words are looked for in steps, so that a long search can be stopped.
    const qint64 step = CallCondition::wordsOf(filter).isEmpty() ? before : 50'000;
    for (; before > 0 && rows.size() < limit; before -= step) {
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, QStringLiteral("Cancelled")};
        auto part = condition;
        part.add(QStringLiteral("seq < ? AND seq >= ?"), {before, before - step});
        if (auto added = addRows(database, part, limit, rows); !added)
            return added.error();
    }
    return rows;
}

static Result<CallDetail> detailOf(Database &database, const CallRow &row)
{
    CallDetail detail;
    detail.row = row;
    auto query = database.select(
        QStringLiteral("SELECT %1 FROM event WHERE call_id = ? ORDER BY seq").arg(QLatin1String(Events::columns)),
        {row.callId});
    if (!query)
        return query.error();
    while (query->next()) {
        const auto link = Events::linkFrom(*query);
        if (detail.events.isEmpty()) {
            detail.firstHash = link.hash;
            detail.previousHash = link.previous;
        }
        detail.lastHash = link.hash;
        mergeBody(detail.merged, link.event);
        detail.events.append(link.event);
    }
    if (auto ended = database.ended(*query); !ended)
        return ended.error();
    return detail;
}

static Result<QList<CallRow>> rowsWhere(Database &database, const QString &condition, const QVariantList &values = {})
{
    auto query = database.select(
        QStringLiteral("SELECT %1 FROM call WHERE %2 ORDER BY seq").arg(CallTable::columns(), condition), values);
    if (!query)
        return query.error();
    QList<CallRow> rows;
    while (query->next())
        rows.append(CallTable::callFrom(*query).row);
    if (auto ended = database.ended(*query); !ended)
        return ended.error();
    return rows;
}

Result<CallDetail> CallSearch::detail(Database &database, const QString &callId)
{
    auto rows = rowsWhere(database, QStringLiteral("call_id = ?"), {callId});
    if (!rows)
        return rows.error();
    if (rows->isEmpty())
        return Error{Error::Kind::NotFound, text("The audit log holds no such call."), callId.left(200)};
    return detailOf(database, rows->first());
}

Result<QList<CallDetail>> CallSearch::unsettled(Database &database)
{
    auto rows = rowsWhere(database, QStringLiteral("is_open = 1 OR state IN ('waiting', 'running')"));
    if (!rows)
        return rows.error();
    QList<CallDetail> details;
    for (const auto &row : *rows) {
        auto detail = detailOf(database, row);
        if (!detail)
            return detail.error();
        details.append(*std::move(detail));
    }
    return details;
}

Result<QList<CallRow>> CallSearch::claimed(Database &database)
{
    return rowsWhere(database, QStringLiteral("claimed_by <> ''"));
}

Result<QList<HistogramBucket>> CallSearch::histogram(Database &database, const CallFilter &filter, int buckets)
{
    if (buckets < 1 || buckets > CallHistogram::mostBuckets || !filter.fromMs || !filter.toMs ||
        *filter.toMs <= *filter.fromMs)
        return Error{Error::Kind::Invalid,
                     text("A histogram needs a stretch of time and 1 to %1 parts.").arg(CallHistogram::mostBuckets)};
    return CallHistogram(database, filter, buckets).run();
}
