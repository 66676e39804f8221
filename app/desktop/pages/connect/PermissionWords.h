#pragma once
#include <QJsonObject>
#include <QStringList>

/// What a sign-in may do, from PVE's /access/permissions, in words.
struct PermissionWords {
    QStringList may;    ///< "see all guests", "change some guests"
    QStringList mayNot; ///< "delete guests"
    bool isNothing = true;
    bool mayGrant = false; ///< somewhere it may give rights to others, and so to a token

    /// `permissions` is {path: {privilege: 1 if it goes down, else 0}}.
    static PermissionWords of(const QJsonObject &permissions);
    /// The command that lets this user or token see everything, to be run on a node. `user` is "user@realm!token" or
    /// "user@realm".
    static QString commandThatGrants(const QString &user);
};
