#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>

namespace
{
QString missing(const char *kind, const QString &id)
{
    return QStringLiteral("%1 '%2' does not exist").arg(QLatin1String(kind), id);
}

ApiAnswer groups(Call &call)
{
    QJsonArray data;
    for (const auto &group : call.world.access.groups) {
        if (!call.world.access.mayAny(call.who, "/access/groups/" + group.id,
                                      {"User.Modify", "Sys.Audit", "Group.Allocate"}))
            continue;
        auto users = group.users;
        users.sort();
        QJsonObject row{{"groupid", group.id}, {"users", users.join(u',')}};
        if (!group.comment.isEmpty())
            row.insert("comment", group.comment);
        data.append(row);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer group(Call &call)
{
    const auto *found = call.world.access.group(call.text("groupid"));
    if (!found)
        return ApiAnswer::failed(missing("group", call.text("groupid")));
    QJsonObject data{{"members", QJsonArray::fromStringList(found->users)}};
    if (!found->comment.isEmpty())
        data.insert("comment", found->comment);
    return ApiAnswer::ok(data);
}

ApiAnswer createGroup(Call &call)
{
    const ClusterFile file(call, "file-user_cfg", "create group failed");
    if (auto refusal = file.refusal())
        return *refusal;
    if (call.world.access.group(call.text("groupid")))
        return file.failed(QStringLiteral("group '%1' already exists").arg(call.text("groupid")));
    call.world.access.groups.push_back({call.text("groupid"), call.text("comment"), {}});
    return ApiAnswer::ok();
}

ApiAnswer updateGroup(Call &call)
{
    const ClusterFile file(call, "file-user_cfg", "update group failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto *found = call.world.access.group(call.text("groupid"));
    if (!found)
        return file.failed(missing("group", call.text("groupid")));
    if (call.has("comment"))
        found->comment = call.text("comment");
    return ApiAnswer::ok();
}

ApiAnswer removeGroup(Call &call)
{
    const ClusterFile file(call, "file-user_cfg", "delete group failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto &access = call.world.access;
    const auto id = call.text("groupid");
    if (!access.group(id))
        return file.failed(missing("group", id));
    access.groups.erase(
        std::remove_if(access.groups.begin(), access.groups.end(), [&](const auto &each) { return each.id == id; }),
        access.groups.end());
    access.forgetGrants(u'@' + id);
    return ApiAnswer::ok();
}

ApiAnswer roles(Call &call)
{
    const auto &access = call.world.access;
    QJsonArray data;
    for (auto it = access.roles.begin(); it != access.roles.end(); ++it) {
        auto privileges = it.value();
        privileges.sort();
        data.append(QJsonObject{{"roleid", it.key()},
                                {"privs", privileges.join(u',')},
                                {"special", access.builtInRoles.contains(it.key()) ? 1 : 0}});
    }
    return ApiAnswer::ok(data);
}

ApiAnswer role(Call &call)
{
    const auto &access = call.world.access;
    const auto found = access.roles.find(call.text("roleid"));
    if (found == access.roles.end())
        return ApiAnswer::failed(missing("role", call.text("roleid")));
    QJsonObject data;
    for (const auto &privilege : *found)
        data.insert(privilege, 1);
    return ApiAnswer::ok(data);
}

std::optional<ApiAnswer> refusedPrivilege(const Call &call, const ClusterFile &file)
{
    for (const auto &privilege : call.given.list("privs"))
        if (!call.world.access.allPrivileges().contains(privilege))
            return file.failed(QStringLiteral("invalid privilege '%1'").arg(privilege));
    return std::nullopt;
}

ApiAnswer createRole(Call &call)
{
    const auto id = call.text("roleid");
    if (id.startsWith("PVE", Qt::CaseInsensitive))
        return ApiAnswer::invalid("roleid", "cannot use role ID starting with the (case-insensitive) 'PVE' namespace");
    const ClusterFile file(call, "file-user_cfg", "create role failed");
    if (auto refusal = file.refusal())
        return *refusal;
    if (call.world.access.roles.contains(id))
        return file.failed(QStringLiteral("role '%1' already exists").arg(id));
    if (auto refusal = refusedPrivilege(call, file))
        return *refusal;
    call.world.access.roles.insert(id, call.given.list("privs"));
    return ApiAnswer::ok();
}

ApiAnswer updateRole(Call &call)
{
    auto &access = call.world.access;
    const auto id = call.text("roleid");
    if (access.builtInRoles.contains(id))
        return ApiAnswer::failed(QStringLiteral("auto-generated role '%1' cannot be modified").arg(id));
    const ClusterFile file(call, "file-user_cfg", "update role failed");
    if (auto refusal = file.refusal())
        return *refusal;
    if (!access.roles.contains(id))
        return file.failed(missing("role", id));
    if (auto refusal = refusedPrivilege(call, file))
        return *refusal;
    auto privileges = call.flag("append") ? access.roles[id] : QStringList();
    privileges += call.given.list("privs");
    privileges.removeDuplicates();
    access.roles[id] = privileges;
    return ApiAnswer::ok();
}

ApiAnswer removeRole(Call &call)
{
    auto &access = call.world.access;
    const auto id = call.text("roleid");
    if (access.builtInRoles.contains(id))
        return ApiAnswer::failed(QStringLiteral("auto-generated role '%1' cannot be deleted").arg(id));
    const ClusterFile file(call, "file-user_cfg", "delete role failed");
    if (auto refusal = file.refusal())
        return *refusal;
    if (!access.roles.remove(id))
        return file.failed(missing("role", id));
    access.grants.erase(
        std::remove_if(access.grants.begin(), access.grants.end(), [&](const auto &grant) { return grant.role == id; }),
        access.grants.end());
    return ApiAnswer::ok();
}
} // namespace

void calls::addGroups(Routes &routes)
{
    routes.add("GET /access/groups", groups);
    routes.add("POST /access/groups", createGroup);
    routes.add("GET /access/groups/{groupid}", group);
    routes.add("PUT /access/groups/{groupid}", updateGroup);
    routes.add("DELETE /access/groups/{groupid}", removeGroup);
    routes.add("GET /access/roles", roles);
    routes.add("POST /access/roles", createRole);
    routes.add("GET /access/roles/{roleid}", role);
    routes.add("PUT /access/roles/{roleid}", updateRole);
    routes.add("DELETE /access/roles/{roleid}", removeRole);
}
