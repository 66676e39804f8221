#include "simulator/api/CloudInit.h"
#include "simulator/api/ConfigValues.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace
{
QString shown(const QString &key, const QString &value)
{
    return key == "cipassword"_L1 ? u"**********"_s : value;
}

/// What the drive was made from, and what waits for it to be made again.
ApiAnswer changes(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const auto now = CloudInit::settings(*guest);
    const auto used = guest->cloudInitDrive.value_or(now);
    QJsonArray rows;
    for (auto it = used.begin(); it != used.end(); ++it) {
        QJsonObject row{{"key"_L1, it.key()}, {"value"_L1, shown(it.key(), *it)}};
        if (!now.contains(it.key()))
            row.insert("delete"_L1, 1);
        else if (now.value(it.key()) != *it)
            row.insert("pending"_L1, shown(it.key(), now.value(it.key())));
        rows.append(row);
    }
    for (auto it = now.begin(); it != now.end(); ++it)
        if (!used.contains(it.key()))
            rows.append(QJsonObject{{"key"_L1, it.key()}, {"pending"_L1, shown(it.key(), *it)}});
    return ApiAnswer::ok(rows);
}

ApiAnswer regenerate(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (const auto locked = GuestTasks::lockedText(*guest); !locked.isEmpty())
        return ApiAnswer::failed(locked);
    guest->cloudInitDrive.reset();
    return ApiAnswer::ok();
}

ApiAnswer dump(Call &call)
{
    const auto *guest = call.guest();
    return guest ? ApiAnswer::ok(CloudInit::file(*guest, call.text("type"))) : call.noSuchGuest();
}
} // namespace

void calls::addCloudInit(Routes &routes)
{
    routes.add("GET /nodes/{node}/qemu/{vmid}/cloudinit", changes);
    routes.add("PUT /nodes/{node}/qemu/{vmid}/cloudinit", regenerate);
    routes.add("GET /nodes/{node}/qemu/{vmid}/cloudinit/dump", dump);
}
