#include "simulator/schema/LaterFields.h"
#include <QJsonArray>
#include <QJsonObject>

namespace
{
/// By the beginning of the path. Source: what the two schemas say of the returned values.
const QMap<QString, QStringList> &later()
{
    static const QStringList ofGuests{"memhost",        "pressurecpufull",    "pressurecpusome",   "pressureiofull",
                                      "pressureiosome", "pressurememoryfull", "pressurememorysome"};
    static const QMap<QString, QStringList> all{
        {"/cluster/resources", ofGuests},
        {"/pools", ofGuests},
        {"/nodes/{node}/lxc", ofGuests},
        {"/nodes/{node}/qemu", ofGuests + QStringList{"dependent-ha-resources", "has-dbus-vmstate"}}};
    return all;
}

QJsonValue stripped(const QStringList &names, const QJsonValue &data)
{
    if (data.isArray()) {
        QJsonArray rows;
        for (const auto &each : data.toArray())
            rows.append(stripped(names, each));
        return rows;
    }
    if (!data.isObject())
        return data;
    auto object = data.toObject();
    for (const auto &name : names)
        object.remove(name);
    if (object.contains(QLatin1String("members")))
        object[QLatin1String("members")] = stripped(names, object.value(QLatin1String("members")));
    return object;
}
} // namespace

QJsonValue LaterFields::without(const Release &release, const Endpoint &endpoint, const QJsonValue &data)
{
    if (release.major >= 9 || endpoint.method != QLatin1String("GET"))
        return data;
    for (auto it = later().begin(); it != later().end(); ++it)
        if (endpoint.path.startsWith(it.key()))
            return stripped(it.value(), data);
    return data;
}
