#include "mcp/ToolAnswer.h"
#include "base/StrictJson.h"
#include <QJsonArray>

namespace
{
/// Clients cut a line at 10 MiB, and the answer is in it twice.
constexpr qsizetype longestAnswer = 3 * 1024 * 1024;

QString advice(Error::Kind kind)
{
    switch (kind) {
    case Error::Kind::Invalid:
        return QStringLiteral("Correct the arguments as the tool's schema says, then call again.");
    case Error::Kind::NotFound:
        return QStringLiteral(
            "List what is there first: guest_list, node_list, snapshot_list, task_list or undo_list.");
    case Error::Kind::Ambiguous: return QStringLiteral("Name one of the candidates exactly.");
    case Error::Kind::Denied: return QStringLiteral("Do not repeat it. Ask the person, or do without it.");
    case Error::Kind::Conflict: return QStringLiteral("Read the live state again, then decide anew.");
    case Error::Kind::Limited: return QStringLiteral("Wait before you call again.");
    case Error::Kind::Unreachable:
    case Error::Kind::TimedOut: return QStringLiteral("Try again later; node_list tells what answers.");
    case Error::Kind::Untrusted:
    case Error::Kind::Unauthorized:
    case Error::Kind::Forbidden:
    case Error::Kind::Unavailable: return QStringLiteral("A person has to mend this in Labhelm.");
    case Error::Kind::Unknown:
        return QStringLiteral("Do not repeat it: nobody knows yet whether it took effect. Look with task_list or "
                              "audit_search.");
    case Error::Kind::TaskFailed: return QStringLiteral("Read why with task_log.");
    default: return {};
    }
}

QJsonObject errorJson(const Error &error)
{
    QJsonObject json{{QStringLiteral("code"), error.code()}, {QStringLiteral("message"), error.message}};
    if (const auto next = advice(error.kind); !next.isEmpty())
        json.insert(QStringLiteral("advice"), next);
    return json;
}

QJsonObject undoJson(const CallResult &result)
{
    const bool possible = result.plan->undo != Undo::None && result.outcome->changed;
    QJsonObject undo{{QStringLiteral("possible"), undoName(result.outcome->changed ? result.plan->undo : Undo::None)},
                     {QStringLiteral("text"), result.plan->undoText}};
    if (possible)
        undo.insert(QStringLiteral("with"), QStringLiteral("undo_apply"));
    return undo;
}

QJsonObject changeJson(const CallResult &result, const QString &upid)
{
    const auto &outcome = *result.outcome;
    QJsonObject json{{QStringLiteral("state"), callStateName(result.state)},
                     {QStringLiteral("changed"), outcome.changed},
                     {QStringLiteral("warnings"), QJsonArray::fromStringList(outcome.warnings)},
                     {QStringLiteral("entry"), result.callId}};
    if (const auto task = outcome.upid.isEmpty() ? upid : outcome.upid; !task.isEmpty())
        json.insert(QStringLiteral("upid"), task);
    if (!outcome.answer.isNull() && !outcome.answer.isUndefined())
        json.insert(QStringLiteral("answer"), outcome.answer);
    if (result.plan) {
        json.insert(QStringLiteral("what"), result.plan->done.isEmpty() ? result.plan->intent : result.plan->done);
        json.insert(QStringLiteral("undo"), undoJson(result));
    }
    return json;
}

QJsonObject failureJson(const Operation &operation, const CallResult &result, const QString &upid)
{
    QJsonObject json{{QStringLiteral("error"), errorJson(result.outcome.error())},
                     {QStringLiteral("state"), callStateName(result.state)},
                     {QStringLiteral("entry"), result.callId}};
    if (!upid.isEmpty())
        json.insert(QStringLiteral("upid"), upid);
    if (operation.isRead())
        return json;
    const bool unknown = result.state == CallState::Unknown;
    const bool failed = result.state == CallState::Failed;
    json.insert(QStringLiteral("changed"),
                unknown || failed ? QJsonValue(QStringLiteral("unknown")) : QJsonValue(false));
    return json;
}
} // namespace

QJsonObject ToolAnswer::wrap(QJsonObject structured, bool isError) const
{
    if (m_isDemo)
        structured.insert(QStringLiteral("demo"), true);
    const auto text = StrictJson::write(structured);
    if (text.size() > longestAnswer)
        return refused({Error::Kind::Limited, QStringLiteral("The answer is too large. Ask for less at a time.")});
    QJsonObject result{
        {QStringLiteral("content"), QJsonArray{QJsonObject{{QStringLiteral("type"), QStringLiteral("text")},
                                                           {QStringLiteral("text"), QString::fromUtf8(text)}}}},
        {QStringLiteral("structuredContent"), structured}};
    if (isError)
        result.insert(QStringLiteral("isError"), true);
    return result;
}

QJsonObject ToolAnswer::refused(const Error &error) const
{
    return wrap({{QStringLiteral("error"), errorJson(error)}, {QStringLiteral("state"), QStringLiteral("refused")}},
                true);
}

QJsonObject ToolAnswer::ended(const Operation &operation, const Call &call, const CallResult &result,
                              const QString &upid) const
{
    if (!result.outcome)
        return wrap(failureJson(operation, result, upid), true);
    if (!operation.isRead() && !call.previewOnly)
        return wrap(changeJson(result, upid), false);
    const auto &answer = result.outcome->answer;
    if (answer.isObject())
        return wrap(answer.toObject(), false);
    return wrap({{QStringLiteral("result"), answer}}, false);
}

QJsonObject ToolAnswer::unfinished(const ExecutionInfo &info) const
{
    const bool waits = info.state == CallState::Waiting;
    QJsonObject json{{QStringLiteral("state"), callStateName(info.state)},
                     {QStringLiteral("changed"), waits ? QJsonValue(false) : QJsonValue(QStringLiteral("unknown"))},
                     {QStringLiteral("entry"), info.callId},
                     {QStringLiteral("message"),
                      waits
                          ? QStringLiteral("Nobody has answered yet. The request stays open in Labhelm; do not repeat "
                                           "it. audit_search shows how it ended.")
                          : QStringLiteral("It is still running. Follow it with task_wait, or find its end with "
                                           "audit_search.")}};
    if (!info.upid.isEmpty())
        json.insert(QStringLiteral("upid"), info.upid);
    return wrap(json, false);
}
