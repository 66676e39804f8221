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
        return m_access.may(m_who, m_given.text(QStringLiteral("path")), QStringLiteral("Permissions.Modify"))
                   ? std::nullopt
                   : std::optional(QString());
    if (kind == QLatin1String("userid-param") || kind == QLatin1String("userid-group"))
        return refusedForUser(check);
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

std::optional<QString> PermissionCheck::refusedForUser(const QJsonArray &check) const
{
    const auto asked = m_given.text(QStringLiteral("userid"));
    if (check.at(1).toString() == QLatin1String("self"))
        return m_who.full() == asked || m_who.user == asked ? std::nullopt : std::optional(QString());
    const auto path = check.at(0).toString() == QLatin1String("userid-param")
                          ? QStringLiteral("/access/realm/") + asked.section(u'@', -1)
                          : QStringLiteral("/access/groups");
    QStringList wanted;
    for (const auto &privilege : check.at(1).toArray())
        wanted.append(privilege.toString());
    if (check.at(1).isString())
        wanted.append(check.at(1).toString());
    for (const auto &privilege : std::as_const(wanted))
        if (m_access.may(m_who, path, privilege))
            return std::nullopt;
    return QString();
}
