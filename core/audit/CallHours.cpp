#include "audit/CallHours.h"
#include <QVariant>

static std::pair<qint64, QString> placeOf(const ProjectedCall &call)
{
    return {CallHours::hourOf(call.row.atMs), call.hasActor ? actorKindName(call.row.actor.kind) : QString()};
}

qint64 CallHours::hourOf(qint64 ms)
{
    return ms >= 0 ? ms / length : (ms + 1) / length - 1;
}

void CallHours::count(const ProjectedCall &before, const ProjectedCall &now)
{
    const bool isNew = before.row.seq == 0;
    if (!isNew && placeOf(before) == placeOf(now))
        return;
    if (!isNew)
        --counts[placeOf(before)];
    ++counts[placeOf(now)];
}

Result<> CallHours::addTo(Database &database) const
{
    if (counts.empty())
        return {};
    auto add = database.prepare(QStringLiteral("INSERT INTO call_hour (hour, actor_kind, calls) VALUES (?, ?, ?) "
                                               "ON CONFLICT DO UPDATE SET calls = calls + excluded.calls"));
    if (!add)
        return add.error();
    for (const auto &[place, calls] : counts) {
        add->bindValue(0, place.first);
        add->bindValue(1, place.second.isEmpty() ? QStringLiteral("") : place.second);
        add->bindValue(2, calls);
        if (auto ran = database.run(*add); !ran)
            return ran;
    }
    return {};
}

Result<bool> CallHours::isIn(Database &database) const
{
    auto rows = database.select(
        QStringLiteral("SELECT hour, actor_kind, calls FROM call_hour WHERE calls <> 0 ORDER BY hour, actor_kind"));
    if (!rows)
        return rows.error();
    auto next = counts.begin();
    for (; rows->next(); ++next) {
        if (next == counts.end() || next->first.first != rows->value(0).toLongLong() ||
            next->first.second != rows->value(1).toString() || next->second != rows->value(2).toLongLong())
            return false;
    }
    if (auto ended = database.ended(*rows); !ended)
        return ended.error();
    return next == counts.end();
}
