#include "mcp/ToolProjection.h"
#include "base/StrictJson.h"
#include "mcp/JsonMembers.h"

namespace
{
constexpr int longestReason = 1000;
constexpr QLatin1String reasonName{"reason"};
constexpr QLatin1String dryRunName{"dry_run"};

// for programs, so in plain English whatever the language of the window
QString undoWords(const Operation &operation)
{
    switch (operation.undo) {
    case Undo::Exact: return QStringLiteral("undo_apply takes it back exactly.");
    case Undo::Partly:
        return QStringLiteral("Can be taken back only in part, or from a snapshot or backup that exists.");
    case Undo::None: return QStringLiteral("Cannot be taken back.");
    }
    Q_UNREACHABLE();
}

QString description(const Operation &operation)
{
    auto text = QString::fromUtf8(operation.summary.source);
    if (operation.isRead())
        return operation.isSensitive ? text + QStringLiteral(" May show private text, so a person may be asked first.")
                                     : text;
    return text + u' ' + undoWords(operation) +
           QStringLiteral(" A person may have to allow it first. Cancelling the call stops it only until it is sent; "
                          "a started task goes on, and task_stop stops it.");
}

QJsonObject annotations(const Operation &operation)
{
    return {{QStringLiteral("readOnlyHint"), operation.isRead()},
            {QStringLiteral("destructiveHint"), operation.effect >= Effect::Disrupts},
            {QStringLiteral("idempotentHint"), operation.isRead()},
            {QStringLiteral("openWorldHint"), false}};
}

QJsonObject inputSchema(const Operation &operation)
{
    auto schema = operation.schema();
    if (operation.isRead())
        return schema;
    auto properties = schema[u"properties"].toObject();
    properties.insert(reasonName,
                      QJsonObject{{QStringLiteral("type"), QStringLiteral("string")},
                                  {QStringLiteral("maxLength"), longestReason},
                                  {QStringLiteral("description"),
                                   QStringLiteral("Why, in your words. Shown to the person who decides.")}});
    properties.insert(dryRunName,
                      QJsonObject{{QStringLiteral("type"), QStringLiteral("boolean")},
                                  {QStringLiteral("description"),
                                   QStringLiteral("true: only show what would be done. Nothing changes.")}});
    schema.insert(QStringLiteral("properties"), properties);
    return schema;
}

Error invalid(const QString &message)
{
    return {Error::Kind::Invalid, message};
}

Result<> takeOut(const JsonMember &member, Call &call)
{
    const auto value = StrictJson::parse(member.value.toByteArray());
    if (!value)
        return value.error();
    if (member.key == "dry_run") {
        if (!value->isBool())
            return invalid(QStringLiteral("\"dry_run\" must be true or false."));
        call.previewOnly = value->toBool();
        return {};
    }
    call.reason = value->toString();
    if (!value->isString() || call.reason.size() > longestReason)
        return invalid(QStringLiteral("\"reason\" must be text of at most %1 characters.").arg(longestReason));
    return {};
}
} // namespace

ToolProjection::ToolProjection(const Catalogue &catalogue) : m_catalogue(catalogue)
{
    for (const auto &operation : catalogue.all())
        m_tools.append(tool(*operation));
}

QJsonObject ToolProjection::tool(const Operation &operation)
{
    return {{QStringLiteral("name"), operation.mcpName()},
            {QStringLiteral("title"), QString::fromUtf8(operation.title.source)},
            {QStringLiteral("description"), description(operation)},
            {QStringLiteral("inputSchema"), inputSchema(operation)},
            {QStringLiteral("annotations"), annotations(operation)}};
}

Result<Call> ToolProjection::call(const Operation &operation, const QByteArray &arguments, const Actor &actor)
{
    Call call{.operation = operation.id, .arguments = arguments, .actor = actor};
    if (operation.isRead() || arguments.isEmpty())
        return call;
    QByteArrayList kept;
    const JsonMembers members(arguments);
    for (const auto &member : members.all()) {
        if (member.key != "reason" && member.key != "dry_run") {
            kept << '"' + member.key.toByteArray() + "\":" + member.value.toByteArray();
            continue;
        }
        if (auto taken = takeOut(member, call); !taken)
            return taken.error();
    }
    call.arguments = '{' + kept.join(',') + '}';
    return call;
}
