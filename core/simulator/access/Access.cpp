#include "simulator/access/Access.h"
#include <QMessageAuthenticationCode>
#include <algorithm>

AccessUser *Access::user(const QString &id)
{
    const auto found = std::find_if(users.begin(), users.end(), [&](const auto &user) { return user.id == id; });
    return found == users.end() ? nullptr : &*found;
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

std::optional<QString> Access::userOfTicket(const QString &ticket, qint64 now) const
{
    const auto plain = ticket.section(QLatin1String("::"), 0, 0);
    const auto parts = plain.split(u':');
    if (parts.size() != 3 || parts[0] != QLatin1String("PVE") ||
        ticket != plain + QLatin1String("::") + signature(plain) + QLatin1String("=="))
        return std::nullopt;
    const auto *owner = user(parts[1]);
    if (!owner || !owner->enabled || !isFresh(parts[2].toLongLong(nullptr, 16), now))
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
    if (!owner || !owner->enabled)
        return std::nullopt;
    for (const auto &token : owner->tokens)
        if (token.name == name && token.secret == secret && (token.expire == 0 || token.expire > now))
            return Identity{id, name};
    return std::nullopt;
}

bool Access::isPassword(const QString &id, const QString &password, qint64 now) const
{
    const auto *owner = user(id);
    if (!owner || !owner->enabled)
        return false;
    if (password.startsWith(QLatin1String("PVE:")))
        return userOfTicket(password, now) == id;
    return !owner->password.isEmpty() && owner->password == password;
}
