#include "operations/Families.h"
#include "operations/TypedOperation.h"

namespace
{
/// Searches the timeline.
struct AuditSearch {
    std::optional<QString> text, target, effect, state, from, to;
    qint64 limit = 50;
    std::optional<qint64> before;
};

QCoro::Task<Result<QJsonValue>> search(AuditSearch args, OperationContext context)
{
    QJsonObject filter{{QStringLiteral("limit"), args.limit}};
    const auto add = [&filter](const char *key, const auto &value) {
        if (value)
            filter.insert(QLatin1String(key), QJsonValue(*value));
    };
    add("text", args.text);
    add("target", args.target);
    add("effect", args.effect);
    add("state", args.state);
    add("from", args.from);
    add("to", args.to);
    add("before", args.before);
    auto found = co_await context.services->audit.search(std::move(filter), context.actor, context.stop);
    if (!found)
        co_return found.error();
    co_return QJsonValue(*found);
}

/// Checks the chain of the audit log.
struct AuditVerify {
};

QCoro::Task<Result<QJsonValue>> verify(AuditVerify, OperationContext context)
{
    auto report = co_await context.services->audit.verify(context.stop);
    if (!report)
        co_return report.error();
    co_return QJsonValue(*report);
}

OperationPtr declareAuditSearch()
{
    return operation<AuditSearch>({
        .id = "audit.search",
        .title = {QT_TRANSLATE_NOOP("operation", "Search the timeline")},
        .summary = {QT_TRANSLATE_NOOP(
            "operation", "Finds what was done and asked, newest first. A program sees its own entries only.")},
        .effect = Effect::Reads,
        .params = {optional(&AuditSearch::text, "text",
                            {QT_TRANSLATE_NOOP("operation", "Words in operation, target, headline or error")},
                            {longest(200)}),
                   optional(&AuditSearch::target, "target",
                            {QT_TRANSLATE_NOOP("operation", "Exact target, like homelab:101")}),
                   optional(&AuditSearch::effect, "effect", {QT_TRANSLATE_NOOP("operation", "Only this effect")},
                            {oneOf({"Reads", "Changes", "Disrupts", "Executes", "Destroys"})}),
                   optional(&AuditSearch::state, "state", {QT_TRANSLATE_NOOP("operation", "Only this outcome")},
                            {oneOf({"waiting", "running", "done", "warnings", "failed", "denied", "refused",
                                    "cancelled", "unknown"})}),
                   optional(&AuditSearch::from, "from",
                            {QT_TRANSLATE_NOOP("operation", "Not before this time (ISO 8601)")}),
                   optional(&AuditSearch::to, "to", {QT_TRANSLATE_NOOP("operation", "Before this time (ISO 8601)")}),
                   optional(&AuditSearch::limit, "limit", {QT_TRANSLATE_NOOP("operation", "At most this many")},
                            {range(1, 200)}),
                   optional(&AuditSearch::before, "before",
                            {QT_TRANSLATE_NOOP("operation", "Go on after a page: its next_before")},
                            {range(1, 9007199254740991)})},
        .read = search,
    });
}

OperationPtr declareAuditVerify()
{
    return operation<AuditVerify>({
        .id = "audit.verify",
        .title = {QT_TRANSLATE_NOOP("operation", "Verify the timeline")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Checks every link of the audit chain and compares its head with the keychain.")},
        .effect = Effect::Reads,
        .read = verify,
    });
}
} // namespace

Operations audits()
{
    return list(declareAuditSearch(), declareAuditVerify());
}
