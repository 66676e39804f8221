#pragma once
#include "simulator/access/SecondFactors.h"
#include "simulator/schema/Release.h"
#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

/// Who a request is from, once its ticket or token was accepted.
struct Identity {
    QString user;  ///< user@realm
    QString token; ///< name of the token; empty for a ticket
    QString full() const { return token.isEmpty() ? user : user + u'!' + token; }
    bool isToken() const { return !token.isEmpty(); }
    /// root@pam by ticket: what some settings ask for.
    bool isRoot() const { return user == QLatin1String("root@pam") && token.isEmpty(); }
};

/// A person or program that may sign in.
struct AccessUser {
    struct Token {
        QString name;
        QString secret;
        QString comment;
        bool privilegeSeparated = true;
        qint64 expire = 0;
    };
    QString id; ///< user@realm
    QString password;
    bool enabled = true;
    QString comment;
    QString email;
    QString firstName;
    QString lastName;
    QString keys; ///< "x" when a second factor is set up
    std::vector<Token> tokens;
    qint64 expire = 0; ///< seconds since the epoch; 0 = never
    SecondFactors factors;

    Token *token(const QString &name);
    QString realm() const { return id.section(u'@', -1); }
};

/// Users that are given rights together.
struct AccessGroup {
    QString id;
    QString comment;
    QStringList users;
};

/// Where users' passwords are looked up.
struct AccessRealm {
    QString name;
    QString type; ///< pam, pve, ldap, ad, openid
    QJsonObject options;
};

/// One entry of the access list.
struct AccessGrant {
    QString path;
    QString who; ///< user@realm, user@realm!token or @group
    QString role;
    bool propagate = true;
};

/// Users, tokens, tickets and what each may do. Knows nothing of HTTP.
class Access
{
public:
    std::vector<AccessUser> users;
    std::vector<AccessGroup> groups;
    std::vector<AccessRealm> realms;
    std::vector<AccessGrant> grants;
    /// Privileges by role; the built-in ones are there from the start.
    QMap<QString, QStringList> roles;
    QSet<QString> builtInRoles;
    /// Which pool a "/vms/N" or "/storage/S" belongs to is asked here, since pools give rights to their members.
    QMap<QString, QString> poolOfPath;

    Access() { useRelease(Release::of(9)); }
    /// Makes the built-in roles those of a release.
    void useRelease(const Release &release);
    AccessUser *user(const QString &id);
    const AccessUser *user(const QString &id) const { return const_cast<Access *>(this)->user(id); }
    AccessGroup *group(const QString &id);
    const AccessGroup *group(const QString &id) const { return const_cast<Access *>(this)->group(id); }
    AccessRealm *realm(const QString &name);
    QStringList groupsOf(const QString &user) const;
    /// Drops what was granted to a user, token or "@group"; a user's tokens go with it.
    void forgetGrants(const QString &who);

    /// A ticket "PVE:user:HEXTIME::signature" made now (seconds since the epoch).
    QString ticket(const QString &user, qint64 now) const;
    /// "PVE:!tfa!{…}:HEXTIME::signature": the password was right, a second factor is asked for.
    QString challengeTicket(const QString &user, qint64 now) const;
    bool isChallengeTicket(const QString &ticket, const QString &user, qint64 now) const;
    QString csrfToken(const QString &user, qint64 now) const;
    /// The user of a ticket that is genuine, at most 2 h old and at most 5 min ahead.
    std::optional<QString> userOfTicket(const QString &ticket, qint64 now) const;
    bool isCsrfToken(const QString &token, const QString &user, qint64 now) const;
    /// "PVEVNC:HEXTIME::signature" for a console of this caller at a path and port.
    QString consoleTicket(const QString &who, const QString &path, int port, qint64 now) const;
    bool isConsoleTicket(const QString &ticket, const QString &who, const QString &path, int port, qint64 now) const;
    /// `secret` is "UUID"; nullopt for unknown, disabled or expired ones.
    std::optional<Identity> identityOfToken(const QString &user, const QString &token, const QString &secret,
                                            qint64 now) const;
    /// Password or still valid ticket of the same user.
    bool isPassword(const QString &user, const QString &password, qint64 now) const;
    /// From now on every ticket made before is refused, as after the key was changed.
    void expireTickets() { ++m_generation; }
    /// A new secret in the form of a UUID; never the same twice.
    QString newSecret();

    /// Privileges at a path; the value says whether they go down to what lies below.
    QMap<QString, bool> privileges(const Identity &identity, const QString &path) const;
    bool may(const Identity &identity, const QString &path, const QString &privilege) const;
    bool mayAny(const Identity &identity, const QString &path, const QStringList &privileges) const;
    /// Whether grants at a path may be changed.
    bool mayGrant(const Identity &identity, const QString &path) const;
    /// Paths that grants speak of, and the usual top ones.
    QStringList knownPaths() const;
    const QStringList &allPrivileges() const { return m_allPrivileges; }

private:
    QMap<QString, bool> granted(const QString &who, const QString &path) const;
    QMap<QString, bool> heldRoles(const QString &who, const QString &path) const;
    bool holds(const QString &who, const QString &path, const QString &privilege) const;
    bool isSeparated(const Identity &identity) const;
    bool isMember(const QString &user, const QString &group) const;
    QMap<QString, bool> rolesAt(const QString &who, const QString &path) const;
    QString signature(const QString &text) const;

    QStringList m_allPrivileges;
    int m_generation = 0;
    int m_secrets = 0;
};
