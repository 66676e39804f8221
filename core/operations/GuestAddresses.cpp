#include "operations/GuestAddresses.h"
#include "model/PveValue.h"
#include <QHostAddress>
#include <QRegularExpression>

namespace
{
/// "192.0.2.5/24" if it is an address that something can be reached at.
std::optional<QString> usable(const QString &text)
{
    const QHostAddress address(text.section(u'/', 0, 0));
    if (address.isNull() || address.isLoopback() || address == QHostAddress(QHostAddress::AnyIPv4) ||
        address == QHostAddress(QHostAddress::AnyIPv6))
        return std::nullopt;
    return text;
}

QStringList addressesOf(const QJsonObject &interface)
{
    QStringList told{interface[QLatin1String("inet")].toString(), interface[QLatin1String("inet6")].toString()};
    for (const auto &entry : interface[QLatin1String("ip-addresses")].toArray()) {
        const auto one = entry.toObject();
        auto text = one[QLatin1String("ip-address")].toString();
        if (const auto prefix = PveValue::integer(one, "prefix"))
            text += u'/' + QString::number(*prefix);
        told << text;
    }
    QStringList addresses;
    for (const auto &text : told)
        if (const auto address = usable(text); address && !addresses.contains(*address))
            addresses << *address;
    return addresses;
}
}

QJsonArray GuestAddresses::configured(const QJsonObject &config)
{
    static const QRegularExpression keys(QStringLiteral("^(net|ipconfig)[0-9]+$"));
    QJsonArray all;
    for (auto entry = config.begin(); entry != config.end(); ++entry) {
        if (!keys.match(entry.key()).hasMatch())
            continue;
        QJsonObject one;
        for (const auto &part : entry->toString().split(u',')) {
            const auto key = part.section(u'=', 0, 0);
            if (key == QLatin1String("ip") || key == QLatin1String("ip6") || key == QLatin1String("name"))
                one.insert(key, part.section(u'=', 1));
        }
        if (!one.contains(QLatin1String("ip")) && !one.contains(QLatin1String("ip6")))
            continue;
        one.insert(QStringLiteral("key"), entry.key());
        all.append(one);
    }
    return all;
}

QJsonArray GuestAddresses::present(const QJsonArray &interfaces)
{
    QJsonArray all;
    for (const auto &entry : interfaces) {
        const auto interface = entry.toObject();
        const auto name = interface[QLatin1String("name")].toString();
        if (name.isEmpty() || name == QLatin1String("lo"))
            continue;
        QJsonObject one{{QStringLiteral("name"), name},
                        {QStringLiteral("addresses"), QJsonArray::fromStringList(addressesOf(interface))}};
        if (const auto mac = interface[QLatin1String("hardware-address")].toString(); !mac.isEmpty())
            one.insert(QStringLiteral("mac"), mac);
        all.append(one);
    }
    return all;
}
