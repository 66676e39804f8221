#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "operations/Families.h"
#include "operations/TypedOperation.h"
#include "operations/Words.h"
#include "pve/Connection.h"

namespace
{
/// Who is given or loses a role where.
struct Grant {
    RemoteRef remote;
    QString path, role, who;
    bool propagate = true;
};

/// "user", "token" or "group": "alice@pve", "alice@pve!backup", "@admins".
QString kindOf(const QString &who)
{
    if (who.startsWith(u'@'))
        return QStringLiteral("group");
    return who.contains(u'!') ? QStringLiteral("token") : QStringLiteral("user");
}

/// As PVE's list names them, where a group has no "@".
QString listedName(const QString &who)
{
    return who.startsWith(u'@') ? who.mid(1) : who;
}

ApiRequest aclRequest(const Grant &grant, bool isRemoval)
{
    ApiRequest request{Method::Put, {"access", "acl"}};
    request.add("path", grant.path);
    request.add("roles", grant.role);
    request.add(kindOf(grant.who) + u's', listedName(grant.who));
    if (isRemoval)
        request.add("delete", "1");
    else
        request.add("propagate", grant.propagate ? "1" : "0");
    return request;
}

/// What is given on the path now: role, who, and whether it goes down.
struct GrantsNow {
    QJsonArray onPath;
    std::optional<bool> present; ///< of this one: its propagate; absent = not given
    QStringList privileges;      ///< of the role
};

QCoro::Task<Result<GrantsNow>> readGrants(OperationContext context, Grant grant)
{
    const auto remote = grant.remote.remote;
    ApiRequest acl{Method::Get, {"access", "acl"}}, roles{Method::Get, {"access", "roles"}};
    auto asksRoles = getArray(context, remote, std::move(roles));
    auto rows = co_await getArray(context, remote, std::move(acl));
    auto known = co_await asksRoles;
    if (!rows)
        co_return rows.error();
    if (!known)
        co_return known.error();
    GrantsNow now;
    for (const auto &entry : *rows) {
        const auto row = entry.toObject();
        if (row[QLatin1String("path")].toString() != grant.path)
            continue;
        now.onPath.append(row);
        if (row[QLatin1String("roleid")].toString() == grant.role &&
            row[QLatin1String("type")].toString() == kindOf(grant.who) &&
            row[QLatin1String("ugid")].toString() == listedName(grant.who))
            now.present = PveValue::boolean(row, "propagate").value_or(true);
    }
    QStringList names;
    bool isKnown = false;
    for (const auto &role : *known) {
        names << role[QLatin1String("roleid")].toString();
        if (names.last() != grant.role)
            continue;
        isKnown = true;
        now.privileges = role[QLatin1String("privs")].toString().split(u',', Qt::SkipEmptyParts);
    }
    if (!isKnown)
        co_return Error{Error::Kind::NotFound,
                        words(QT_TRANSLATE_NOOP("operation", "There is no role called %1. There is: %2."))
                            .arg(DisplayText::visible(grant.role), listText(names, 20))};
    co_return now;
}

QString changeKey(const Grant &grant)
{
    return grant.who + QLatin1String(" on ") + grant.path;
}

QString roleText(const Grant &grant, bool propagates)
{
    return propagates ? words(QT_TRANSLATE_NOOP("operation", "%1, and below")).arg(grant.role) : grant.role;
}

Plan planOf(const Grant &grant, const GrantsNow &now)
{
    Plan plan;
    plan.before = {{QStringLiteral("grants"), now.onPath}};
    if (now.present)
        plan.before.insert(QStringLiteral("propagate"), *now.present);
    QStringList others;
    for (const auto &row : now.onPath)
        others << words(QT_TRANSLATE_NOOP("operation", "%1 for %2"))
                      .arg(row[QLatin1String("roleid")].toString(), row[QLatin1String("ugid")].toString());
    plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "The role holds")), listText(now.privileges, 12)});
    plan.facts.push_back(
        {words(QT_TRANSLATE_NOOP("operation", "Given on %1 now")).arg(DisplayText::visible(grant.path)),
         others.isEmpty() ? words(QT_TRANSLATE_NOOP("operation", "nothing")) : listText(others, 8)});
    return plan;
}

QCoro::Task<Result<Plan>> planGrant(Grant args, OperationContext context)
{
    auto now = co_await readGrants(context, args);
    if (!now)
        co_return now.error();
    auto plan = planOf(args, *now);
    const auto who = DisplayText::visible(args.who), path = DisplayText::visible(args.path);
    if (now->present == args.propagate) {
        plan.intent = words(QT_TRANSLATE_NOOP("operation", "There is nothing to change: %1 has %2 on %3 already."))
                          .arg(who, args.role, path);
        co_return plan;
    }
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Give %1 the role %2 on %3")).arg(who, args.role, path);
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Gave %1 the role %2 on %3")).arg(who, args.role, path);
    plan.changes.push_back(
        {changeKey(args), now->present ? QJsonValue(roleText(args, *now->present)) : QJsonValue(QJsonValue::Undefined),
         roleText(args, args.propagate)});
    for (const auto *heavy : {"Permissions.Modify", "Sys.Modify", "VM.GuestAgent.Unrestricted", "Sys.Console"})
        if (now->privileges.contains(QLatin1String(heavy)))
            plan.facts.push_back(
                {words(QT_TRANSLATE_NOOP("operation", "With it they may")),
                 words(QT_TRANSLATE_NOOP("operation", "nearly everything there (%1)")).arg(QLatin1String(heavy)),
                 true});
    plan.requests.push_back(aclRequest(args, false));
    plan.undo = Undo::Partly;
    plan.undoText =
        words(QT_TRANSLATE_NOOP("operation", "Takes the role back; what was done with it meanwhile stays."));
    co_return plan;
}

