#include "execution/UndoLog.h"
#include "base/StrictJson.h"
#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QTimeZone>

static QString tr(const char *text)
{
    return QCoreApplication::translate("UndoLog", text);
}

static QString isoTime(qint64 ms, int utcOffset)
{
    return QDateTime::fromMSecsSinceEpoch(ms, QTimeZone(utcOffset)).toString(Qt::ISODateWithMs);
}

static QJsonObject rowJson(const CallRow &row)
{
    QJsonObject json{
        {QStringLiteral("entry"), row.callId},
        {QStringLiteral("at"), isoTime(row.atMs, row.utcOffset)},
        {QStringLiteral("by"), row.actor.kind == Actor::Kind::Person ? QStringLiteral("person") : row.actor.name},
        {QStringLiteral("operation"), row.operation},
        {QStringLiteral("what"), row.headline},
        {QStringLiteral("state"), callStateName(row.state)},
        {QStringLiteral("can_undo"), row.hasInverse && row.undoneBy.isEmpty()}};
    const auto add = [&json](const char *key, const QString &value) {
        if (!value.isEmpty())
            json.insert(QLatin1String(key), value);
    };
    add("target", row.target);
    add("target_name", row.targetLabel);
    add("error", row.error);
    add("upid", row.upid);
    add("reason", row.reason);
    add("undone_by", row.undoneBy);
    add("undoes", row.undoes);
    if (row.effect)
        json.insert(QStringLiteral("effect"), effectName(*row.effect));
    return json;
}

static void keepToOwn(CallFilter &filter, const Actor &actor)
{
    if (!actor.isProgram())
        return;
    filter.actorKind = actor.kind;
    filter.actorId = actor.id;
}

static QJsonArray rowsJson(const QList<CallRow> &rows)
{
    QJsonArray all;
    for (const auto &row : rows)
        all.append(rowJson(row));
    return all;
}

QCoro::Task<Result<QJsonObject>> UndoLog::list(qint64 limit, Actor actor, std::stop_token stop)
{
    CallFilter filter;
    filter.onlyUndoable = true;
    keepToOwn(filter, actor);
    auto rows = co_await m_query.page(std::move(filter), 0, int(limit)).until(stop);
    if (!rows)
        co_return rows.error();
    co_return QJsonObject{{QStringLiteral("entries"), rowsJson(*rows)}};
}

/// It is certain that it did not take effect.
static bool hasFailed(CallState state)
{
    return state == CallState::Failed || state == CallState::Refused || state == CallState::Cancelled;
}

static std::vector<PlanChange> changesFrom(const QJsonArray &json)
{
    std::vector<PlanChange> changes;
    for (const auto &one : json)
        changes.push_back(
            {one[QLatin1String("key")].toString(), one[QLatin1String("before")], one[QLatin1String("after")]});
    return changes;
}

QCoro::Task<Result<UndoBasis>> UndoLog::basis(QString callId, Actor actor, std::stop_token stop)
{
    auto found = co_await m_query.detail(callId).until(stop);
    if (!found)
        co_return found.error();
    const auto &row = found->row;
    if (actor.isProgram() && !(row.actor == actor))
        co_return Error{Error::Kind::Denied,
                        tr("This was done by somebody else; a program can undo only its own changes.")};
    if (!row.undoneBy.isEmpty())
        co_return Error{Error::Kind::Conflict, tr("This was undone already.")};
    if (!row.hasInverse)
        co_return Error{
            Error::Kind::Conflict,
            row.state == CallState::Unknown
                ? tr("Nobody knows whether this took effect, so it cannot be undone safely.")
                : tr("There is nothing to undo: this did not change anything, or nothing can set it back.")};
    const auto inverse = found->merged[QStringLiteral("inverse")].toObject();
    UndoBasis basis;
    basis.inverse.operation = inverse[QStringLiteral("operation")].toString();
    basis.inverse.arguments = StrictJson::write(inverse[QStringLiteral("arguments")]);
    basis.changes = changesFrom(found->merged[QStringLiteral("changes")].toArray());
    co_return basis;
}

