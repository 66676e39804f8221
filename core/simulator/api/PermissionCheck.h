#pragma once
#include "simulator/access/Access.h"
#include "simulator/schema/ApiTable.h"

/// Judges a call by the check expression of the API table.
class PermissionCheck
{
public:
    PermissionCheck(const Access &access, const Identity &who, const Parameters &given)
        : m_access(access), m_who(who), m_given(given)
    {
    }
    /// nullopt = allowed; else what PVE puts in parentheses, perhaps nothing.
    std::optional<QString> refusal(const QJsonValue &permissions) const;

private:
    std::optional<QString> refusedBy(const QJsonArray &check) const;
    std::optional<QString> refusedByPrivileges(const QJsonArray &check) const;
    std::optional<QString> refusedForRealm(const QJsonArray &check) const;
    std::optional<QString> refusedForGroups(const QJsonArray &check) const;

    const Access &m_access;
    const Identity &m_who;
    const Parameters &m_given;
};
