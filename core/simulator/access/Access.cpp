#include "simulator/access/Access.h"
#include <QCryptographicHash>
#include <QJsonDocument>
#include <QMessageAuthenticationCode>
#include <algorithm>

AccessUser::Token *AccessUser::token(const QString &name)
{
    const auto found =
        std::find_if(tokens.begin(), tokens.end(), [&](const auto &token) { return token.name == name; });
    return found == tokens.end() ? nullptr : &*found;
}

AccessUser *Access::user(const QString &id)
{
    const auto found = std::find_if(users.begin(), users.end(), [&](const auto &user) { return user.id == id; });
    return found == users.end() ? nullptr : &*found;
}

AccessGroup *Access::group(const QString &id)
{
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto &group) { return group.id == id; });
    return found == groups.end() ? nullptr : &*found;
}

AccessRealm *Access::realm(const QString &name)
{
    const auto found =
        std::find_if(realms.begin(), realms.end(), [&](const auto &realm) { return realm.name == name; });
    return found == realms.end() ? nullptr : &*found;
}

QStringList Access::groupsOf(const QString &user) const
{
    QStringList found;
    for (const auto &group : groups)
        if (group.users.contains(user))
            found.append(group.id);
    return found;
}

void Access::forgetGrants(const QString &who)
{
    grants.erase(
        std::remove_if(grants.begin(), grants.end(),
                       [&](const auto &grant) { return grant.who == who || grant.who.startsWith(who + u'!'); }),
        grants.end());
}

QString Access::signature(const QString &text) const
{
    const auto key = QByteArrayLiteral("simulated cluster key ") + QByteArray::number(m_generation);
    const auto mac = QMessageAuthenticationCode::hash(text.toUtf8(), key, QCryptographicHash::Sha256);
    return QString::fromLatin1(mac.toBase64(QByteArray::OmitTrailingEquals));
}

static QString hexTime(qint64 now)
{
    return QString::number(now, 16).toUpper().rightJustified(8, u'0');
}

QString Access::ticket(const QString &user, qint64 now) const
{
    const auto plain = QStringLiteral("PVE:") + user + u':' + hexTime(now);
    return plain + QLatin1String("::") + signature(plain) + QLatin1String("==");
}

QString Access::csrfToken(const QString &user, qint64 now) const
{
    return hexTime(now) + u':' + signature(QStringLiteral("csrf:") + hexTime(now) + u':' + user);
}

static bool isFresh(qint64 made, qint64 now)
{
    return now - made <= 2 * 3600 && made - now <= 300;
}

static bool isActive(const AccessUser *user, qint64 now)
{
    return user && user->enabled && (user->expire == 0 || user->expire >= now);
}

// The user's name is signed and not said.
QString Access::challengeTicket(const QString &id, qint64 now) const
{
    auto offered = QString::fromUtf8(QJsonDocument(user(id)->factors.challenge()).toJson(QJsonDocument::Compact));
    offered.replace(u':', "%3A");
    const auto plain = QStringLiteral("PVE:!tfa!") + offered + u':' + hexTime(now);
    return plain + QLatin1String("::") + signature(plain + u'@' + id) + QLatin1String("==");
}

bool Access::isChallengeTicket(const QString &ticket, const QString &id, qint64 now) const
{
    const auto plain = ticket.section(QLatin1String("::"), 0, 0);
    return plain.startsWith("PVE:!tfa!") && isFresh(plain.section(u':', -1).toLongLong(nullptr, 16), now) &&
           ticket == plain + QLatin1String("::") + signature(plain + u'@' + id) + QLatin1String("==");
}

QString Access::consoleTicket(const QString &who, const QString &path, int port, qint64 now) const
{
    const auto plain = QStringLiteral("PVEVNC:") + hexTime(now);
    return plain + QLatin1String("::") + signature(QStringLiteral("%1 %2 %3 %4").arg(plain, who, path).arg(port)) +
           QLatin1String("==");
}

bool Access::isConsoleTicket(const QString &ticket, const QString &who, const QString &path, int port, qint64 now) const
{
    const auto made = ticket.section(u':', 1, 1).toLongLong(nullptr, 16);
    return now - made <= 40 && made - now <= 300 && ticket == consoleTicket(who, path, port, made);
}

QString Access::newSecret()
{
    const auto hash =
        QCryptographicHash::hash("simulated secret " + QByteArray::number(++m_secrets), QCryptographicHash::Sha256);
    const auto hex = QString::fromLatin1(hash.toHex());
    return QStringLiteral("%1-%2-4%3-a%4-%5")
        .arg(hex.mid(0, 8), hex.mid(8, 4), hex.mid(12, 3), hex.mid(15, 3), hex.mid(18, 12));
}

std::optional<QString> Access::userOfTicket(const QString &ticket, qint64 now) const
{
    const auto plain = ticket.section(QLatin1String("::"), 0, 0);
    const auto parts = plain.split(u':');
    if (parts.size() != 3 || parts[0] != QLatin1String("PVE") ||
        ticket != plain + QLatin1String("::") + signature(plain) + QLatin1String("=="))
        return std::nullopt;
    const auto *owner = user(parts[1]);
    if (!isActive(owner, now) || !isFresh(parts[2].toLongLong(nullptr, 16), now))
        return std::nullopt;
    return parts[1];
}

bool Access::isCsrfToken(const QString &token, const QString &user, qint64 now) const
{
    const auto made = token.section(u':', 0, 0).toLongLong(nullptr, 16);
    return isFresh(made, now) && token == csrfToken(user, made);
}

std::optional<Identity> Access::identityOfToken(const QString &id, const QString &name, const QString &secret,
                                                qint64 now) const
{
    const auto *owner = user(id);
    if (!isActive(owner, now))
        return std::nullopt;
    for (const auto &token : owner->tokens)
        if (token.name == name && token.secret == secret && (token.expire == 0 || token.expire > now))
            return Identity{id, name};
    return std::nullopt;
}

bool Access::isPassword(const QString &id, const QString &password, qint64 now) const
{
    const auto *owner = user(id);
    if (!isActive(owner, now))
        return false;
    if (password.startsWith(QLatin1String("PVE:")))
        return userOfTicket(password, now) == id;
    return !owner->password.isEmpty() && owner->password == password;
}
