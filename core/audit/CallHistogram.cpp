#include "audit/CallHistogram.h"
#include "audit/CallHours.h"
#include <set>

CallHistogram::CallHistogram(Database &database, const CallFilter &filter, int buckets)
    : m_database(database), m_condition(CallCondition::of(filter)), m_from(filter.fromMs.value_or(0)),
      m_span(filter.toMs.value_or(0) - m_from), m_buckets(buckets)
{
    for (int i = 0; i < buckets; ++i)
        m_buckets[i].fromMs = m_from + (m_span * i + buckets - 1) / buckets; // the first millisecond that falls into it
}

/// Whether most hours lie in one part as a whole.
bool CallHistogram::canCountHours() const
{
    return m_condition.terms.isEmpty() && m_span / m_buckets.size() >= 2 * CallHours::length;
}

Result<QList<HistogramBucket>> CallHistogram::run()
{
    if (auto begun = m_database.run(QStringLiteral("BEGIN")); !begun) // one state of both tables
        return begun.error();
    auto counted = prepareRows();
    if (counted)
        counted = canCountHours() ? countHours() : countRows(m_from, m_from + m_span);
    (void)m_database.run(QStringLiteral("ROLLBACK"));
    if (!counted)
        return counted.error();
    return QList<HistogramBucket>(m_buckets);
}

/// Whole hours from their table; the few that lie across a border, call by call.
Result<> CallHistogram::countHours()
{
    const auto first = CallHours::hourOf(m_from + CallHours::length - 1);
    const auto end = CallHours::hourOf(m_from + m_span);
    auto hours = m_database.select(
        QStringLiteral("SELECT hour, actor_kind, calls FROM call_hour WHERE hour >= ? AND hour < ?"), {first, end});
    if (!hours)
        return hours.error();
    std::set<qint64> across;
    while (hours->next()) {
        const auto hour = hours->value(0).toLongLong();
        const auto bucket = bucketOf(hour * CallHours::length);
        if (bucket == bucketOf((hour + 1) * CallHours::length - 1))
            add(bucket, hours->value(1).toString(), hours->value(2).toInt());
        else
            across.insert(hour);
    }
    if (auto ended = m_database.ended(*hours); !ended)
        return ended;
    for (const auto hour : across)
        if (auto counted = countRows(hour * CallHours::length, (hour + 1) * CallHours::length); !counted)
            return counted;
    if (auto counted = countRows(m_from, first * CallHours::length); !counted)
        return counted;
    return countRows(end * CallHours::length, m_from + m_span);
}

Result<> CallHistogram::prepareRows()
{
    auto condition = m_condition;
    condition.add(QStringLiteral("at_ms >= ? AND at_ms < ?"));
    auto rows = m_database.prepare(
        QStringLiteral("SELECT (at_ms - %1) * %2 / %3, actor_kind, count(*) FROM call WHERE %4 GROUP BY 1, 2")
            .arg(m_from)
            .arg(m_buckets.size())
            .arg(m_span)
            .arg(condition.sql()));
    if (!rows)
        return rows.error();
    m_rows = *std::move(rows);
    return {};
}

Result<> CallHistogram::countRows(qint64 from, qint64 to)
{
    if (from >= to)
        return {};
    int place = 0;
    for (const auto &value : m_condition.values + QVariantList{from, to})
        m_rows.bindValue(place++, value);
    if (auto ran = m_database.run(m_rows); !ran)
        return ran;
    while (m_rows.next())
        add(m_rows.value(0).toLongLong(), m_rows.value(1).toString(), m_rows.value(2).toInt());
    auto ended = m_database.ended(m_rows);
    m_rows.finish();
    return ended;
}

void CallHistogram::add(qint64 bucket, const QString &actorKind, int calls)
{
    auto &counts = m_buckets[bucket];
    const auto kind = actorKindFromName(actorKind);
    if (kind == Actor::Kind::Person)
        counts.people += calls;
    else if (kind == Actor::Kind::Agent || kind == Actor::Kind::Terminal)
        counts.agents += calls;
    else
        counts.others += calls;
}
