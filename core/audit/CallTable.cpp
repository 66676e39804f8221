#include "audit/CallTable.h"
#include "audit/CallHours.h"
#include "audit/Events.h"
#include <QVariant>

// SQLite takes a null string for NULL.
static QVariant word(const QString &text)
{
    return text.isNull() ? QStringLiteral("") : text;
}

const QString &CallTable::columns()
{
    static const auto names = QStringLiteral("seq, call_id, last_seq, at_ms, ended_ms, utc_offset, actor_kind, "
                                             "actor_id, actor_name, actor_session, actor_pid, "
                                             "actor_program, operation, effect, remote, target, target_label, "
                                             "headline, state, error, upid, reason, decision, "
                                             "has_inverse, claimed_by, undone_by, undoes, is_open");
    return names;
}

static QVariantList valuesOf(const ProjectedCall &call)
{
    const auto &row = call.row;
    return {row.seq,
            row.callId,
            call.lastSeq,
            row.atMs,
            row.endedMs,
            row.utcOffset,
            call.hasActor ? actorKindName(row.actor.kind) : QStringLiteral(""),
            word(row.actor.id),
            word(row.actor.name),
            word(row.actor.session),
            row.actor.pid,
            word(row.actor.program),
            word(row.operation),
            row.effect ? QVariant(effectName(*row.effect)) : QVariant(),
            word(row.remote),
            word(row.target),
            word(row.targetLabel),
            word(row.headline),
            callStateName(row.state),
            word(row.error),
            word(row.upid),
            word(row.reason),
            word(row.decision),
            int(row.hasInverse),
            word(row.claimedBy),
            word(row.undoneBy),
            word(row.undoes),
            int(call.isOpen)};
}

ProjectedCall CallTable::callFrom(const QSqlQuery &query)
{
    int column = 0;
    const auto text = [&] { return query.value(column++).toString(); };
    const auto number = [&] { return query.value(column++).toLongLong(); };
    ProjectedCall call;
    auto &row = call.row;
    row.seq = number();
    row.callId = text();
    call.lastSeq = number();
    row.atMs = number();
    row.endedMs = number();
    row.utcOffset = int(number());
    const auto kind = actorKindFromName(text());
    call.hasActor = kind.has_value();
    row.actor = call.hasActor ? Actor{.kind = *kind} : Actor::labhelm();
    const auto id = text(), name = text(), session = text();
    const auto pid = number();
    const auto program = text();
    if (call.hasActor)
        row.actor = {.kind = *kind, .id = id, .name = name, .session = session, .pid = pid, .program = program};
    row.operation = text();
    row.effect = effectFromName(text());
    row.remote = text();
    row.target = text();
    row.targetLabel = text();
    row.headline = text();
    row.state = callStateFromName(text()).value_or(CallState::Unknown);
    row.error = text();
    row.upid = text();
    row.reason = text();
    row.decision = text();
    row.hasInverse = number() != 0;
    row.claimedBy = text();
    row.undoneBy = text();
    row.undoes = text();
    call.isOpen = number() != 0;
    return call;
}

Result<CallTable> CallTable::on(Database &database)
{
    CallTable calls(database);
    const auto names = columns().split(QStringLiteral(", "));
    const auto marks = QStringList(names.size(), QStringLiteral("?")).join(QLatin1String(", "));
    const std::pair<QSqlQuery *, QString> statements[] = {
        {&calls.m_isThere, QStringLiteral("SELECT 1 FROM call WHERE call_id = ?")},
        {&calls.m_find, QStringLiteral("SELECT %1 FROM call WHERE call_id = ?").arg(columns())},
        {&calls.m_insert, QStringLiteral("INSERT INTO call (%1) VALUES (%2)").arg(columns(), marks)},
        {&calls.m_update,
         QStringLiteral("UPDATE call SET %1 = ? WHERE seq = ?").arg(names.mid(1).join(QLatin1String(" = ?, ")))},
    };
    for (const auto &[query, sql] : statements) {
        auto prepared = database.prepare(sql);
        if (!prepared)
            return prepared.error();
        *query = *std::move(prepared);
    }
    return Result<CallTable>(std::move(calls));
}

Result<ProjectedCall> CallTable::find(const QString &callId)
{
    // Most events begin a call; that it is none yet is found out far cheaper than by asking for all columns.
    m_isThere.bindValue(0, callId);
    if (auto ran = m_database->run(m_isThere); !ran)
        return ran.error();
    const bool isThere = m_isThere.next();
    auto asked = m_database->ended(m_isThere);
    m_isThere.finish();
    if (!asked || !isThere)
        return asked ? Result<ProjectedCall>(ProjectedCall()) : asked.error();
    m_find.bindValue(0, callId);
    if (auto ran = m_database->run(m_find); !ran)
        return ran.error();
    const auto call = m_find.next() ? callFrom(m_find) : ProjectedCall();
    auto ended = m_database->ended(m_find);
    m_find.finish();
    return ended ? Result<ProjectedCall>(call) : ended.error();
}

Result<> CallTable::save(const ProjectedCall &call, bool isNew)
{
    auto values = valuesOf(call);
    if (!isNew)
        values.append(values.takeFirst()); // seq is the key
    auto &query = isNew ? m_insert : m_update;
    for (int i = 0; i < values.size(); ++i)
        query.bindValue(i, values.at(i));
    return m_database->run(query);
}

static Result<> projectAll(Database &database)
{
    for (const auto &sql : {QStringLiteral("DELETE FROM call"), QStringLiteral("DELETE FROM call_hour")})
        if (auto emptied = database.run(sql); !emptied)
            return emptied;
    auto calls = CallTable::on(database);
    if (!calls)
        return calls.error();
    auto events =
        database.select(QStringLiteral("SELECT %1 FROM event ORDER BY seq").arg(QLatin1String(Events::columns)));
    if (!events)
        return events.error();
    CallHours hours;
    while (events->next()) {
        const auto link = Events::linkFrom(*events);
        auto call = calls->find(link.event.callId);
        if (!call)
            return call.error();
        const auto before = *call;
        call->apply(link.seq, link.event);
        hours.count(before, *call);
        if (auto saved = calls->save(*call, before.row.seq == 0); !saved)
            return saved;
    }
    if (auto ended = database.ended(*events); !ended)
        return ended;
    return hours.addTo(database);
}

Result<> CallTable::rebuild(Database &database)
{
    return database.transact([&] { return projectAll(database); });
}