/// A row that ran the failed one again and has not failed itself: Conflict.
QCoro::Task<Result<>> UndoLog::wasRunAgain(CallRow failed, std::stop_token stop)
{
    CallFilter filter;
    filter.target = failed.target;
    filter.fromMs = failed.atMs;
    auto rows = co_await m_query.page(std::move(filter), 0, 1000).until(stop);
    if (!rows)
        co_return rows.error();
    for (const auto &row : *rows) {
        if (row.operation != failed.operation || row.callId == failed.callId || hasFailed(row.state))
            continue;
        auto later = co_await m_query.detail(row.callId).until(stop);
        if (!later)
            co_return later.error();
        if (later->merged[QStringLiteral("retries")].toString() == failed.callId)
            co_return Error{Error::Kind::Conflict, tr("This was run again already, and that did not fail.")};
    }
    co_return Result<>();
}

QCoro::Task<Result<Call>> UndoLog::failedCall(QString callId, Actor actor, std::stop_token stop)
{
    auto found = co_await m_query.detail(callId).until(stop);
    if (!found)
        co_return found.error();
    const auto row = found->row;
    if (actor.isProgram() && !(row.actor == actor))
        co_return Error{Error::Kind::Denied,
                        tr("This was done by somebody else; a program can run only its own calls again.")};
    if (!hasFailed(row.state))
        co_return Error{Error::Kind::Conflict,
                        row.state == CallState::Unknown
                            ? tr("Nobody knows whether this took effect, so it is not run again blindly.")
                            : tr("Only what has failed can be run again; this is %1.").arg(callStateName(row.state))};
    const bool hasParts = row.operation == QLatin1String("plan.run") && row.state == CallState::Failed;
    if (row.hasInverse || hasParts)
        co_return Error{Error::Kind::Conflict, tr("Part of this took effect. Look what is left to do, and ask anew.")};
    const auto arguments = found->merged[QStringLiteral("arguments")];
    if (!arguments.isObject() || !row.undoes.isEmpty())
        co_return Error{Error::Kind::Conflict, row.undoes.isEmpty()
                                                   ? tr("What it was asked for is not recorded whole. Ask anew.")
                                                   : tr("This was an undo. Undo the entry itself again.")};
    auto fresh = co_await wasRunAgain(row, stop);
    if (!fresh)
        co_return fresh.error();
    Call call;
    call.operation = row.operation;
    call.arguments = StrictJson::write(arguments);
    co_return call;
}

/// Reads one ISO time of the filter; absent leaves it open.
static Result<> readTime(const QJsonObject &filter, const char *key, std::optional<qint64> &into)
{
    const auto text = filter[QLatin1String(key)].toString();
    if (text.isEmpty())
        return {};
    const auto time = QDateTime::fromString(text, Qt::ISODate);
    if (!time.isValid())
        return Error{Error::Kind::Invalid,
                     tr("\"%1\" is not a time. Write it like 2026-11-30T09:00:00Z.").arg(QLatin1String(key))};
    into = time.toMSecsSinceEpoch();
    return {};
}

QCoro::Task<Result<QJsonObject>> UndoLog::search(QJsonObject asked, Actor actor, std::stop_token stop)
{
    CallFilter filter;
    filter.text = asked[QStringLiteral("text")].toString();
    filter.target = asked[QStringLiteral("target")].toString();
    filter.effect = effectFromName(asked[QStringLiteral("effect")].toString());
    filter.state = callStateFromName(asked[QStringLiteral("state")].toString());
    if (auto read = readTime(asked, "from", filter.fromMs); !read)
        co_return read.error();
    if (auto read = readTime(asked, "to", filter.toMs); !read)
        co_return read.error();
    keepToOwn(filter, actor);
    const int limit = asked[QStringLiteral("limit")].toInt(50);
    auto rows =
        co_await m_query.page(std::move(filter), asked[QStringLiteral("before")].toInteger(), limit).until(stop);
    if (!rows)
        co_return rows.error();
    QJsonObject answer{{QStringLiteral("entries"), rowsJson(*rows)}};
    if (rows->size() == limit)
        answer.insert(QStringLiteral("next_before"), rows->last().seq);
    co_return answer;
}

QCoro::Task<Result<QJsonObject>> UndoLog::verify(std::stop_token stop)
{
    auto report = co_await m_query.verify().until(stop);
    if (!report)
        co_return report.error();
    QJsonObject answer{{QStringLiteral("whole"), report->isWhole},
                       {QStringLiteral("events"), report->events},
                       {QStringLiteral("finding"), report->finding}};
    if (report->firstBadSeq)
        answer.insert(QStringLiteral("first_bad"), report->firstBadSeq);
    co_return answer;
}
