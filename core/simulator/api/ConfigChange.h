#pragma once
#include "simulator/api/Call.h"

/// One write to a guest's configuration: may it be, and what it does at once or at the next start.
class ConfigChange
{
public:
    ConfigChange(Call &call, Guest &guest);
    /// Why it cannot be, in the order PVE looks.
    std::optional<ApiAnswer> refusal() const;
    /// Writes, and applies what a running guest takes over at once.
    void apply();

private:
    std::optional<ApiAnswer> refusedOption() const;
    std::optional<ApiAnswer> refusedRight(const QString &key) const;
    std::optional<ApiAnswer> refusedVolume(const QString &key, const QString &value) const;
    QString completed(const QString &key, const QString &value);
    void removeKey(const QString &key);
    bool appliesAtOnce(const QString &key) const;

    Call &m_call;
    Guest &m_guest;
    GuestConfig m_values;
    QStringList m_deletes;
    QStringList m_reverts;
};
