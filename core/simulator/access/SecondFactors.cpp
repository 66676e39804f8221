#include "simulator/access/SecondFactors.h"
#include <algorithm>

SecondFactors::Entry *SecondFactors::find(const QString &id)
{
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto &entry) { return entry.id == id; });
    return found == entries.end() ? nullptr : &*found;
}

bool SecondFactors::remove(const QString &id)
{
    const auto before = entries.size();
    entries.erase(std::remove_if(entries.begin(), entries.end(), [&](const auto &entry) { return entry.id == id; }),
                  entries.end());
    return entries.size() < before;
}

QJsonObject SecondFactors::challenge() const
{
    QJsonObject offered;
    for (const auto &entry : entries) {
        if (!entry.enabled)
            continue;
        if (entry.type == "totp" && !isLocked)
            offered.insert("totp", true);
        QJsonArray left;
        for (qsizetype i = 0; i < entry.codes.size(); ++i)
            if (!entry.codes[i].isEmpty())
                left.append(i);
        if (!left.isEmpty())
            offered.insert("recovery", left);
    }
    return offered;
}

bool SecondFactors::acceptTotp(const QString &code, qint64 now)
{
    if (isLocked)
        return false;
    for (auto &entry : entries) {
        const auto step = entry.type == "totp" && entry.enabled ? entry.totp.step(code, now) : std::nullopt;
        if (!step || *step <= entry.lastStep)
            continue;
        entry.lastStep = *step;
        m_wrong = 0;
        return true;
    }
    isLocked = ++m_wrong >= patience;
    return false;
}

bool SecondFactors::accept(const QString &response, qint64 now)
{
    if (response.startsWith("totp:"))
        return acceptTotp(response.mid(5), now);
    if (!response.startsWith("recovery:") || response.size() == 9)
        return false;
    for (auto &entry : entries)
        if (const auto at = entry.codes.indexOf(response.mid(9)); at >= 0 && entry.enabled) {
            entry.codes[at].clear();
            // Who has a recovery code may use the authenticator again.
            isLocked = false;
            m_wrong = 0;
            return true;
        }
    return false;
}

QJsonObject SecondFactors::row(const Entry &entry)
{
    QJsonObject row{
        {"id", entry.id}, {"type", entry.type}, {"description", entry.description}, {"created", entry.created}};
    if (!entry.enabled)
        row.insert("enable", 0);
    return row;
}

QJsonArray SecondFactors::rows() const
{
    QJsonArray all;
    for (const auto &entry : entries)
        all.append(row(entry));
    return all;
}
