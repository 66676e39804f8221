#include "simulator/schema/ValueFormats.h"
#include "simulator/schema/FirewallFormats.h"
#include <QHostAddress>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace
{
constexpr auto *hostName =
    "(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9\\-]*[a-zA-Z0-9])?)\\.)*(?:[A-Za-z0-9](?:[A-Za-z0-9\\-]*[A-Za-z0-9])?)";

bool isAddress(const QString &value, bool v4 = true, bool v6 = true)
{
    return ValueFormats::address(v4, v6, "x")(value).isEmpty();
}

bool isNetwork(const QString &value, bool v4, bool v6)
{
    bool ok = false;
    const auto prefix = value.section(u'/', 1).toInt(&ok);
    const auto ip = value.section(u'/', 0, 0);
    return ok && isAddress(ip, v4, v6) && prefix >= 0 && prefix <= (ip.contains(u':') ? 128 : 32);
}

/// Any of several checks is enough; the refusal is of its own.
FormatCheck either(std::function<bool(const QString &)> fits, const char *refusal)
{
    return [fits = std::move(fits), text = QString::fromLatin1(refusal)](const QString &value) {
        if (fits(value))
            return QString();
        return (text.contains(u'%') ? text.arg(value) : text) + u'\n';
    };
}

bool isHostOrAddress(const QString &value)
{
    static const QRegularExpression name(u"\\A(?:%1)\\z"_s.arg(QLatin1String(hostName)));
    return isAddress(value) || name.match(value).hasMatch();
}

/// keep-last=3,keep-daily=7 …
QString wrongPrune(const QString &value)
{
    static const QStringList counted{u"keep-last"_s,   u"keep-hourly"_s,  u"keep-daily"_s,
                                     u"keep-weekly"_s, u"keep-monthly"_s, u"keep-yearly"_s};
    for (const auto &part : value.split(u',', Qt::SkipEmptyParts)) {
        const auto key = part.section(u'=', 0, 0);
        const auto text = part.section(u'=', 1);
        bool ok = false;
        const auto number = text.toLongLong(&ok);
        if (key != "keep-all"_L1 && !counted.contains(key))
            return u"invalid key in comma-separated list property: %1\n"_s.arg(key);
        if (key == "keep-all"_L1 ? text != u'0' && text != u'1' : !ok || number < 0)
            return u"format error\nprune-backups.%1: type check ('%2') failed - got '%3'\n"_s.arg(
                key, key == "keep-all"_L1 ? u"boolean"_s : u"integer"_s, text);
    }
    return {};
}

/// "mon..fri 22:00", "*/15", "daily": the calendar events of systemd that PVE takes.
bool isCalendarEvent(const QString &value)
{
    static const auto day = u"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"_s;
    static const auto days = u"%1(?:(?:\\.\\.|,)%1)*"_s.arg(day);
    static const auto number = u"(?:\\*|\\d+(?:\\.\\.\\d+)?)(?:/\\d+)?"_s;
    static const auto numbers = u"%1(?:,%1)*"_s.arg(number);
    static const auto date = u"%1-%1(?:-%1)?"_s.arg(numbers);
    static const auto time = u"%1(?::%1){0,2}"_s.arg(numbers);
    static const QRegularExpression event(
        u"\\A(?i)(?:minutely|hourly|daily|weekly|monthly|yearly|annually|quarterly|semiannually|semi-annually|"
        "(?:%1\\s+)?(?:%2\\s+)?%3|(?:%1\\s+)?%2|%1)\\z"_s.arg(days, date, time));
    return event.match(value.trimmed()).hasMatch();
}

bool isCpuSet(const QString &value)
{
    for (const auto &part : value.split(u',')) {
        bool first = false;
        bool last = false;
        const auto from = part.section(u'-', 0, 0).toInt(&first);
        const auto to = part.contains(u'-') ? part.section(u'-', 1).toInt(&last) : from;
        if (!first || (part.contains(u'-') && !last) || to < from)
            return false;
    }
    return true;
}

bool isTimeZone(const QString &value)
{
    static const QRegularExpression zone(
        u"\\A(?:host|UTC|(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)"
        "/[A-Za-z_+\\-0-9/]+)\\z"_s);
    return zone.match(value).hasMatch();
}

QHash<QString, FormatCheck> addresses()
{
    using ValueFormats::address;
    return {
        {u"ip"_s, address(true, true, "value does not look like a valid IP address")},
        {u"ipv4"_s, address(true, false, "value does not look like a valid IPv4 address")},
        {u"ipv6"_s, address(false, true, "value does not look like a valid IPv6 address")},
        {u"lxc-ip-with-ll-iface"_s,
         either([](const QString &value) { return value == "host"_L1 || isAddress(value.section(u'%', 0, 0)); },
                "value does not look like a valid IP address")},
        {u"address"_s, either(isHostOrAddress, "value does not look like a valid address: %1")},
        {u"pve-storage-server"_s,
         either(isHostOrAddress, "value does not look like a valid server name or IP address")},
        {u"CIDR"_s, either([](const QString &value) { return isNetwork(value, true, true); },
                           "value does not look like a valid CIDR network")},
        {u"pve-ipv4-config"_s, either(
                                   [](const QString &value) {
                                       return value == "dhcp"_L1 || value == "manual"_L1 ||
                                              isNetwork(value, true, false);
                                   },
                                   "value does not look like a valid ipv4 network configuration")},
        {u"pve-ipv6-config"_s, either(
                                   [](const QString &value) {
                                       return value == "dhcp"_L1 || value == "manual"_L1 || value == "auto"_L1 ||
                                              isNetwork(value, false, true);
                                   },
                                   "value does not look like a valid ipv6 network configuration")},
    };
}

QHash<QString, FormatCheck> others()
{
    using ValueFormats::matches;
    return {
        {u"disk-size"_s, matches("\\d+(?:\\.\\d{1,3})?[KMGT]?", "value does not look like a valid disk size: %1")},
        {u"pve-lxc-mp-string"_s, matches("(?!.*/\\.\\.?(?:/|\\z)).*", "illegal character sequence for mount point")},
        {u"pve-lxc-dev-string"_s, matches("/dev/.+", "Invalid device path: %1")},
        {u"pve-storage-path"_s, matches("/.*", "value does not look like a valid absolute path")},
        {u"pve-storage-vgname"_s,
         matches("(?i)[a-z0-9](?:[a-z0-9\\-_.]*[a-z0-9])?", "lvm volume group name '%1' contains illegal characters")},
        {u"pve-volume-id-or-absolute-path"_s,
         matches("/.*|[A-Za-z][A-Za-z0-9\\-_.]*[A-Za-z0-9]:.+", "unable to parse volume ID '%1'")},
        {u"storage-pair"_s, matches("1|[A-Za-z][A-Za-z0-9\\-_.]*[A-Za-z0-9](?::[A-Za-z][A-Za-z0-9\\-_.]*[A-Za-z0-9])?",
                                    "storage-pair '%1' is not understood")},
        {u"pve-task-status-type"_s, matches("(?i)ok|error|warning|unknown", "invalid task status type '%1'")},
        {u"pve-day-of-week"_s, matches("mon|tue|wed|thu|fri|sat|sun", "invalid day '%1'")},
        {u"pve-hotplug-features"_s,
         matches("0|1|(?:network|disk|cpu|memory|usb|cloudinit)(?:,(?:network|disk|cpu|memory|usb|cloudinit))*",
                 "unable to parse hotplug option")},
        {u"pve-bridge-id"_s, matches("[-_.\\w\\d]+", "invalid bridge name '%1'")},
        {u"prune-backups"_s, wrongPrune},
        {u"pve-calendar-event"_s, either(isCalendarEvent, "unable to parse calendar event - %1")},
        {u"pve-cpuset"_s, either(isCpuSet, "invalid CPU list format: %1")},
        {u"pve-ct-timezone"_s, either(isTimeZone, "invalid time zone '%1'")},
    };
}
} // namespace

FormatCheck ValueFormats::matches(const char *pattern, const char *refusal)
{
    QRegularExpression expression(u"\\A(?:"_s + QString::fromLatin1(pattern) + u")\\z"_s);
    expression.optimize();
    return [expression, text = QString::fromLatin1(refusal)](const QString &value) {
        if (expression.match(value).hasMatch())
            return QString();
        return (text.contains(u'%') ? text.arg(value) : text) + u'\n';
    };
}

FormatCheck ValueFormats::address(bool v4, bool v6, const char *refusal)
{
    return [v4, v6, text = QString::fromLatin1(refusal)](const QString &value) {
        const QHostAddress parsed(value);
        const bool ok = (v4 && parsed.protocol() == QAbstractSocket::IPv4Protocol && value.count(u'.') == 3) ||
                        (v6 && parsed.protocol() == QAbstractSocket::IPv6Protocol);
        return ok ? QString() : text + u'\n';
    };
}

const QHash<QString, FormatCheck> &ValueFormats::checks()
{
    static const auto known = [] {
        auto all = addresses();
        all.insert(others());
        all.insert(FirewallFormats::checks());
        return all;
    }();
    return known;
}
