#include "simulator/api/Routes.h"
#include <QJsonArray>

namespace
{
ApiAnswer domains(Call &)
{
    return ApiAnswer::ok(QJsonArray{
        QJsonObject{{QLatin1String("realm"), QLatin1String("pam")},
                    {QLatin1String("type"), QLatin1String("pam")},
                    {QLatin1String("comment"), QLatin1String("Linux PAM standard authentication")}},
        QJsonObject{{QLatin1String("realm"), QLatin1String("pve")},
                    {QLatin1String("type"), QLatin1String("pve")},
                    {QLatin1String("comment"), QLatin1String("Proxmox VE authentication server")}},
    });
}

QJsonObject numbers(const QMap<QString, bool> &privileges)
{
    QJsonObject object;
    for (auto it = privileges.begin(); it != privileges.end(); ++it)
        object.insert(it.key(), it.value() ? 1 : 0);
    return object;
}

/// What the web interface may offer: privileges by area, wherever they are held.
QJsonObject capabilities(const Access &access, const Identity &who)
{
    static const QMap<QString, QStringList> areas{
        {QStringLiteral("vms"), {QStringLiteral("VM."), QStringLiteral("Permissions.")}},
        {QStringLiteral("storage"), {QStringLiteral("Datastore."), QStringLiteral("Permissions.")}},
        {QStringLiteral("access"), {QStringLiteral("User."), QStringLiteral("Group."), QStringLiteral("Permissions.")}},
        {QStringLiteral("nodes"), {QStringLiteral("Sys."), QStringLiteral("Permissions.")}},
        {QStringLiteral("mapping"), {QStringLiteral("Mapping."), QStringLiteral("Permissions.")}},
        {QStringLiteral("sdn"), {QStringLiteral("SDN."), QStringLiteral("Permissions.")}},
        {QStringLiteral("dc"), {QStringLiteral("Sys.Audit"), QStringLiteral("Sys.Modify"), QStringLiteral("SDN.")}},
    };
    QSet<QString> held;
    for (const auto &path : access.knownPaths())
        for (const auto &privilege : access.privileges(who, path).keys())
            held.insert(privilege);
    QJsonObject result;
    for (auto it = areas.begin(); it != areas.end(); ++it) {
        QJsonObject area;
        for (const auto &privilege : std::as_const(held))
            for (const auto &prefix : it.value())
                if (privilege.startsWith(prefix))
                    area.insert(privilege, 1);
        result.insert(it.key(), area);
    }
    return result;
}

ApiAnswer createTicket(Call &call)
{
    auto user = call.text("username");
    if (!user.contains(u'@') && call.has("realm"))
        user += u'@' + call.text("realm");
    const auto &access = call.world.access;
    if (!access.isPassword(user, call.text("password"), call.world.now()))
        return ApiAnswer::failed(QStringLiteral("authentication failure"), 401);
    QJsonObject data{{QLatin1String("username"), user},
                     {QLatin1String("ticket"), access.ticket(user, call.world.now())},
                     {QLatin1String("CSRFPreventionToken"), access.csrfToken(user, call.world.now())},
                     {QLatin1String("cap"), capabilities(access, Identity{user, {}})}};
    if (call.world.nodes.size() > 1)
        data.insert(QLatin1String("clustername"), call.world.clusterName);
    return ApiAnswer::ok(data);
}

ApiAnswer getTicket(Call &)
{
    return ApiAnswer::ok();
}

ApiAnswer permissions(Call &call)
{
    const auto &access = call.world.access;
    auto who = call.who;
    if (call.has("userid")) {
        const auto asked = call.text("userid");
        who = {asked.section(u'!', 0, 0), asked.section(u'!', 1)};
        const bool own = asked == call.who.user || asked == call.who.full();
        if (!own && !call.may(QStringLiteral("/access"), "Sys.Audit"))
            return ApiAnswer::refused(QStringLiteral("/access, Sys.Audit"));
        if (!access.user(who.user))
            return ApiAnswer::failed(QStringLiteral("no such user ('%1')").arg(who.user));
    }
    QJsonObject data;
    for (const auto &path : call.has("path") ? QStringList{call.text("path")} : access.knownPaths())
        if (const auto held = access.privileges(who, path); !held.isEmpty() || call.has("path"))
            data.insert(path, numbers(held));
    return ApiAnswer::ok(data);
}

ApiAnswer rolesList(Call &call)
{
    const auto &access = call.world.access;
    QJsonArray data;
    for (auto it = access.roles.begin(); it != access.roles.end(); ++it) {
        auto privileges = it.value();
        privileges.sort();
        data.append(QJsonObject{{QLatin1String("roleid"), it.key()},
                                {QLatin1String("privs"), privileges.join(u',')},
                                {QLatin1String("special"), access.builtInRoles.contains(it.key()) ? 1 : 0}});
    }
    return ApiAnswer::ok(data);
}

QJsonObject tokenRow(const AccessUser::Token &token)
{
    QJsonObject row{{QLatin1String("tokenid"), token.name},
                    {QLatin1String("privsep"), token.privilegeSeparated ? 1 : 0},
                    {QLatin1String("expire"), token.expire}};
    if (!token.comment.isEmpty())
        row.insert(QLatin1String("comment"), token.comment);
    return row;
}

QJsonArray tokenRows(const AccessUser &user)
{
    QJsonArray rows;
    for (const auto &token : user.tokens)
        rows.append(tokenRow(token));
    return rows;
}

void insertPerson(QJsonObject &row, const AccessUser &user)
{
    const std::pair<const char *, QString> fields[]{{"comment", user.comment},
                                                    {"email", user.email},
                                                    {"firstname", user.firstName},
                                                    {"lastname", user.lastName},
                                                    {"keys", user.keys}};
    for (const auto &[key, value] : fields)
        if (!value.isEmpty())
            row.insert(QLatin1String(key), value);
}

ApiAnswer users(Call &call)
{
    const bool full = call.flag("full");
    QJsonArray data;
    for (const auto &user : call.world.access.users) {
        const bool own = user.id == call.who.user;
        if (!own && !call.may(QStringLiteral("/access/groups"), "User.Modify") &&
            !call.may(QStringLiteral("/access"), "Sys.Audit"))
            continue;
        if (call.has("enabled") && call.flag("enabled") != user.enabled)
            continue;
        QJsonObject row{{QLatin1String("userid"), user.id},
                        {QLatin1String("enable"), user.enabled ? 1 : 0},
                        {QLatin1String("expire"), 0},
                        {QLatin1String("realm-type"), user.id.section(u'@', -1)}};
        insertPerson(row, user);
        if (full) {
            row.insert(QLatin1String("groups"), QString());
            row.insert(QLatin1String("tokens"), user.tokens.empty() ? QJsonValue() : QJsonValue(tokenRows(user)));
        }
        data.append(row);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer userGet(Call &call)
{
    const auto *user = call.world.access.user(call.text("userid"));
    if (!user)
        return ApiAnswer::failed(QStringLiteral("no such user ('%1')").arg(call.text("userid")));
    QJsonObject tokens;
    for (const auto &token : user->tokens) {
        auto row = tokenRow(token);
        row.remove(QLatin1String("tokenid"));
        tokens.insert(token.name, row);
    }
    QJsonObject data{{QLatin1String("enable"), user->enabled ? 1 : 0},
                     {QLatin1String("expire"), 0},
                     {QLatin1String("groups"), QJsonArray()},
                     {QLatin1String("tokens"), tokens.isEmpty() ? QJsonValue() : QJsonValue(tokens)}};
    insertPerson(data, *user);
    return ApiAnswer::ok(data);
}

ApiAnswer userTokens(Call &call)
{
    const auto *user = call.world.access.user(call.text("userid"));
    if (!user)
        return ApiAnswer::failed(QStringLiteral("no such user ('%1')").arg(call.text("userid")));
    return ApiAnswer::ok(tokenRows(*user));
}

ApiAnswer accessList(Call &call)
{
    QJsonArray data;
    for (const auto &grant : call.world.access.grants) {
        const bool token = grant.who.contains(u'!');
        data.append(QJsonObject{{QLatin1String("path"), grant.path},
                                {QLatin1String("ugid"), grant.who},
                                {QLatin1String("type"), token ? QLatin1String("token") : QLatin1String("user")},
                                {QLatin1String("roleid"), grant.role},
                                {QLatin1String("propagate"), grant.propagate ? 1 : 0}});
    }
    const bool sees =
        call.may(QStringLiteral("/access"), "Sys.Audit") || call.may(QStringLiteral("/access"), "Permissions.Modify");
    return ApiAnswer::ok(sees ? data : QJsonArray());
}
} // namespace

void calls::addAccess(Routes &routes)
{
    routes.add("GET /access/domains", domains);
    routes.add("GET /access/ticket", getTicket);
    routes.add("POST /access/ticket", createTicket);
    routes.add("GET /access/permissions", permissions);
    routes.add("GET /access/roles", rolesList);
    routes.add("GET /access/users", users);
    routes.add("GET /access/users/{userid}", userGet);
    routes.add("GET /access/users/{userid}/token", userTokens);
    routes.add("GET /access/acl", accessList);
}
