#include "simulator/schema/Formats.h"
#include "simulator/schema/ValueFormats.h"
#include <QRegularExpression>

namespace
{
using ValueFormats::matches;

QString wrongBoot(const QString &value)
{
    static const QRegularExpression legacy(QStringLiteral("\\A(?:legacy=)?[acdn]{1,4}\\z"));
    static const QRegularExpression order(QStringLiteral("\\A(?:order=[a-z0-9]+(?:;[a-z0-9]+)*|order=)?\\z"));
    if (legacy.match(value).hasMatch() || order.match(value).hasMatch())
        return {};
    return QStringLiteral("format error\n");
}

constexpr auto *name =
    "(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9\\-]*[a-zA-Z0-9])?)\\.)*(?:[A-Za-z0-9](?:[A-Za-z0-9\\-]*[A-Za-z0-9])?)";

const QHash<QString, FormatCheck> &checks()
{
    static const QHash<QString, FormatCheck> known{
        {QStringLiteral("pve-vmid"), matches("[1-9][0-9]{2,8}", "value does not look like a valid VM ID")},
        {QStringLiteral("pve-node"),
         matches("(?i)[a-z0-9](?:[a-z0-9\\-]*[a-z0-9])?", "value does not look like a valid node name")},
        {QStringLiteral("pve-configid"), matches("(?i)[a-z][a-z0-9_-]+", "invalid configuration ID '%1'")},
        {QStringLiteral("pve-storage-id"),
         matches("(?i)[a-z][a-z0-9\\-_.]*[a-z0-9]", "storage ID '%1' contains illegal characters")},
        {QStringLiteral("pve-userid"),
         matches("[^\\s:/]+@[A-Za-z][A-Za-z0-9.\\-_]+", "value '%1' does not look like a valid user name")},
        {QStringLiteral("pve-tokenid"), matches("[^\\s:/]+@[A-Za-z][A-Za-z0-9.\\-_]+![A-Za-z][A-Za-z0-9.\\-_]+",
                                                "value '%1' does not look like a valid token ID")},
        {QStringLiteral("pve-realm"), matches("[A-Za-z][A-Za-z0-9.\\-_]+", "value does not look like a valid realm")},
        {QStringLiteral("pve-poolid"),
         matches("[A-Za-z0-9.\\-_]+(?:/[A-Za-z0-9.\\-_]+){0,2}", "pool name '%1' contains invalid characters")},
        {QStringLiteral("pve-groupid"), matches("[A-Za-z0-9.\\-_]+", "group name '%1' contains invalid characters")},
        {QStringLiteral("pve-roleid"), matches("[A-Za-z0-9.\\-_]+", "role name '%1' contains invalid characters")},
        {QStringLiteral("dns-name"), matches(name, "value does not look like a valid DNS name")},
        {QStringLiteral("mac-addr"),
         matches("(?i)[a-f0-9][02468ace](?::[a-f0-9]{2}){5}", "value does not look like a valid unicast MAC address")},
        {QStringLiteral("pve-tag"), matches("(?i)[a-z0-9_][a-z0-9_\\-+.]*", "invalid characters in tag")},
        {QStringLiteral("pve-startup-order"),
         matches("(?:(?:order=)?\\d+|up=\\d+|down=\\d+)(?:,(?:(?:order=)?\\d+|up=\\d+|down=\\d+))*",
                 "unable to parse startup options")},
        {QStringLiteral("pve-volume-id"),
         matches("[A-Za-z][A-Za-z0-9\\-_.]*[A-Za-z0-9]:.+", "unable to parse volume ID '%1'")},
        {QStringLiteral("pve-volume-id-or-qm-path"),
         matches("none|cdrom|/.*|[A-Za-z][A-Za-z0-9\\-_.]*[A-Za-z0-9]:.+", "unable to parse volume ID '%1'")},
        {QStringLiteral("pve-storage-content"),
         matches("images|rootdir|vztmpl|iso|backup|snippets|import|none", "invalid content type '%1'")},
        {QStringLiteral("pve-qm-boot"), wrongBoot},
        {QStringLiteral("email-opt"), matches("|\\S+@\\S+", "value does not look like a valid email address")},
        {QStringLiteral("urlencoded"), matches("[-%a-zA-Z0-9_.!~*'()]*", "invalid urlencoded string: %1")},
    };
    return known;
}

FormatCheck find(const QString &format)
{
    const auto own = checks().find(format);
    return own != checks().end() ? *own : ValueFormats::checks().value(format);
}
} // namespace

QString Formats::wrong(const QString &format, const QString &value)
{
    if (format.isEmpty())
        return {};
    if (const auto check = find(format))
        return check(value);
    if (!format.endsWith(QLatin1String("-list")))
        return {};
    static const QRegularExpression separators(QStringLiteral("[,;\\s\\x{0}]+"));
    const auto check = find(format.chopped(5));
    if (!check)
        return {};
    for (const auto &element : value.split(separators, Qt::SkipEmptyParts))
        if (auto text = check(element); !text.isEmpty())
            return text;
    return {};
}
