#pragma once
#include "base/Result.h"
#include "remotes/Address.h"
#include <QNetworkProxy>

/// Which proxy leads to an address.
namespace ProxyChoice
{
/// None for this computer itself and for what NO_PROXY names. Else what HTTPS_PROXY or ALL_PROXY say (in either case of
/// letters), else what the desktop is set to. Invalid: a setting that can't be followed; nothing may be sent then.
Result<QNetworkProxy> to(const Address &address);
/// NO_PROXY as programs agree on it: "*", names and their subdomains, addresses, networks "10.0.0.0/8", each perhaps
/// with ":port"; separated by commas or spaces.
bool isExcluded(const Address &address, const QString &list);
/// "http://user:password@host:3128", "socks5://host"; without a scheme it is HTTP.
Result<QNetworkProxy> fromText(const QString &text);
/// "proxy.lan:3128", for people: no user, no password. Empty if there is none.
QString text(const QNetworkProxy &proxy);
} // namespace ProxyChoice
