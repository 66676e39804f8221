#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>
#include <QRegularExpression>

namespace
{
QJsonObject numbers(const QMap<QString, bool> &privileges)
{
    QJsonObject object;
    for (auto it = privileges.begin(); it != privileges.end(); ++it)
        object.insert(it.key(), it.value() ? 1 : 0);
    return object;
}

ApiAnswer permissions(Call &call)
{
    const auto &access = call.world.access;
    auto who = call.who;
    if (call.has("userid")) {
        const auto asked = call.text("userid");
        who = {asked.section(u'!', 0, 0), asked.section(u'!', 1)};
        const bool own = asked == call.who.full() || (!call.who.isToken() && who.user == call.who.user);
        if (!own && !call.may("/access", "Sys.Audit"))
            return ApiAnswer::refused("/access, Sys.Audit");
        const auto *user = access.user(who.user);
        if (!user)
            return ApiAnswer::failed(QStringLiteral("no such user ('%1')").arg(who.user));
        if (who.isToken() && !const_cast<AccessUser *>(user)->token(who.token))
            return ApiAnswer::failed(QStringLiteral("no such token '%1' for user '%2'").arg(who.token, who.user));
    }
    QJsonObject data;
    for (const auto &path : call.has("path") ? QStringList{call.text("path")} : access.knownPaths())
        if (const auto held = access.privileges(who, path); !held.isEmpty() || call.has("path"))
            data.insert(path, numbers(held));
    return ApiAnswer::ok(data);
}

ApiAnswer grants(Call &call)
{
    const auto &access = call.world.access;
    const bool audits = call.may("/access", "Sys.Audit");
    QJsonArray data;
    for (const auto &grant : access.grants) {
        if (!audits && !access.mayGrant(call.who, grant.path))
            continue;
        const bool group = grant.who.startsWith(u'@');
        data.append(QJsonObject{{"path", grant.path},
                                {"ugid", group ? grant.who.mid(1) : grant.who},
                                {"type", group                      ? "group"
                                         : grant.who.contains(u'!') ? "token"
                                                                    : "user"},
                                {"roleid", grant.role},
                                {"propagate", grant.propagate ? 1 : 0}});
    }
    return ApiAnswer::ok(data);
}

/// Without doubled and closing slashes; empty when it has characters no path has.
QString normalized(QString path)
{
    static const QRegularExpression many(QStringLiteral("/+"));
    static const QRegularExpression allowed(QStringLiteral("\\A[A-Za-z0-9.\\-_/]+\\z"));
    path = u'/' + path.replace(many, "/");
    path.replace(many, "/");
    if (path.size() > 1 && path.endsWith(u'/'))
        path.chop(1);
    return allowed.match(path).hasMatch() ? path : QString();
}

/// Only paths that mean something can be granted on.
bool isGrantable(const QString &path)
{
    static const QRegularExpression known(QStringLiteral(
        "\\A(?:/|/access|/access/groups(?:/[\\w.\\-]+)?|/access/realm(?:/[\\w.\\-]+)?|/nodes(?:/[\\w.\\-]+)?"
        "|/pool(?:/[A-Za-z0-9.\\-_]+(?:/[A-Za-z0-9.\\-_]+){0,2})?|/sdn"
        "|/sdn/(?:controllers|dns|fabrics|ipams)(?:/[\\w.\\-]+)?"
        "|/sdn/zones(?:/[\\w.\\-]+(?:/[\\w.\\-]+(?:/[1-9][0-9]{0,3})?)?)?|/storage(?:/[\\w.\\-]+)?"
        "|/vms(?:/[1-9][0-9]{2,})?|/mapping(?:/[\\w.\\-]+(?:/[\\w.\\-]+)?)?)\\z"));
    return known.match(path).hasMatch();
}

/// Whom a change is about, as grants name them; or who of them does not exist.
Result<QStringList> receivers(const Call &call)
{
    auto &access = call.world.access;
    const auto unknown = [](const QString &text) { return Error{Error::Kind::Invalid, text, {}}; };
    QStringList found;
    for (const auto &id : call.given.list("groups")) {
        if (!access.group(id))
            return unknown(QStringLiteral("group '%1' does not exist").arg(id));
        found.append(u'@' + id);
    }
    for (const auto &id : call.given.list("users")) {
        if (!access.user(id))
            return unknown(QStringLiteral("user '%1' does not exist").arg(id));
        found.append(id);
    }
    for (const auto &id : call.given.list("tokens")) {
        auto *user = access.user(id.section(u'!', 0, 0));
        if (!user)
            return unknown(QStringLiteral("no such user ('%1')").arg(id.section(u'!', 0, 0)));
        if (!user->token(id.section(u'!', 1)))
            return unknown(QStringLiteral("no such token '%1' for user '%2'").arg(id.section(u'!', 1), user->id));
        found.append(id);
    }
    return found;
}

ApiAnswer change(Call &call)
{
    if (!call.has("users") && !call.has("groups") && !call.has("tokens")) {
        const QString text = "either 'users', 'groups' or 'tokens' is required.";
        return ApiAnswer::invalid({{"users", text}, {"groups", text}, {"tokens", text}});
    }
    const auto path = normalized(call.text("path"));
    if (path.isEmpty() || (!call.flag("delete") && !isGrantable(path)))
        return ApiAnswer::invalid("path", QStringLiteral("invalid ACL path '%1'").arg(call.text("path")));
    const ClusterFile file(call, "file-user_cfg", "ACL update failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto &access = call.world.access;
    for (const auto &role : call.given.list("roles"))
        if (!access.roles.contains(role))
            return file.failed(QStringLiteral("role '%1' does not exist").arg(role));
    const auto whom = receivers(call);
    if (!whom)
        return file.failed(whom.error().message);
    for (const auto &role : call.given.list("roles"))
        for (const auto &who : *whom) {
            auto &all = access.grants;
            all.erase(std::remove_if(all.begin(), all.end(),
                                     [&](const auto &grant) {
                                         return grant.path == path && grant.who == who && grant.role == role;
                                     }),
                      all.end());
            if (!call.flag("delete"))
                all.push_back({path, who, role, call.flag("propagate", true)});
        }
    return ApiAnswer::ok();
}
} // namespace

void calls::addRights(Routes &routes)
{
    routes.add("GET /access/permissions", permissions);
    routes.add("GET /access/acl", grants);
    routes.add("PUT /access/acl", change);
}
