#pragma once
#include <QJsonArray>
#include <QJsonObject>

/// Reads which addresses a guest is to have and which it has. An address that nobody told is none: never a placeholder.
namespace GuestAddresses
{
/// Of a configuration: [{key, name, ip, ip6}] for each net and ipconfig; "dhcp", "auto", "manual" or an address.
QJsonArray configured(const QJsonObject &config);
/// Of what a container or an agent lists: [{name, mac, addresses: ["192.0.2.5/24"]}] without the loopback; from "inet"
/// and "inet6" or from "ip-addresses", whichever tells.
QJsonArray present(const QJsonArray &interfaces);
}
