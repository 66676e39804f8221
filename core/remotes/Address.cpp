#include "remotes/Address.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QHostAddress>
#include <QRegularExpression>
#include <QUrl>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Address)
};

Error refused(const QString &text, const QString &why)
{
    return {Error::Kind::Invalid,
            Text::tr("\"%1\" is not an address: %2").arg(DisplayText::visible(text.left(80)), why)};
}

/// Of a zone only what can be the name of an interface is taken, and only where one is needed: link-local.
QString normalLiteral(const QString &host)
{
    static const QRegularExpression zones(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._-]{0,30}\\z"));
    const QHostAddress literal(host.section(u'%', 0, 0));
    if (literal.protocol() != QAbstractSocket::IPv6Protocol)
        return {};
    if (!host.contains(u'%'))
        return literal.toString();
    auto zone = host.section(u'%', 1);
    if (zone.startsWith(QLatin1String("25")) && zone.size() > 2) // as in a URL
        zone.remove(0, 2);
    return literal.isLinkLocal() && zones.match(zone).hasMatch() ? literal.toString() + u'%' + zone : QString();
}

/// A host in the one form that is compared: lower case, IPv6 as QHostAddress writes it. Empty if it is none.
QString normalHost(const QString &host)
{
    if (host.contains(u':'))
        return normalLiteral(host);
    static const QRegularExpression allowed(
        QStringLiteral("\\A(?=.{1,253}\\z)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\\z"));
    auto name = host.endsWith(u'.') ? host.chopped(1) : host;
    name = QString::fromLatin1(QUrl::toAce(name.toLower()));
    return allowed.match(name).hasMatch() ? name : QString();
}

/// Takes scheme and path away; false if the scheme is not https or a user is named.
bool dropUrlParts(QString *text)
{
    if (const auto scheme = text->indexOf(QLatin1String("://")); scheme >= 0) {
        if (text->left(scheme).compare(QLatin1String("https"), Qt::CaseInsensitive) != 0)
            return false;
        text->remove(0, scheme + 3);
    }
    text->truncate(text->indexOf(u'/') < 0 ? text->size() : text->indexOf(u'/'));
    return !text->contains(u'@');
}
}

Result<Address> Address::from(const QString &text)
{
    auto rest = text.trimmed();
    if (!dropUrlParts(&rest))
        return refused(text, Text::tr("only https addresses without a user name are possible."));
    Address address;
    QString port;
    if (rest.startsWith(u'[')) {
        const auto end = rest.indexOf(u']');
        address.host = rest.mid(1, end - 1);
        port = rest.mid(end + 1);
        if (end < 0 || (!port.isEmpty() && !port.startsWith(u':')) || !address.host.contains(u':'))
            return refused(text, Text::tr("the brackets are not those of an IPv6 address."));
        port.remove(0, 1);
    } else if (rest.count(u':') == 1) {
        address.host = rest.section(u':', 0, 0);
        port = rest.section(u':', 1);
        if (port.isEmpty())
            return refused(text, Text::tr("the port is missing."));
    } else {
        address.host = rest;
    }
    address.host = normalHost(address.host);
    if (address.host.isEmpty())
        return refused(text, Text::tr("it has no valid host name."));
    if (port.isEmpty())
        return address;
    static const QRegularExpression digits(QStringLiteral("\\A[0-9]{1,5}\\z"));
    const auto number = port.toUInt();
    if (!digits.match(port).hasMatch() || number == 0 || number > 65535)
        return refused(text, Text::tr("the port goes from 1 to 65535."));
    address.port = static_cast<quint16>(number);
    return address;
}

QString Address::doubt(const QString &text)
{
    static const QRegularExpression port(QStringLiteral("\\A[1-9][0-9]{1,4}\\z"));
    const auto address = from(text);
    if (!address || text.contains(u'[') || !address->host.contains(u':'))
        return {};
    const auto typed = text.trimmed();
    const auto front = normalHost(typed.section(u':', 0, -2)), back = typed.section(u':', -1);
    if (front.isEmpty() || !port.match(back).hasMatch())
        return {};
    return Text::tr("This is read as the IPv6 address %1 with port %2. If %3 is meant as the port, write [%4]:%3.")
        .arg(address->host)
        .arg(address->port)
        .arg(back, front);
}

bool Address::isLoopback() const
{
    const QHostAddress literal(nameForServer());
    return host == QLatin1String("localhost") || host.endsWith(QLatin1String(".localhost")) ||
           (!literal.isNull() && literal.isLoopback());
}