QJsonObject callOf(const Grant &grant)
{
    return {{QStringLiteral("remote"), grant.remote.remote},
            {QStringLiteral("path"), grant.path},
            {QStringLiteral("role"), grant.role},
            {QStringLiteral("who"), grant.who}};
}

/// Where the role was there already and only its reach changed, the old reach comes back.
std::optional<Call> grantBack(const Grant &args, const Plan &plan)
{
    auto back = callOf(args);
    const auto propagated = plan.before[QStringLiteral("propagate")];
    if (propagated.isUndefined())
        return Call{QStringLiteral("access.acl.revoke"), arguments(back)};
    back.insert(QStringLiteral("propagate"), propagated);
    return Call{QStringLiteral("access.acl.grant"), arguments(back)};
}

/// Whether taking it away may shut this sign-in out: it is ours, our user's, or a group's that may hold us.
bool mayBeOurs(const OperationContext &context, const Grant &grant)
{
    const auto *connection = context.services->connections.find(grant.remote.remote);
    if (!connection || grant.who.startsWith(u'@'))
        return true;
    const auto own = connection->remote().user;
    return grant.who == own || grant.who == own.section(u'!', 0, 0);
}

QCoro::Task<Result<Plan>> planRevoke(Grant args, OperationContext context)
{
    auto now = co_await readGrants(context, args);
    if (!now)
        co_return now.error();
    const auto who = DisplayText::visible(args.who), path = DisplayText::visible(args.path);
    if (!now->present)
        co_return Error{Error::Kind::NotFound,
                        words(QT_TRANSLATE_NOOP("operation", "%1 has no role %2 on %3.")).arg(who, args.role, path)};
    auto plan = planOf(args, *now);
    plan.intent = words(QT_TRANSLATE_NOOP("operation", "Take the role %2 on %3 from %1")).arg(who, args.role, path);
    plan.done = words(QT_TRANSLATE_NOOP("operation", "Took the role %2 on %3 from %1")).arg(who, args.role, path);
    plan.changes.push_back({changeKey(args), roleText(args, *now->present)});
    plan.isForPeople = mayBeOurs(context, args);
    if (plan.isForPeople)
        plan.facts.push_back({words(QT_TRANSLATE_NOOP("operation", "Careful")),
                              words(QT_TRANSLATE_NOOP("operation", "this may be what Labhelm itself signs in with")),
                              true});
    plan.requests.push_back(aclRequest(args, true));
    plan.undo = Undo::Exact;
    plan.undoText = words(QT_TRANSLATE_NOOP("operation", "Gives the role back."));
    co_return plan;
}

std::optional<Call> revokeBack(const Grant &args, const Plan &plan)
{
    auto back = callOf(args);
    back.insert(QStringLiteral("propagate"), plan.before[QStringLiteral("propagate")]);
    return Call{QStringLiteral("access.acl.grant"), arguments(back)};
}

std::vector<Field<Grant>> grantParams()
{
    return {
        required(&Grant::path, "path",
                 {QT_TRANSLATE_NOOP("operation", "Where: /, /vms/101, /pool/media, /storage/local")},
                 {matching("/[A-Za-z0-9._/-]*"), longest(200)}),
        required(&Grant::role, "role", {QT_TRANSLATE_NOOP("operation", "Role, like PVEVMUser")},
                 {matching("[A-Za-z0-9._-]+"), longest(100)}),
        required(&Grant::who, "who",
                 {QT_TRANSLATE_NOOP("operation", "User (alice@pve), token (alice@pve!backup) or group (@admins)")},
                 {matching("@[A-Za-z0-9._-]+|[^\\s:/@!,]+@[A-Za-z0-9._-]+(![A-Za-z][A-Za-z0-9._-]+)?"), longest(200)}),
        optional(&Grant::remote, "remote",
                 {QT_TRANSLATE_NOOP("operation", "Connection; needed only where there are several")})};
}

OperationPtr declareGrant()
{
    auto params = grantParams();
    params.push_back(optional(&Grant::propagate, "propagate",
                              {QT_TRANSLATE_NOOP("operation", "Also for everything below the path")}));
    return operation<Grant>({
        .id = "access.acl.grant",
        .title = {QT_TRANSLATE_NOOP("operation", "Give a role")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Gives a user, token or group a role on a path. It widens access, so a "
                                      "person is always asked.")},
        .effect = Effect::Destroys,
        .undo = Undo::Partly,
        .target = &Grant::remote,
        .params = std::move(params),
        .plan = planGrant,
        .inverse = grantBack,
    });
}

OperationPtr declareRevoke()
{
    return operation<Grant>({
        .id = "access.acl.revoke",
        .title = {QT_TRANSLATE_NOOP("operation", "Take a role away")},
        .summary = {QT_TRANSLATE_NOOP("operation", "Takes a role on a path from a user, token or group.")},
        .effect = Effect::Disrupts,
        .undo = Undo::Exact,
        .target = &Grant::remote,
        .params = grantParams(),
        .plan = planRevoke,
        .inverse = revokeBack,
    });
}
} // namespace

Operations accessRules()
{
    return list(declareGrant(), declareRevoke());
}
