#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"
#include "simulator/api/UserRows.h"
#include <QJsonArray>

QJsonObject UserRows::token(const AccessUser::Token &token)
{
    QJsonObject row{{"tokenid", token.name}, {"privsep", token.privilegeSeparated ? 1 : 0}, {"expire", token.expire}};
    if (!token.comment.isEmpty())
        row.insert("comment", token.comment);
    return row;
}

QJsonArray UserRows::tokens(const AccessUser &user)
{
    QJsonArray rows;
    for (const auto &each : user.tokens)
        rows.append(token(each));
    return rows;
}

void UserRows::insertPerson(QJsonObject &row, const AccessUser &user)
{
    const std::pair<const char *, QString> fields[]{{"comment", user.comment},
                                                    {"email", user.email},
                                                    {"firstname", user.firstName},
                                                    {"lastname", user.lastName},
                                                    {"keys", user.factors.isEmpty() ? user.keys : "x"}};
    for (const auto &[key, value] : fields)
        if (!value.isEmpty())
            row.insert(key, value);
    if (user.factors.isLocked)
        row.insert("totp-locked", 1);
}

ApiAnswer UserRows::noSuchUser(const QString &id)
{
    return ApiAnswer::failed(QStringLiteral("no such user ('%1')").arg(id));
}

bool UserRows::mayOn(const Call &call, const AccessUser &user, const QStringList &privileges)
{
    const auto &access = call.world.access;
    if (access.mayAny(call.who, "/access/groups", privileges))
        return true;
    for (const auto &group : access.groupsOf(user.id))
        if (access.mayAny(call.who, "/access/groups/" + group, privileges))
            return true;
    return false;
}

std::optional<ApiAnswer> UserRows::refusedWithoutPassword(const Call &call, const QString &userid,
                                                          const char *parameter)
{
    if (!call.world.access.user(userid))
        return noSuchUser(userid);
    if (call.who.user == "root@pam")
        return std::nullopt;
    if (userid == "root@pam")
        return ApiAnswer::refused({});
    if (!call.has(parameter))
        return ApiAnswer::invalid(parameter, "password is required to modify user");
    const auto *self = call.world.access.user(call.who.user);
    if (!self || self->password.isEmpty() || self->password != call.text(parameter))
        return ApiAnswer::failed(self && self->realm() == "pam" ? "authentication failure" : "invalid credentials");
    return std::nullopt;
}

