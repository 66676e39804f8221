#include "simulator/api/PermissionCheck.h"
#include <QJsonArray>

std::optional<QString> PermissionCheck::refusal(const QJsonValue &permissions) const
{
    if (m_who.isRoot() || permissions == QLatin1String("world") || permissions == QLatin1String("all"))
        return std::nullopt;
    if (!permissions.isArray())
        return permissions.isUndefined() ? QStringLiteral("user != root@pam") : QString();
    return refusedBy(permissions.toArray());
}

std::optional<QString> PermissionCheck::refusedBy(const QJsonArray &check) const
{
    const auto kind = check.at(0).toString();
    if (kind == QLatin1String("perm"))
        return refusedByPrivileges(check);
    if (kind == QLatin1String("perm-modify"))
        return m_access.mayGrant(m_who, m_given.text("path")) ? std::nullopt : std::optional(QString());
    if (kind == QLatin1String("userid-param"))
        return refusedForRealm(check);
    if (kind == QLatin1String("userid-group"))
        return refusedForGroups(check);
    const bool every = kind == QLatin1String("and");
    for (qsizetype i = 1; i < check.size(); ++i) {
        const auto inner = refusedBy(check.at(i).toArray());
        if (every && inner)
            return inner;
        if (!every && !inner)
            return std::nullopt;
    }
    return every ? std::nullopt : std::optional(QString());
}

std::optional<QString> PermissionCheck::refusedByPrivileges(const QJsonArray &check) const
{
    auto path = check.at(1).toString();
    for (const auto &name : m_given.names())
        path.replace(u'{' + name + u'}', m_given.text(name));
    bool any = false;
    for (qsizetype i = 3; i + 1 < check.size(); i += 2) {
        const auto option = check.at(i).toString();
        if (option == QLatin1String("any"))
            any = check.at(i + 1).toInt() == 1 || check.at(i + 1).toString() == u'1';
        if (option == QLatin1String("require_param") && !m_given.has(check.at(i + 1).toString()))
            return QString();
    }
    QStringList wanted;
    for (const auto &privilege : check.at(2).toArray())
        wanted.append(privilege.toString());
    const auto held = m_access.privileges(m_who, path);
    for (const auto &privilege : std::as_const(wanted)) {
        if (any && held.contains(privilege))
            return std::nullopt;
        if (!any && !held.contains(privilege))
            return path + QLatin1String(", ") + privilege;
    }
    return any ? std::optional(path + QLatin1String(", ") + wanted.join(u'|')) : std::nullopt;
}

std::optional<QString> PermissionCheck::refusedForRealm(const QJsonArray &check) const
{
    const auto asked = m_given.text("userid");
    const auto wanted = check.at(1).toString();
    // A token is not the user it belongs to.
    if (wanted == QLatin1String("self"))
        return m_who.full() == asked ? std::nullopt : std::optional(QString());
    const auto path = QStringLiteral("/access/realm/") + asked.section(u'@', -1);
    return m_access.may(m_who, path, wanted) ? std::nullopt : std::optional(path + QLatin1String(", ") + wanted);
}

std::optional<QString> PermissionCheck::refusedForGroups(const QJsonArray &check) const
{
    QStringList wanted;
    for (const auto &privilege : check.at(1).toArray())
        wanted.append(privilege.toString());
    const QString all = "/access/groups";
    if (m_access.mayAny(m_who, all, wanted))
        return std::nullopt;
    const auto purpose = check.at(2).toString() == QLatin1String("groups_param") ? check.at(3).toString() : QString();
    const auto named = m_given.list("groups");
    const auto missing = [&wanted](const QString &path) { return path + QLatin1String(", ") + wanted.join(u'|'); };
    if (purpose == QLatin1String("create") && named.isEmpty())
        return missing(all);
    if (!purpose.isEmpty())
        for (const auto &group : named)
            if (!m_access.mayAny(m_who, all + u'/' + group, wanted))
                return missing(all + u'/' + group);
    if (purpose == QLatin1String("create"))
        return std::nullopt;
    for (const auto &group : m_access.groupsOf(m_given.text("userid")))
        if (m_access.mayAny(m_who, all + u'/' + group, wanted))
            return std::nullopt;
    return QString();
}
