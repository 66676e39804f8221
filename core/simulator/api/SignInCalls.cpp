#include "simulator/api/Routes.h"
#include "simulator/api/UserRows.h"
#include <QJsonArray>

namespace
{
ApiAnswer index(Call &)
{
    QJsonArray data;
    for (const auto *name : {"users", "groups", "roles", "acl", "domains", "openid", "tfa", "ticket", "password"})
        data.append(QJsonObject{{"subdir", name}});
    return ApiAnswer::ok(data);
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

ApiAnswer refusedSignIn()
{
    return ApiAnswer::failed("authentication failure", 401);
}

/// What a session needs to go on.
QJsonObject session(const Call &call, const QString &user)
{
    const auto &access = call.world.access;
    QJsonObject data{{"username", user},
                     {"ticket", access.ticket(user, call.world.now())},
                     {"CSRFPreventionToken", access.csrfToken(user, call.world.now())},
                     {"cap", capabilities(access, Identity{user, {}})}};
    if (call.world.nodes.size() > 1 && access.may({user, {}}, "/", "Sys.Audit"))
        data.insert("clustername", call.world.clusterName);
    return data;
}

/// The password was right and is not enough.
QJsonObject challenge(const Call &call, const QString &user)
{
    return {{"NeedTFA", 1},
            {"username", user},
            {"ticket", call.world.access.challengeTicket(user, call.world.now())},
            {"CSRFPreventionToken", call.world.access.csrfToken(user, call.world.now())}};
}

/// Somebody asks whether a user may do something somewhere.
ApiAnswer verified(const Call &call, const QString &user)
{
    const auto &access = call.world.access;
    for (const auto &privilege : call.given.list("privs"))
        if (!access.may({user, {}}, call.text("path"), privilege))
            return refusedSignIn();
    return ApiAnswer::ok(QJsonObject{{"username", user}, {"cap", capabilities(access, Identity{user, {}})}});
}

ApiAnswer createTicket(Call &call)
{
    auto name = call.text("username");
    if (!name.contains(u'@') && call.has("realm"))
        name += u'@' + call.text("realm");
    auto &access = call.world.access;
    auto *user = access.user(name);
    const auto now = call.world.now();
    if (call.has("tfa-challenge")) {
        if (!user || !user->enabled || !access.isChallengeTicket(call.text("tfa-challenge"), name, now) ||
            !user->factors.accept(call.text("password"), now))
            return refusedSignIn();
        return ApiAnswer::ok(session(call, name));
    }
    const auto password = call.text("password");
    if (!access.isPassword(name, password, now))
        return refusedSignIn();
    if (call.has("path"))
        return verified(call, name);
    if (password.startsWith("PVE:") || user->factors.isEmpty())
        return ApiAnswer::ok(session(call, name));
    const auto offered = user->factors.challenge();
    return offered.isEmpty() ? refusedSignIn() : ApiAnswer::ok(challenge(call, name));
}

ApiAnswer getTicket(Call &)
{
    return ApiAnswer::ok();
}

ApiAnswer checkConsoleTicket(Call &call)
{
    const auto &access = call.world.access;
    const auto who = call.text("authid");
    const Identity asked{who.section(u'!', 0, 0), who.section(u'!', 1)};
    const auto port = int(call.given.integer("port").value_or(0));
    if (!access.isConsoleTicket(call.text("vncticket"), who, call.text("path"), port, call.world.now()))
        return refusedSignIn();
    for (const auto &privilege : call.given.list("privs"))
        if (!access.may(asked, call.text("path"), privilege))
            return refusedSignIn();
    return ApiAnswer::ok();
}

ApiAnswer changePassword(Call &call)
{
    const auto id = call.text("userid");
    if (auto refusal = UserRows::refusedWithoutPassword(call, id, "confirmation-password"))
        return *refusal;
    auto *user = call.world.access.user(id);
    const bool others = call.who.user != "root@pam" && call.who.user != id;
    if (others && user->realm() == "pam")
        return ApiAnswer::refused({});
    const auto *realm = call.world.access.realm(user->realm());
    if (!realm || (realm->type != "pve" && realm->type != "pam"))
        return ApiAnswer::failed(
            QStringLiteral("can't set password on auth type '%1'").arg(realm ? realm->type : user->realm()));
    user->password = call.text("password");
    return ApiAnswer::ok();
}
} // namespace

void calls::addAccess(Routes &routes)
{
    routes.add("GET /access", index);
    routes.add("GET /access/ticket", getTicket);
    routes.add("POST /access/ticket", createTicket);
    routes.add("POST /access/vncticket", checkConsoleTicket);
    routes.add("PUT /access/password", changePassword);
}