namespace
{
ApiAnswer list(Call &call)
{
    const bool full = call.flag("full");
    const auto &access = call.world.access;
    QJsonArray data;
    for (const auto &user : access.users) {
        if (user.id != call.who.full() && !UserRows::mayOn(call, user, {"User.Modify", "Sys.Audit"}))
            continue;
        if (call.has("enabled") && call.flag("enabled") != user.enabled)
            continue;
        QJsonObject row{{"userid", user.id}, {"enable", user.enabled ? 1 : 0}, {"expire", user.expire}};
        if (const auto *realm = call.world.access.realm(user.realm()))
            row.insert("realm-type", realm->type);
        UserRows::insertPerson(row, user);
        if (full) {
            row.insert("groups", access.groupsOf(user.id).join(u','));
            row.insert("tokens", user.tokens.empty() ? QJsonValue() : QJsonValue(UserRows::tokens(user)));
        }
        data.append(row);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer get(Call &call)
{
    const auto *user = call.world.access.user(call.text("userid"));
    if (!user)
        return UserRows::noSuchUser(call.text("userid"));
    QJsonObject tokens;
    for (const auto &token : user->tokens) {
        auto row = UserRows::token(token);
        row.remove("tokenid");
        tokens.insert(token.name, row);
    }
    QJsonObject data{{"enable", user->enabled ? 1 : 0},
                     {"expire", user->expire},
                     {"groups", QJsonArray::fromStringList(call.world.access.groupsOf(user->id))},
                     {"tokens", tokens.isEmpty() ? QJsonValue() : QJsonValue(tokens)}};
    UserRows::insertPerson(data, *user);
    return ApiAnswer::ok(data);
}

void takeOver(const Call &call, AccessUser &user)
{
    const std::pair<const char *, QString *> fields[]{{"comment", &user.comment},
                                                      {"email", &user.email},
                                                      {"firstname", &user.firstName},
                                                      {"lastname", &user.lastName},
                                                      {"keys", &user.keys}};
    for (const auto &[key, field] : fields)
        if (call.has(key))
            *field = call.text(key);
    user.enabled = call.flag("enable", user.enabled);
    if (call.has("expire"))
        user.expire = call.given.integer("expire").value_or(0);
}

/// The first group that does not exist; empty when all do.
QString unknownGroup(const Call &call)
{
    for (const auto &id : call.given.list("groups"))
        if (!call.world.access.group(id))
            return id;
    return {};
}

void join(const Call &call, const QString &user)
{
    for (const auto &id : call.given.list("groups"))
        if (auto &members = call.world.access.group(id)->users; !members.contains(user))
            members.append(user);
}

void leaveAll(Access &access, const QString &user)
{
    for (auto &group : access.groups)
        group.users.removeAll(user);
}

ApiAnswer create(Call &call)
{
    const ClusterFile file(call, "file-user_cfg", "create user failed");
    const auto id = call.text("userid");
    auto &access = call.world.access;
    if (auto refusal = file.refusal())
        return *refusal;
    if (access.user(id))
        return file.failed(QStringLiteral("user '%1' already exists").arg(id));
    const auto *realm = access.realm(id.section(u'@', -1));
    if (call.has("password") && !realm)
        return file.failed(QStringLiteral("auth domain '%1' does not exist").arg(id.section(u'@', -1)));
    if (call.has("password") && realm->type != "pve" && realm->type != "pam")
        return file.failed(QStringLiteral("can't set password on auth type '%1'").arg(realm->type));
    if (const auto missing = unknownGroup(call); !missing.isEmpty())
        return file.failed(QStringLiteral("no such group '%1'").arg(missing));
    AccessUser user;
    user.id = id;
    user.password = call.text("password");
    takeOver(call, user);
    access.users.push_back(user);
    join(call, id);
    return ApiAnswer::ok();
}

ApiAnswer update(Call &call)
{
    const ClusterFile file(call, "file-user_cfg", "update user failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto *user = call.world.access.user(call.text("userid"));
    if (!user)
        return file.failed(QStringLiteral("no such user ('%1')").arg(call.text("userid")));
    if (const auto missing = unknownGroup(call); !missing.isEmpty())
        return file.failed(QStringLiteral("no such group '%1'").arg(missing));
    takeOver(call, *user);
    if (call.has("groups") && !call.flag("append"))
        leaveAll(call.world.access, user->id);
    join(call, user->id);
    return ApiAnswer::ok();
}

ApiAnswer remove(Call &call)
{
    const ClusterFile file(call, "file-user_cfg", "delete user failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto &access = call.world.access;
    const auto id = call.text("userid");
    leaveAll(access, id);
    access.forgetGrants(id);
    access.users.erase(
        std::remove_if(access.users.begin(), access.users.end(), [&](const auto &user) { return user.id == id; }),
        access.users.end());
    return ApiAnswer::ok();
}

ApiAnswer tfaTypes(Call &call)
{
    const auto *user = call.world.access.user(call.text("userid"));
    if (!user)
        return UserRows::noSuchUser(call.text("userid"));
    QStringList types;
    for (const auto &entry : user->factors.entries)
        types.append(entry.type);
    types.removeDuplicates();
    QJsonObject data;
    if (call.flag("multiple"))
        data.insert("types", QJsonArray::fromStringList(types));
    return ApiAnswer::ok(data);
}

ApiAnswer unlock(Call &call)
{
    auto *user = call.world.access.user(call.text("userid"));
    if (!user)
        return UserRows::noSuchUser(call.text("userid"));
    return ApiAnswer::ok(std::exchange(user->factors.isLocked, false) ? 1 : 0);
}
} // namespace

void calls::addUsers(Routes &routes)
{
    routes.add("GET /access/users", list);
    routes.add("POST /access/users", create);
    routes.add("GET /access/users/{userid}", get);
    routes.add("PUT /access/users/{userid}", update);
    routes.add("DELETE /access/users/{userid}", remove);
    routes.add("GET /access/users/{userid}/tfa", tfaTypes);
    routes.add("PUT /access/users/{userid}/unlock-tfa", unlock);
}
