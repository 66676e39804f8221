#include "simulator/access/Access.h"
#include <algorithm>

namespace
{
QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(u' ');
}

const QStringList &vmPrivileges()
{
    static const auto all = words(
        "VM.Allocate VM.Audit VM.Backup VM.Clone VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk "
        "VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.Console VM.GuestAgent.Audit "
        "VM.GuestAgent.FileRead VM.GuestAgent.FileSystemMgmt VM.GuestAgent.FileWrite VM.GuestAgent.Unrestricted "
        "VM.Migrate VM.PowerMgmt VM.Replicate VM.Snapshot VM.Snapshot.Rollback");
    return all;
}
} // namespace

QStringList Access::allPrivileges()
{
    static const auto all = words("Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate "
                                  "Datastore.Audit Group.Allocate Mapping.Audit "
                                  "Mapping.Modify Mapping.Use Permissions.Modify Pool.Allocate Pool.Audit "
                                  "Realm.Allocate Realm.AllocateUser SDN.Allocate "
                                  "SDN.Audit SDN.Use Sys.AccessNetwork Sys.Audit Sys.Console Sys.Incoming Sys.Modify "
                                  "Sys.PowerMgmt Sys.Syslog User.Modify") +
                            vmPrivileges();
    return all;
}

Access::Access()
{
    roles = {
        {QStringLiteral("Administrator"), allPrivileges()},
        {QStringLiteral("NoAccess"), {}},
        {QStringLiteral("PVEAdmin"), {}},
        {QStringLiteral("PVEAuditor"),
         words("Datastore.Audit Mapping.Audit Pool.Audit SDN.Audit Sys.Audit VM.Audit VM.GuestAgent.Audit")},
        {QStringLiteral("PVEDatastoreAdmin"),
         words("Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate Datastore.Audit")},
        {QStringLiteral("PVEDatastoreUser"), words("Datastore.AllocateSpace Datastore.Audit")},
        {QStringLiteral("PVEMappingAdmin"), words("Mapping.Audit Mapping.Modify Mapping.Use")},
        {QStringLiteral("PVEMappingUser"), words("Mapping.Audit Mapping.Use")},
        {QStringLiteral("PVEPoolAdmin"), words("Pool.Allocate Pool.Audit")},
        {QStringLiteral("PVEPoolUser"), words("Pool.Audit")},
        {QStringLiteral("PVESDNAdmin"), words("SDN.Allocate SDN.Audit SDN.Use")},
        {QStringLiteral("PVESDNUser"), words("SDN.Audit SDN.Use")},
        {QStringLiteral("PVESysAdmin"), words("Sys.Audit Sys.Console Sys.Syslog")},
        {QStringLiteral("PVETemplateUser"), words("VM.Audit VM.Clone")},
        {QStringLiteral("PVEUserAdmin"), words("Group.Allocate Realm.AllocateUser User.Modify")},
        {QStringLiteral("PVEVMAdmin"), vmPrivileges()},
        {QStringLiteral("PVEVMUser"),
         words("VM.Audit VM.Backup VM.Config.CDROM VM.Config.Cloudinit VM.Console VM.GuestAgent.Audit "
               "VM.GuestAgent.FileRead VM.GuestAgent.FileSystemMgmt VM.GuestAgent.FileWrite VM.PowerMgmt")},
    };
    static const auto notForAdmin =
        words("Mapping.Modify Permissions.Modify Realm.Allocate Sys.AccessNetwork Sys.Incoming Sys.Modify "
              "Sys.PowerMgmt");
    for (const auto &privilege : allPrivileges())
        if (!notForAdmin.contains(privilege))
            roles[QStringLiteral("PVEAdmin")].append(privilege);
    for (auto it = roles.begin(); it != roles.end(); ++it)
        builtInRoles.insert(it.key());
}

QMap<QString, bool> Access::rolesAt(const QString &who, const QString &path) const
{
    QMap<QString, bool> found;
    qsizetype deepest = -1;
    for (const auto &grant : grants) {
        const bool here = grant.path == path;
        const bool above = grant.path == u'/' || path.startsWith(grant.path + u'/');
        if (grant.who != who || !(here || (above && grant.propagate)))
            continue;
        // What is granted further down replaces what comes from above.
        const auto depth = grant.path == u'/' ? 0 : grant.path.size();
        if (depth < deepest)
            continue;
        if (depth > deepest)
            found.clear();
        deepest = depth;
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
        for (const auto &privilege : allPrivileges())
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
