#include "simulator/schema/FirewallFormats.h"
#include <QHostAddress>
#include <QRegularExpression>

namespace
{
QString wrongNetwork(const QString &value)
{
    static const QRegularExpression shape(QStringLiteral("\\A([0-9A-Fa-f.:]+)(?:/(\\d+))?\\z"));
    const auto match = shape.match(value);
    const QHostAddress address(match.captured(1));
    if (!match.hasMatch() || address.isNull() || (!value.contains(u':') && match.captured(1).count(u'.') != 3))
        return QStringLiteral("value does not look like a valid IP address or CIDR network\n");
    const int bits = address.protocol() == QAbstractSocket::IPv6Protocol ? 128 : 32;
    if (match.captured(2).toInt() > bits)
        return QStringLiteral("Prefix length %1 is longer than IP address (%2)\n").arg(match.captured(2)).arg(bits);
    return {};
}

bool isAlias(const QString &value)
{
    static const QRegularExpression name(QStringLiteral("\\A(?:dc/|guest/)?[A-Za-z][A-Za-z0-9\\-_]+\\z"));
    return name.match(value).hasMatch();
}

QString wrongNetworkOrAlias(const QString &value)
{
    return isAlias(value) ? QString() : wrongNetwork(value);
}

/// One set, one alias, or addresses, networks and a range.
QString wrongAddresses(const QString &value)
{
    if (value.isEmpty() || value.startsWith(u'+') || isAlias(value))
        return {};
    for (const auto &element : value.split(u','))
        for (const auto &end : element.split(u'-'))
            if (end.isEmpty())
                return QStringLiteral("extraneous commas in list\n");
            else if (!wrongNetwork(end).isEmpty())
                return QStringLiteral("invalid IP address: Cannot determine IP version for %1\n").arg(end);
    return {};
}

QString wrongPorts(const QString &value)
{
    static const QRegularExpression name(QStringLiteral("\\A[A-Za-z][A-Za-z0-9\\-]*\\z"));
    if (value.isEmpty())
        return {};
    for (const auto &element : value.split(u','))
        for (const auto &port : element.split(u':')) {
            bool ok = false;
            if (const auto number = port.toInt(&ok); (ok && number <= 65535) || name.match(port).hasMatch())
                continue;
            return QStringLiteral("invalid port '%1'\n").arg(port);
        }
    return {};
}
} // namespace

QHash<QString, FormatCheck> FirewallFormats::checks()
{
    return {{"IPorCIDR", wrongNetwork},
            {"IPorCIDRorAlias", wrongNetworkOrAlias},
            {"pve-fw-addr-spec", wrongAddresses},
            {"pve-fw-dport-spec", wrongPorts},
            {"pve-fw-sport-spec", wrongPorts}};
}
