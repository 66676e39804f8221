#pragma once
#include "simulator/access/Totp.h"
#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>
#include <vector>

/// What a user must show beside the password: one-time passwords of an authenticator, and recovery codes.
class SecondFactors
{
public:
    /// One thing set up.
    struct Entry {
        QString id;
        QString type; ///< totp, recovery
        QString description;
        qint64 created = 0;
        bool enabled = true;
        Totp totp = {};
        qint64 lastStep = -1;   ///< a code is good once
        QStringList codes = {}; ///< recovery codes left; a used one is empty
    };
    /// After so many wrong codes in a row one-time passwords are no longer taken.
    static constexpr int patience = 8;

    std::vector<Entry> entries;
    bool isLocked = false; ///< until somebody unlocks the user

    bool isEmpty() const { return entries.empty(); }
    Entry *find(const QString &id);
    /// False when there was none of that id.
    bool remove(const QString &id);
    /// What would be accepted now: {"totp":true,"recovery":[0,1]}.
    QJsonObject challenge() const;
    /// "totp:123456" or "recovery:CODE" at a moment (seconds since the epoch). A right one is used up.
    bool accept(const QString &response, qint64 now);
    QJsonArray rows() const;
    static QJsonObject row(const Entry &entry);

private:
    bool acceptTotp(const QString &code, qint64 now);

    int m_wrong = 0;
};
