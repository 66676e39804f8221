#include "simulator/api/CloudInit.h"
#include "simulator/schema/PropertyString.h"
#include <QCryptographicHash>
#include <QRegularExpression>
#include <QUrl>

using namespace Qt::StringLiterals;

bool CloudInit::hasDrive(const Guest &guest)
{
    return std::any_of(guest.config.begin(), guest.config.end(),
                       [](const QString &line) { return PropertyString::first(line).contains("-cloudinit"_L1); });
}

GuestConfig CloudInit::settings(const Guest &guest)
{
    static const QRegularExpression wanted(u"\\A(?:ci[a-z]+|ipconfig\\d+|nameserver|searchdomain|sshkeys|name)\\z"_s);
    GuestConfig kept;
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it)
        if (wanted.match(it.key()).hasMatch())
            kept[it.key()] = *it;
    return kept;
}

void CloudInit::remember(Guest &guest)
{
    if (!guest.cloudInitDrive && hasDrive(guest))
        guest.cloudInitDrive = settings(guest);
}

static QString userFile(const Guest &guest)
{
    const auto &config = guest.config;
    const auto fqdn = config.value(u"name"_s, u"VM%1"_s.arg(guest.vmid));
    auto text =
        u"#cloud-config\nhostname: %1\nmanage_etc_hosts: true\nfqdn: %2\n"_s.arg(fqdn.section(u'.', 0, 0), fqdn);
    if (config.contains(u"ciuser"_s))
        text += "user: "_L1 + config.value(u"ciuser"_s) + u'\n';
    // The file holds a hash; what was hashed is nobody's business.
    if (config.contains(u"cipassword"_s))
        text += "password: $5$simulated$"_L1 +
                QString::fromLatin1(
                    QCryptographicHash::hash(config.value(u"cipassword"_s).toUtf8(), QCryptographicHash::Sha256)
                        .toBase64()
                        .left(43)) +
                u'\n';
    const auto keys = QUrl::fromPercentEncoding(config.value(u"sshkeys"_s).toUtf8()).split(u'\n', Qt::SkipEmptyParts);
    if (config.contains(u"sshkeys"_s))
        text += "ssh_authorized_keys:\n"_L1;
    for (const auto &key : keys)
        text += "  - "_L1 + key + u'\n';
    text += "chpasswd:\n  expire: False\n"_L1;
    if (config.value(u"ciuser"_s) != "root"_L1)
        text += "users:\n  - default\n"_L1;
    return config.value(u"ciupgrade"_s) == u'0' ? text : text + "package_upgrade: true\n"_L1;
}

static QString netmask(int prefix)
{
    const quint32 bits = prefix <= 0 ? 0 : ~quint32(0) << (32 - std::min(prefix, 32));
    return u"%1.%2.%3.%4"_s.arg(bits >> 24).arg(bits >> 16 & 255).arg(bits >> 8 & 255).arg(bits & 255);
}

static QString subnets(const QString &line)
{
    const auto ip = PropertyString::value(line, u"ip"_s);
    const auto ip6 = PropertyString::value(line, u"ip6"_s);
    QString text;
    if (ip == "dhcp"_L1)
        text += "      - type: dhcp4\n"_L1;
    else if (!ip.isEmpty())
        text += u"      - type: static\n        address: '%1'\n        netmask: '%2'\n"_s.arg(
            ip.section(u'/', 0, 0), netmask(ip.section(u'/', 1).toInt()));
    if (const auto gateway = PropertyString::value(line, u"gw"_s); !gateway.isEmpty())
        text += u"        gateway: '%1'\n"_s.arg(gateway);
    if (ip6 == "dhcp"_L1)
        text += "      - type: dhcp6\n"_L1;
    else if (ip6 == "auto"_L1)
        text += "      - type: ipv6_slaac\n"_L1;
    else if (!ip6.isEmpty())
        text += u"      - type: static6\n        address: '%1'\n"_s.arg(ip6);
    return text;
}

static QString networkFile(const Guest &guest)
{
    static const QRegularExpression nic(u"\\Anet(\\d+)\\z"_s);
    static const QRegularExpression mac(u"(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}"_s);
    auto text = u"version: 1\nconfig:\n"_s;
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it) {
        const auto number = nic.match(it.key()).captured(1);
        const auto line = guest.config.value("ipconfig"_L1 + number);
        if (number.isEmpty() || line.isEmpty())
            continue;
        text += u"    - type: physical\n      name: eth%1\n      mac_address: '%2'\n      subnets:\n"_s.arg(
            number, mac.match(*it).captured(0).toLower());
        text += subnets(line);
    }
    const auto servers = guest.config.value(u"nameserver"_s).split(u' ', Qt::SkipEmptyParts);
    const auto domain = guest.config.value(u"searchdomain"_s);
    if (servers.isEmpty() && domain.isEmpty())
        return text;
    text += "    - type: nameserver\n"_L1;
    if (!servers.isEmpty())
        text += "      address:\n"_L1;
    for (const auto &server : servers)
        text += u"      - '%1'\n"_s.arg(server);
    return domain.isEmpty() ? text : text + u"      search:\n      - '%1'\n"_s.arg(domain);
}

QString CloudInit::file(const Guest &guest, const QString &type)
{
    if (type == "user"_L1)
        return userFile(guest);
    if (type == "network"_L1)
        return networkFile(guest);
    const auto both = (userFile(guest) + networkFile(guest)).toUtf8();
    return "instance-id: "_L1 + QString::fromLatin1(QCryptographicHash::hash(both, QCryptographicHash::Sha1).toHex()) +
           u'\n';
}
