#include "simulator/api/FirewallPlace.h"
#include <QRegularExpression>

static QString placeName(const Call &call)
{
    if (call.has("vmid"))
        return "guest/" + call.text("vmid");
    return call.has("node") ? "node/" + call.node() : QString("cluster");
}

FirewallPlace::FirewallPlace(const Call &call)
    : cluster(call.world.firewalls["cluster"]), own(call.world.firewalls[placeName(call)]),
      file(call, "firewall-" + (call.has("vmid")   ? call.text("vmid")
                                : call.has("node") ? call.node()
                                                   : "cluster")),
      rules(&own.rules)
{
    if (call.has("vmid")) {
        kind = Kind::Guest;
    } else if (call.has("node")) {
        kind = Kind::Node;
    } else if (call.endpoint.path.startsWith("/cluster/firewall/groups/")) {
        kind = Kind::Group;
        auto *group = Firewall::find(own.groups, call.text("group"));
        rules = group ? &group->entries : nullptr;
    }
}

int FirewallPlace::ipVersion(const QString &address)
{
    return address.contains(u':') ? 6 : 4;
}

const QStringList &FirewallRule::macros()
{
    static const auto all =
        QString("Amanda Auth BGP BitTorrent BitTorrent32 CVS Ceph Citrix DAAP DCC DHCPfwd DHCPv6 DNS Distcc FTP Finger "
                "GNUnet GRE Git HKP HTTP HTTPS ICPV2 ICQ IMAP IMAPS IPIP IPsec IPsecah IPsecnat IRC Jetdirect L2TP "
                "LDAP LDAPS MDNS MSNP MSSQL Mail Munin MySQL NNTP NNTPS NTP NeighborDiscovery OSPF OpenVPN PCA PMG "
                "POP3 POP3S PPtP Ping PostgreSQL Printer RDP RIP RNDC Razor Rdate Rsync SANE SMB SMBswat SMTP SMTPS "
                "SNMP SPAMD SPICEproxy SSH SVN SixXS Squid Submission Syslog TFTP Telnet Telnets Time Trcrt VNC VNCL "
                "Web Webcache Webmin Whois")
            .split(u' ');
    return all;
}

void FirewallRule::wrong(const char *parameter, const QString &text)
{
    if (m_errors.isEmpty())
        m_errors.insert(parameter, text);
}

QJsonObject FirewallRule::check()
{
    checkAction();
    checkInterface();
    checkMacro();
    if (text("proto") == "icmp")
        fixVersion(4);
    if (text("proto") == "icmpv6" || text("proto") == "ipv6-icmp")
        fixVersion(6);
    checkPorts();
    checkIcmp();
    checkAddress("source");
    checkAddress("dest");
    m_rule.remove("ipversion");
    if (m_version)
        m_rule.insert("ipversion", m_version);
    return m_errors;
}

void FirewallRule::checkAction()
{
    static const QRegularExpression name(QStringLiteral("\\A[A-Za-z][A-Za-z0-9\\-_]+\\z"));
    const auto type = text("type");
    const auto action = text("action");
    if (type == "group") {
        if (m_place.kind == FirewallPlace::Kind::Group)
            wrong("type", "security groups not allowed");
        if (!name.match(action).hasMatch())
            wrong("action", "invalid characters in security group name");
        else if (!Firewall::find(m_place.cluster.groups, action))
            wrong("action", QStringLiteral("no such security group '%1'").arg(action));
    } else if (action != "ACCEPT" && action != "DROP" && action != "REJECT") {
        wrong("action", QStringLiteral("unknown action '%1'").arg(action));
    }
}

void FirewallRule::checkInterface()
{
    static const QRegularExpression card(QStringLiteral("\\Anet\\d+\\z"));
    const auto name = text("iface");
    if (name.isEmpty())
        return;
    if (m_place.kind == FirewallPlace::Kind::Group)
        wrong("type", "parameter -i not allowed for this rule type");
    if (m_place.kind == FirewallPlace::Kind::Guest && !card.match(name).hasMatch())
        wrong("iface", "value does not match the regex pattern 'net\\d+'");
}

void FirewallRule::checkMacro()
{
    const auto given = text("macro");
    if (given.isEmpty())
        return;
    for (const auto &macro : macros())
        if (macro.compare(given, Qt::CaseInsensitive) == 0) {
            m_rule.insert("macro", macro);
            return;
        }
    wrong("macro", QStringLiteral("unknown macro '%1'").arg(given));
}

void FirewallRule::checkPorts()
{
    static const QStringList withPorts{"tcp", "udp", "udplite", "sctp", "dccp", "6", "17", "33", "132", "136"};
    const auto proto = text("proto");
    for (const auto *port : {"dport", "sport"}) {
        if (text(port).isEmpty())
            continue;
        const bool typeOfIcmp = port[0] == 'd' && (proto == "icmp" || proto == "icmpv6");
        if (proto.isEmpty() && text("macro").isEmpty())
            wrong("proto", QStringLiteral("missing property - '%1' requires this property").arg(QLatin1String(port)));
        else if (!proto.isEmpty() && !withPorts.contains(proto) && !typeOfIcmp)
            wrong(port, QStringLiteral("protocol '%1' does not support ports").arg(proto));
    }
}

void FirewallRule::checkIcmp()
{
    if (text("icmp-type").isEmpty())
        return;
    const auto proto = text("proto");
    if (proto != "icmp" && proto != "icmpv6" && proto != "ipv6-icmp")
        wrong("proto", "missing property - 'icmp-type' requires this property");
    if (!text("dport").isEmpty())
        wrong("icmp-type", "'icmp-type' cannot be specified together with 'dport'");
}

void FirewallRule::fixVersion(int version)
{
    if (m_version && version && m_version != version)
        wrong("source", "detected mixed ipv4/ipv6 addresses in rule");
    m_version = version;
}

// "+name" is a set, a word an alias; both may say whose they are.
void FirewallRule::checkAddress(const char *parameter)
{
    static const QRegularExpression word(QStringLiteral("\\A(?:dc/|guest/)?([A-Za-z][A-Za-z0-9\\-_]+)\\z"));
    auto value = text(parameter);
    if (value.isEmpty())
        return;
    const bool set = value.startsWith(u'+');
    const auto named = word.match(set ? value.mid(1) : value);
    if (!named.hasMatch()) {
        if (set)
            return wrong(parameter, QStringLiteral("invalid ipset name '%1'").arg(value));
        return fixVersion(FirewallPlace::ipVersion(value));
    }
    const auto name = named.captured(1);
    if (set) {
        if (!Firewall::find(m_place.own.sets, name) && !Firewall::find(m_place.cluster.sets, name))
            wrong(parameter, QStringLiteral("no such ipset '%1'").arg(name));
        return;
    }
    const auto *alias = m_place.own.alias(name);
    alias = alias ? alias : m_place.cluster.alias(name);
    if (!alias)
        return wrong(parameter, QStringLiteral("no such alias '%1'").arg(value));
    fixVersion(alias->value(QLatin1String("ipversion")).toInt());
}
