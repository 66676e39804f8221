#include "simulator/api/GuestAgent.h"
#include "simulator/api/Routes.h"
#include "simulator/schema/PropertyString.h"
#include <QJsonArray>

std::optional<ApiAnswer> GuestAgent::unreachable(const Guest &guest)
{
    if (!guest.hasAgent())
        return ApiAnswer::failed(QStringLiteral("No QEMU guest agent configured"));
    if (!guest.isRunning())
        return ApiAnswer::failed(QStringLiteral("VM %1 is not running").arg(guest.vmid));
    if (guest.run == Guest::Run::Paused || guest.silentAgent)
        return ApiAnswer::failed(QStringLiteral("QEMU guest agent is not running"));
    return std::nullopt;
}

ApiAnswer GuestAgent::result(const QJsonValue &value)
{
    return ApiAnswer::ok(QJsonObject{{QLatin1String("result"), value}});
}

ApiAnswer GuestAgent::failed(const QString &why)
{
    return ApiAnswer::failed(QStringLiteral("Agent error: ") + why);
}

ApiAnswer GuestAgent::ask(Call &call, ApiAnswer (*question)(Call &, Guest &))
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (auto refusal = unreachable(*guest))
        return *refusal;
    return question(call, *guest);
}

namespace
{
QString address(const Guest &guest)
{
    return QStringLiteral("192.168.1.%1").arg(guest.vmid % 250 + (guest.vmid % 250 < 75 ? 80 : -70));
}

QJsonObject ip(const char *type, const QString &text, const QJsonValue &prefix)
{
    return {{QLatin1String("ip-address-type"), QLatin1String(type)},
            {QLatin1String("ip-address"), text},
            {QLatin1String("prefix"), prefix}};
}

QJsonObject statistics(qint64 received, qint64 sent)
{
    return {{QLatin1String("rx-bytes"), received}, {QLatin1String("rx-packets"), received / 700},
            {QLatin1String("rx-errs"), 0},         {QLatin1String("rx-dropped"), 0},
            {QLatin1String("tx-bytes"), sent},     {QLatin1String("tx-packets"), sent / 500},
            {QLatin1String("tx-errs"), 0},         {QLatin1String("tx-dropped"), 0}};
}

ApiAnswer interfacesOfVm(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (auto refusal = GuestAgent::unreachable(*guest))
        return *refusal;
    const auto mac = guest->config.value(QStringLiteral("net0")).section(u'=', 1, 1).section(u',', 0, 0).toLower();
    const QJsonObject loopback{{QLatin1String("name"), QLatin1String("lo")},
                               {QLatin1String("hardware-address"), QLatin1String("00:00:00:00:00:00")},
                               {QLatin1String("ip-addresses"), QJsonArray{ip("ipv4", QStringLiteral("127.0.0.1"), 8),
                                                                          ip("ipv6", QStringLiteral("::1"), 128)}},
                               {QLatin1String("statistics"), statistics(0, 0)}};
    const QJsonObject ethernet{{QLatin1String("name"), QLatin1String("eth0")},
                               {QLatin1String("hardware-address"), mac},
                               {QLatin1String("ip-addresses"), QJsonArray{ip("ipv4", address(*guest), 24)}},
                               {QLatin1String("statistics"), statistics(7'340'032, 2'621'440)}};
    return ApiAnswer::ok(QJsonObject{{QLatin1String("result"), QJsonArray{loopback, ethernet}}});
}

ApiAnswer ping(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (auto refusal = GuestAgent::unreachable(*guest))
        return *refusal;
    return ApiAnswer::ok(QJsonObject{{QLatin1String("result"), QJsonObject()}});
}

QJsonObject containerInterface(const QString &name, const QString &mac, const QJsonArray &addresses)
{
    QJsonObject row{{QLatin1String("name"), name},
                    {QLatin1String("hwaddr"), mac},
                    {QLatin1String("hardware-address"), mac},
                    {QLatin1String("ip-addresses"), addresses}};
    for (const auto &each : addresses) {
        const auto object = each.toObject();
        row.insert(object.value(QLatin1String("ip-address-type")).toString(),
                   QString(object.value(QLatin1String("ip-address")).toString() + u'/' +
                           object.value(QLatin1String("prefix")).toString()));
    }
    return row;
}

ApiAnswer interfacesOfContainer(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (!guest->isRunning())
        return ApiAnswer::ok();
    const auto net = guest->config.value(QStringLiteral("net0"));
    const auto cidr = PropertyString::value(net, QStringLiteral("ip"));
    QJsonArray addresses;
    if (cidr.contains(u'/'))
        addresses.append(ip("inet", cidr.section(u'/', 0, 0), cidr.section(u'/', 1)));
    return ApiAnswer::ok(
        QJsonArray{containerInterface(QStringLiteral("lo"), QStringLiteral("00:00:00:00:00:00"),
                                      {ip("inet", QStringLiteral("127.0.0.1"), QStringLiteral("8")),
                                       ip("inet6", QStringLiteral("::1"), QStringLiteral("128"))}),
                   containerInterface(QStringLiteral("eth0"),
                                      PropertyString::value(net, QStringLiteral("hwaddr")).toLower(), addresses)});
}
} // namespace

void calls::addAgent(Routes &routes)
{
    routes.add("GET /nodes/{node}/qemu/{vmid}/agent/network-get-interfaces", interfacesOfVm);
    routes.add("POST /nodes/{node}/qemu/{vmid}/agent/ping", ping);
    routes.add("GET /nodes/{node}/lxc/{vmid}/interfaces", interfacesOfContainer);
}
