#include "simulator/access/Access.h"
#include <algorithm>

namespace
{
QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(u' ');
}

/// Those of `all` that begin with one of the words.
QStringList beginning(const QStringList &all, const char *starts)
{
    QStringList found;
    for (const auto &privilege : all)
        for (const auto &start : words(starts))
            if (privilege.startsWith(start) && !found.contains(privilege))
                found.append(privilege);
    return found;
}

QStringList known(const QStringList &all, const char *wanted)
{
    QStringList found;
    for (const auto &privilege : words(wanted))
        if (all.contains(privilege))
            found.append(privilege);
    return found;
}
} // namespace

void Access::useRelease(const Release &release)
{
    const auto &all = m_allPrivileges = release.privileges;
    roles = {
        {"Administrator", all},
        {"NoAccess", {}},
        {"PVEAuditor", known(all, "Datastore.Audit Mapping.Audit Pool.Audit SDN.Audit Sys.Audit VM.Audit "
                                  "VM.GuestAgent.Audit")},
        {"PVEDatastoreAdmin", beginning(all, "Datastore.")},
        {"PVEDatastoreUser", words("Datastore.AllocateSpace Datastore.Audit")},
        {"PVEMappingAdmin", beginning(all, "Mapping.")},
        {"PVEMappingUser", words("Mapping.Audit Mapping.Use")},
        {"PVEPoolAdmin", beginning(all, "Pool.")},
        {"PVEPoolUser", words("Pool.Audit")},
        {"PVESDNAdmin", beginning(all, "SDN.")},
        {"PVESDNUser", words("SDN.Audit SDN.Use")},
        {"PVESysAdmin", words("Sys.Audit Sys.Console Sys.Syslog")},
        {"PVETemplateUser", words("VM.Audit VM.Clone")},
        {"PVEUserAdmin", words("Group.Allocate Realm.AllocateUser User.Modify")},
        {"PVEVMAdmin", beginning(all, "VM.")},
        {"PVEVMUser", known(all, "VM.Audit VM.Backup VM.Config.CDROM VM.Config.Cloudinit VM.Console "
                                 "VM.GuestAgent.Audit VM.GuestAgent.FileRead VM.GuestAgent.FileSystemMgmt "
                                 "VM.GuestAgent.FileWrite VM.PowerMgmt")},
    };
    static const auto notForAdmin =
        words("Mapping.Modify Permissions.Modify Realm.Allocate Sys.AccessNetwork Sys.Incoming Sys.Modify "
              "Sys.PowerMgmt");
    for (const auto &privilege : all)
        if (!notForAdmin.contains(privilege))
            roles["PVEAdmin"].append(privilege);
    const auto names = roles.keys();
    builtInRoles = QSet<QString>(names.begin(), names.end());
    realms = {{"pam", "pam", {{"comment", "Linux PAM standard authentication"}, {"plugin", "PVE::Auth::PAM"}}},
              {"pve", "pve", {{"comment", "Proxmox VE authentication server"}}}};
}

bool Access::isMember(const QString &user, const QString &id) const
{
    const auto *found = group(id);
    return found && found->users.contains(user);
}

// What is granted further down replaces what comes from above; at one place what is granted to the user alone replaces
// what comes from groups.
QMap<QString, bool> Access::rolesAt(const QString &who, const QString &path) const
{
    QMap<QString, bool> found;
    qsizetype nearest = -1;
    for (const auto &grant : grants) {
        const bool direct = grant.who == who;
        if (!direct && !(grant.who.startsWith(u'@') && isMember(who, grant.who.mid(1))))
            continue;
        const bool here = grant.path == path;
        const bool above = grant.path == u'/' || path.startsWith(grant.path + u'/');
        if (!here && !(above && grant.propagate))
            continue;
        const auto rank = (grant.path == u'/' ? 0 : grant.path.size()) * 2 + (direct ? 1 : 0);
        if (rank < nearest)
            continue;
        if (rank > nearest)
            found.clear();
        nearest = rank;
        found.insert(grant.role, grant.propagate);
    }
    return found;
}

QMap<QString, bool> Access::heldRoles(const QString &who, const QString &path) const
{
    auto held = rolesAt(who, path);
    if (held.contains(QStringLiteral("NoAccess")))
        return {};
    if (const auto pool = poolOfPath.constFind(path); pool != poolOfPath.constEnd()) {
        const auto fromPool = rolesAt(who, QStringLiteral("/pool/") + *pool);
        for (auto it = fromPool.begin(); it != fromPool.end(); ++it)
            held.insert(it.key(), it.value());
    }
    return held;
}

QMap<QString, bool> Access::granted(const QString &who, const QString &path) const
{
    QMap<QString, bool> result;
    if (who == QLatin1String("root@pam")) {
        for (const auto &privilege : m_allPrivileges)
            result.insert(privilege, true);
        return result;
    }
    const auto held = heldRoles(who, path);
    for (auto it = held.begin(); it != held.end(); ++it)
        for (const auto &privilege : roles.value(it.key()))
            result[privilege] = result.value(privilege) || it.value();
    return result;
}

bool Access::isSeparated(const Identity &identity) const
{
    const auto *owner = identity.isToken() ? user(identity.user) : nullptr;
    return owner && std::any_of(owner->tokens.begin(), owner->tokens.end(), [&](const auto &token) {
               return token.name == identity.token && token.privilegeSeparated;
           });
}

QMap<QString, bool> Access::privileges(const Identity &identity, const QString &path) const
{
    auto result = granted(identity.user, path);
    if (!isSeparated(identity))
        return result;
    const auto own = granted(identity.full(), path);
    for (auto it = result.begin(); it != result.end();)
        it = own.contains(it.key()) ? std::next(it) : result.erase(it);
    return result;
}

bool Access::holds(const QString &who, const QString &path, const QString &privilege) const
{
    if (who == QLatin1String("root@pam"))
        return true;
    const auto held = heldRoles(who, path);
    for (auto it = held.begin(); it != held.end(); ++it)
        if (const auto role = roles.constFind(it.key()); role != roles.constEnd() && role->contains(privilege))
            return true;
    return false;
}

// Lists ask this for every row: no map of all privileges is made.
bool Access::may(const Identity &identity, const QString &path, const QString &privilege) const
{
    return holds(identity.user, path, privilege) && (!isSeparated(identity) || holds(identity.full(), path, privilege));
}

bool Access::mayAny(const Identity &identity, const QString &path, const QStringList &privileges) const
{
    return std::any_of(privileges.begin(), privileges.end(),
                       [&](const auto &privilege) { return may(identity, path, privilege); });
}

bool Access::mayGrant(const Identity &identity, const QString &path) const
{
    QStringList wanted{"Permissions.Modify"};
    for (const auto &[start, privilege] : {std::pair("/storage/", "Datastore.Allocate"),
                                           std::pair("/vms/", "VM.Allocate"), std::pair("/pool/", "Pool.Allocate")})
        if (path.startsWith(start))
            wanted.append(privilege);
    return mayAny(identity, path, wanted);
}

QStringList Access::knownPaths() const
{
    QStringList paths = words("/ /access /access/groups /access/realm /mapping /nodes /pool /sdn /storage /vms");
    for (const auto &grant : grants)
        paths.append(grant.path);
    paths += poolOfPath.keys();
    paths.removeDuplicates();
    paths.sort();
    return paths;
}
