#include "model/PveValue.h"
#include "operations/Clusters.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"

namespace
{
const Text remoteHelp{QT_TRANSLATE_NOOP("operation", "Connection; needed only where there are several")};

/// Lists users, their tokens and the groups.
struct UserList {
    RemoteRef remote;
};

/// "a,b" and "a b" as a list; PVE writes lists of names so.
QJsonArray namesIn(const QJsonValue &text)
{
    return QJsonArray::fromStringList(text.toString().split(u',', Qt::SkipEmptyParts));
}

QJsonObject userJson(QJsonObject user)
{
    user.insert(QStringLiteral("groups"), namesIn(user[QLatin1String("groups")]));
    if (const auto enabled = PveValue::boolean(user, "enable"))
        user.insert(QStringLiteral("enable"), *enabled);
    if (!user[QLatin1String("tokens")].isArray())
        user.insert(QStringLiteral("tokens"), QJsonArray());
    return user;
}

QCoro::Task<Result<QJsonValue>> listUsers(UserList args, OperationContext context)
{
    const auto remote = args.remote.remote;
    ApiRequest users{Method::Get, {"access", "users"}, {{"full", "1"}}}, groups{Method::Get, {"access", "groups"}};
    std::vector<Question> questions;
    questions.push_back({remote, std::move(users)});
    questions.push_back({remote, std::move(groups)});
    questions.push_back({remote, permissionsRequest()});
    const auto answers = co_await askAll(std::move(context), std::move(questions));
    const auto listed = asArray(answers[0]), grouped = asArray(answers[1]);
    if (!listed)
        co_return listed.error();
    Gathered all;
    for (const auto &entry : all.list(remote, answers[0]))
        all.add(userJson(entry.toObject()));
    static const Sight sight{{QStringLiteral("Sys.Audit"), QStringLiteral("User.Modify")},
                             QStringLiteral("/access"),
                             {QT_TRANSLATE_NOOP("operation", "users")}};
    all.hide(remote, answers[2], sight);
    auto answer = all.answer("users");
    if (!answer)
        co_return answer.error();
    answer->insert(QStringLiteral("remote"), remote);
    if (grouped)
        answer->insert(QStringLiteral("groups"), *grouped);
    else
        answer->insert(QStringLiteral("groups_problem"), grouped.error().message);
    co_return QJsonValue(*answer);
}

/// Lists roles and their privileges.
struct RoleList {
    RemoteRef remote;
};

QCoro::Task<Result<QJsonValue>> listRoles(RoleList args, OperationContext context)
{
    ApiRequest request{Method::Get, {"access", "roles"}};
    auto rows = co_await getArray(context, args.remote.remote, std::move(request));
    if (!rows)
        co_return rows.error();
    QJsonArray roles;
    for (const auto &entry : *rows) {
        const auto row = entry.toObject();
        QJsonObject role{{QStringLiteral("role"), row[QLatin1String("roleid")]},
                         {QStringLiteral("privileges"), namesIn(row[QLatin1String("privs")])}};
        if (const auto isBuiltIn = PveValue::boolean(row, "special"))
            role.insert(QStringLiteral("built_in"), *isBuiltIn);
        roles.append(role);
    }
    QJsonObject all{{QStringLiteral("remote"), args.remote.remote}, {QStringLiteral("roles"), roles}};
    co_return QJsonValue(all);
}

/// Shows who may do what.
struct Permissions {
    RemoteRef remote;
    std::optional<QString> user, path;
};

/// "alice@pve has PVEVMAdmin on /vms and everything below".
QString grantText(const QJsonObject &row)
{
    const auto who =
        row[QLatin1String("type")].toString() == QLatin1String("group")
            ? words(QT_TRANSLATE_NOOP("operation", "The group %1")).arg(row[QLatin1String("ugid")].toString())
            : row[QLatin1String("ugid")].toString();
    const auto text = PveValue::boolean(row, "propagate").value_or(true)
                          ? words(QT_TRANSLATE_NOOP("operation", "%1 has %2 on %3 and everything below"))
                          : words(QT_TRANSLATE_NOOP("operation", "%1 has %2 on %3 only"));
    return text.arg(who, row[QLatin1String("roleid")].toString(), row[QLatin1String("path")].toString());
}

bool isAbout(const QJsonObject &row, const Permissions &args)
{
    const auto who = row[QLatin1String("ugid")].toString();
    return (!args.path || row[QLatin1String("path")].toString() == *args.path) &&
           (!args.user || who == *args.user || who.startsWith(*args.user + u'!'));
}

QCoro::Task<Result<QJsonValue>> showPermissions(Permissions args, OperationContext context)
{
    const auto remote = args.remote.remote;
    ApiRequest grants{Method::Get, {"access", "acl"}};
    auto held = permissionsRequest();
    if (args.user)
        held.add("userid", *args.user);
    if (args.path)
        held.add("path", *args.path);
    std::vector<Question> questions;
    questions.push_back({remote, std::move(grants)});
    questions.push_back({remote, std::move(held)});
    questions.push_back({remote, permissionsRequest()});
    const auto answers = co_await askAll(std::move(context), std::move(questions));
    if (!answers[1])
        co_return answers[1].error();
    Gathered all;
    for (const auto &entry : all.list(remote, answers[0])) {
        auto row = entry.toObject();
        if (!isAbout(row, args))
            continue;
        row.insert(QStringLiteral("says"), grantText(row));
        all.add(row);
    }
    static const Sight sight{{QStringLiteral("Sys.Audit")},
                             QStringLiteral("/access"),
                             {QT_TRANSLATE_NOOP("operation", "who was given what")}};
    all.hide(remote, answers[2], sight);
    auto answer = all.answer("grants");
    if (!answer)
        co_return answer.error();
    answer->insert(QStringLiteral("remote"), remote);
    answer->insert(QStringLiteral("privileges"), *answers[1]);
    co_return QJsonValue(*answer);
}

OperationPtr declareUsers()
{
    return operation<UserList>({
        .id = "access.users",
        .title = {QT_TRANSLATE_NOOP("operation", "List users")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Lists users with their API tokens (never their secrets) and groups.")},
        .effect = Effect::Reads,
        .target = &UserList::remote,
        .params = {optional(&UserList::remote, "remote", remoteHelp)},
        .read = listUsers,
    });
}

OperationPtr declareRoles()
{
    return operation<RoleList>({
        .id = "access.roles",
        .title = {QT_TRANSLATE_NOOP("operation", "List roles")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Lists roles with the privileges in each.")},
        .effect = Effect::Reads,
        .target = &RoleList::remote,
        .params = {optional(&RoleList::remote, "remote", remoteHelp)},
        .read = listRoles,
    });
}

OperationPtr declarePermissions()
{
    return operation<Permissions>({
        .id = "access.permissions",
        .title = {QT_TRANSLATE_NOOP("operation", "Show permissions")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Shows who was given which role where, and which privileges follow: "
                                                   "for this sign-in, or for the user or token that is named.")},
        .effect = Effect::Reads,
        .target = &Permissions::remote,
        .params = {optional(&Permissions::remote, "remote", remoteHelp),
                   optional(&Permissions::user, "user",
                            {QT_TRANSLATE_NOOP("operation", "User or token: alice@pve, alice@pve!backup")},
                            {longest(200)}),
                   optional(&Permissions::path, "path",
                            {QT_TRANSLATE_NOOP("operation", "Only this path, like /vms/101")}, {longest(200)})},
        .read = showPermissions,
    });
}
} // namespace

Operations accessReads()
{
    return list(declareUsers(), declareRoles(), declarePermissions());
}
