#pragma once
#include "base/Result.h"
#include <QJsonValue>
#include <QStringList>
#include <vector>

/// Where a server looks users up: "pam", "pve", a directory. Listed before anybody has signed in.
struct Realm {
    QString id, type, comment; ///< text from outside
    bool isDefault = false;    ///< the server preselects it
    bool wantsCode = false;    ///< every user of it has a second factor

    /// What GET /access/domains answers, the default first, then as the server lists them. Those that sign in through a
    /// browser (OpenID) are left out, since a password is no use there. Malformed if it is no list.
    static Result<std::vector<Realm>> listFrom(const QJsonValue &data);
    /// "root" and "pam" are "root@pam". What is typed with a realm of the list, "root@pve", is taken as it is; without
    /// a list, so is anything with an '@'.
    static QString fullUser(const QString &typed, const QString &realm, const QStringList &known);
};
