#include "pve/ProxyChoice.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QHostAddress>
#include <QRegularExpression>
#include <QUrl>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(ProxyChoice)
};

QString fromEnvironment(const char *lower, const char *upper)
{
    const auto text = qEnvironmentVariable(lower);
    return (text.isEmpty() ? qEnvironmentVariable(upper) : text).trimmed();
}

Error unusable(const QUrl &url)
{
    auto shown = url.toDisplayString(QUrl::RemoveUserInfo);
    if (!url.isValid())
        shown = QStringLiteral("…"); // it may hold a password anywhere
    return {Error::Kind::Invalid, Text::tr("The proxy %1 that this computer is set to can't be used. Nothing was sent. "
                                           "Labhelm knows HTTP and SOCKS5 proxies.")
                                      .arg(DisplayText::visible(shown.left(120)))};
}

bool fitsNetwork(const QString &entry, const QHostAddress &literal)
{
    const auto network = QHostAddress::parseSubnet(entry);
    return !literal.isNull() && network.second >= 0 && literal.isInSubnet(network);
}

bool fits(QString entry, const Address &address)
{
    const auto host = address.nameForServer();
    if (entry == QLatin1String("*"))
        return true;
    const QHostAddress literal(host);
    if (entry.contains(u'/'))
        return fitsNetwork(entry, literal);
    static const QRegularExpression withPort(QStringLiteral("\\A(\\[.*\\]|[^:]*):([0-9]+)\\z"));
    if (const auto match = withPort.match(entry); match.hasMatch()) {
        if (match.captured(2).toUInt() != address.port)
            return false;
        entry = match.captured(1);
    }
    if (entry.startsWith(u'[') && entry.endsWith(u']'))
        entry = entry.mid(1, entry.size() - 2);
    if (!literal.isNull())
        return QHostAddress(entry) == literal;
    while (entry.startsWith(u'*') || entry.startsWith(u'.'))
        entry.remove(0, 1);
    return !entry.isEmpty() && (host == entry || host.endsWith(u'.' + entry));
}

/// The desktop's own setting; what Qt can't follow is left out by it.
QNetworkProxy ofSystem(const Address &address)
{
    QUrl url;
    url.setScheme(QStringLiteral("https"));
    url.setHost(address.nameForServer());
    url.setPort(address.port);
    const auto found = QNetworkProxyFactory::systemProxyForQuery(QNetworkProxyQuery(url));
    for (const auto &proxy : found)
        if (proxy.type() == QNetworkProxy::HttpProxy || proxy.type() == QNetworkProxy::Socks5Proxy ||
            proxy.type() == QNetworkProxy::NoProxy)
            return proxy;
    return QNetworkProxy(QNetworkProxy::NoProxy);
}
}

Result<QNetworkProxy> ProxyChoice::to(const Address &address)
{
    const QNetworkProxy none(QNetworkProxy::NoProxy);
    if (address.isLoopback() || isExcluded(address, fromEnvironment("no_proxy", "NO_PROXY")))
        return none;
    auto set = fromEnvironment("https_proxy", "HTTPS_PROXY");
    if (set.isEmpty())
        set = fromEnvironment("all_proxy", "ALL_PROXY");
    return set.isEmpty() ? ofSystem(address) : fromText(set);
}

bool ProxyChoice::isExcluded(const Address &address, const QString &list)
{
    static const QRegularExpression between(QStringLiteral("[,\\s]+"));
    const auto entries = list.toLower().split(between, Qt::SkipEmptyParts);
    return std::any_of(entries.begin(), entries.end(), [&](const QString &entry) { return fits(entry, address); });
}

Result<QNetworkProxy> ProxyChoice::fromText(const QString &text)
{
    const QUrl url(text.contains(QLatin1String("://")) ? text : QLatin1String("http://") + text, QUrl::StrictMode);
    const auto scheme = url.scheme();
    const bool isSocks =
        scheme == QLatin1String("socks5") || scheme == QLatin1String("socks5h") || scheme == QLatin1String("socks");
    if (!url.isValid() || url.host().isEmpty() || (!isSocks && scheme != QLatin1String("http")))
        return unusable(url);
    QNetworkProxy proxy(isSocks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, url.host(),
                        static_cast<quint16>(url.port(isSocks ? 1080 : 3128)), url.userName(QUrl::FullyDecoded),
                        url.password(QUrl::FullyDecoded));
    return proxy;
}

QString ProxyChoice::text(const QNetworkProxy &proxy)
{
    if (proxy.type() != QNetworkProxy::HttpProxy && proxy.type() != QNetworkProxy::Socks5Proxy)
        return {};
    return DisplayText::visible(proxy.hostName().left(120)) + u':' + QString::number(proxy.port());
}
