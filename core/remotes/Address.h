#pragma once
#include "base/Result.h"
#include <QString>

/// Where a node answers: a host and a port.
struct Address {
    QString host; ///< a name, or an IP literal without brackets; a link-local one may end with "%zone"
    quint16 port = 8006;

    /// "pve1", "pve1:8006", "2001:db8::1", "[2001:db8::1]:8006", also as a URL whose path is dropped. A colon-separated
    /// literal without brackets is all host. Invalid if it names no host, another scheme than https, or a user.
    static Result<Address> from(const QString &text);
    /// Why the text may mean another address than from() reads, in words; empty if it can't. "2001:db8::1:8006" is a
    /// literal as it stands, and looks as if its end were a port.
    static QString doubt(const QString &text);
    /// The host as people write it before a port: an IPv6 literal in brackets.
    QString urlHost() const { return host.contains(u':') ? u'[' + host + u']' : host; }
    /// The same as it stands in a URL, where the '%' of a zone is encoded (RFC 6874).
    QString encodedHost() const { return urlHost().replace(u'%', QLatin1String("%25")); }
    /// Without the zone, which names an interface of this computer and is nothing that the server knows.
    QString nameForServer() const { return host.section(u'%', 0, 0); }
    /// This computer itself.
    bool isLoopback() const;
    /// "host:port": the key of pins, one for every way to write the same address.
    QString key() const { return urlHost() + u':' + QString::number(port); }
    /// For people: "pve1" or "[2001:db8::1]:443"; the default port is left out.
    QString text() const { return port == 8006 ? host : urlHost() + u':' + QString::number(port); }
    bool operator==(const Address &) const = default;
};
