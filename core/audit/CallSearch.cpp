#include "audit/CallSearch.h"
#include "audit/CallTable.h"
#include "audit/Events.h"
#include <QCoreApplication>
#include <QRegularExpression>
#include <QVariant>

static QString text(const char *source)
{
    return QCoreApplication::translate("audit", source);
}

namespace
{
/// Conditions joined by AND, with the values to bind.
struct Condition {
    QStringList terms;
    QVariantList values;
    void add(const QString &term, const QVariantList &bound = {})
    {
        terms.append(term);
        values += bound;
    }
    QString sql() const { return terms.isEmpty() ? QStringLiteral("1") : terms.join(QLatin1String(" AND ")); }
};
}

static QString likePattern(const QString &word)
{
    QString escaped = word.left(200);
    for (const auto special : {u'\\', u'%', u'_'})
        escaped.replace(special, QStringLiteral("\\") + special);
    return u'%' + escaped + u'%';
}

static QStringList wordsOf(const CallFilter &filter)
{
    return filter.text.simplified().split(u' ', Qt::SkipEmptyParts).mid(0, CallSearch::mostWords);
}

/// Everything but the time.
static Condition conditionOf(const CallFilter &filter)
{
    Condition condition;
    if (filter.actorKind)
        condition.add(QStringLiteral("actor_kind = ?"), {actorKindName(*filter.actorKind)});
    if (!filter.actorId.isEmpty())
        condition.add(QStringLiteral("actor_id = ?"), {filter.actorId});
    if (filter.effect)
        condition.add(QStringLiteral("effect = ?"), {effectName(*filter.effect)});
    if (filter.state)
        condition.add(QStringLiteral("state = ?"), {callStateName(*filter.state)});
    if (!filter.target.isEmpty())
        condition.add(QStringLiteral("target = ?"), {filter.target});
    if (filter.onlyUndoable)
        condition.add(QStringLiteral("has_inverse = 1 AND claimed_by = '' AND undone_by = ''"));
    for (const auto &word : wordsOf(filter))
        condition.add(
            QStringLiteral(
                "(headline LIKE ? ESCAPE '\\' OR target LIKE ? ESCAPE '\\' OR target_label LIKE ? ESCAPE '\\' "
                "OR operation LIKE ? ESCAPE '\\' OR error LIKE ? ESCAPE '\\')"),
            QVariantList(5, likePattern(word)));
    return condition;
}

static Result<QSqlQuery> run(Database &database, const QString &sql, const QVariantList &values)
{
    auto query = database.prepare(sql);
    if (!query)
        return query;
    for (int i = 0; i < values.size(); ++i)
        query->bindValue(i, values.at(i));
    if (auto ran = database.run(*query); !ran)
        return ran.error();
    return query;
}

/// The calls of a stretch of time as a stretch of the table, which is in the order of the chain. The clock may have
/// jumped, so each row is still held against the time.
static Result<> addTime(Database &database, const CallFilter &filter, Condition &condition)
{
    if (!filter.fromMs && !filter.toMs)
        return {};
    auto whole =
        run(database, QStringLiteral("SELECT (SELECT min(at_ms) FROM call), (SELECT max(at_ms) FROM call)"), {});
    if (!whole || !whole->next())
        return whole ? database.ended(*whole) : whole.error();
    const auto from = filter.fromMs.value_or(std::numeric_limits<qint64>::min());
    const auto to = filter.toMs.value_or(std::numeric_limits<qint64>::max());
    if (from <= whole->value(0).toLongLong() && to > whole->value(1).toLongLong())
        return {};
    auto range =
        run(database, QStringLiteral("SELECT min(seq), max(seq) FROM call WHERE at_ms >= ? AND at_ms < ?"), {from, to});
    if (!range || !range->next())
        return range ? database.ended(*range) : range.error();
    condition.add(QStringLiteral("seq >= ? AND seq <= ?"),
                  {range->value(0).toLongLong(), range->value(1).toLongLong()});
    condition.add(QStringLiteral("+at_ms >= ? AND +at_ms < ?"), {from, to});
    return {};
}

static Result<> addRows(Database &database, const Condition &condition, int limit, QList<CallRow> &rows)
{
    auto query = run(database,
                     QStringLiteral("SELECT %1 FROM call WHERE %2 ORDER BY seq DESC LIMIT %3")
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
    auto condition = conditionOf(filter);
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
    const qint64 step = wordsOf(filter).isEmpty() ? before : 50'000;
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
    auto query =
        run(database,
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
    auto query =
        run(database, QStringLiteral("SELECT %1 FROM call WHERE %2 ORDER BY seq").arg(CallTable::columns(), condition),
            values);
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
    auto rows = rowsWhere(database, QStringLiteral("is_open = 1"));
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

static void count(HistogramBucket &bucket, const QString &actorKind, int calls)
{
    const auto kind = actorKindFromName(actorKind);
    if (kind == Actor::Kind::Person)
        bucket.people += calls;
    else if (kind == Actor::Kind::Agent || kind == Actor::Kind::Terminal)
        bucket.agents += calls;
    else
        bucket.others += calls;
}

Result<QList<HistogramBucket>> CallSearch::histogram(Database &database, const CallFilter &filter, int buckets)
{
    if (buckets < 1 || buckets > mostBuckets || !filter.fromMs || !filter.toMs || *filter.toMs <= *filter.fromMs)
        return Error{Error::Kind::Invalid,
                     text("A histogram needs a stretch of time and 1 to %1 parts.").arg(mostBuckets)};
    const qint64 from = *filter.fromMs;
    const qint64 span = *filter.toMs - from;
    QList<HistogramBucket> all(buckets);
    for (int i = 0; i < buckets; ++i)
        all[i].fromMs = from + (span * i + buckets - 1) / buckets; // the first millisecond that falls into it
    auto condition = conditionOf(filter);
    condition.add(QStringLiteral("at_ms >= ? AND at_ms < ?"), {from, *filter.toMs});
    auto query =
        run(database,
            QStringLiteral("SELECT (at_ms - %1) * %2 / %3, actor_kind, count(*) FROM call WHERE %4 GROUP BY 1, 2")
                .arg(from)
                .arg(buckets)
                .arg(span)
                .arg(condition.sql()),
            condition.values);
    if (!query)
        return query.error();
    while (query->next())
        count(all[query->value(0).toInt()], query->value(1).toString(), query->value(2).toInt());
    if (auto ended = database.ended(*query); !ended)
        return ended.error();
    return all;
}
