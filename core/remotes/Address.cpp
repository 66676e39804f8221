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

/// A host in the one form that is compared: lower case, IPv6 as QHostAddress writes it. Empty if it is none.
QString normalHost(const QString &host)
{
    if (host.contains(u':')) {
        const QHostAddress literal(host);
        return literal.protocol() == QAbstractSocket::IPv6Protocol ? literal.toString() : QString();
    }
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
