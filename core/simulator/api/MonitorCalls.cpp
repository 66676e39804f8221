#include "simulator/api/GuestVolumes.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace
{
ApiAnswer notRunning(const Guest &guest)
{
    return ApiAnswer::failed(u"VM %1 not running"_s.arg(guest.vmid));
}

ApiAnswer sendKey(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    return guest->isRunning() ? ApiAnswer::ok() : notRunning(*guest);
}

ApiAnswer monitor(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (!guest->isRunning())
        return notRunning(*guest);
    if (call.text("command") != "info status"_L1)
        return ApiAnswer::failed(u"The simulator does not answer this monitor command yet"_s, 501);
    const bool paused = guest->run == Guest::Run::Paused;
    return ApiAnswer::ok(paused ? u"VM status: paused\r\n"_s : u"VM status: running\r\n"_s);
}

bool has(const Call &call, const Guest &guest, const QString &feature)
{
    if (feature == "snapshot"_L1)
        return GuestVolumes::canSnapshot(call.world, guest);
    return feature != "clone"_L1 || guest.isTemplate();
}

ApiAnswer feature(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (call.has("snapname") && !guest->snapshot(call.text("snapname")))
        return ApiAnswer::failed(u"snapshot '%1' does not exist"_s.arg(call.text("snapname")));
    QJsonObject data{{"hasFeature"_L1, has(call, *guest, call.text("feature")) ? 1 : 0}};
    if (!guest->isQemu())
        return ApiAnswer::ok(data);
    QJsonArray nodes;
    bool shared = true;
    for (const auto &key : guest->diskKeys()) {
        const auto *storage = call.world.storage(GuestVolumes::storageOf(guest->config.value(key)));
        shared = shared && (!storage || storage->shared);
    }
    for (const auto &node : call.world.nodes)
        if (node.name == guest->node || shared)
            nodes.append(node.name);
    data.insert("nodes"_L1, nodes);
    return ApiAnswer::ok(data);
}
} // namespace

void calls::addMonitor(Routes &routes)
{
    routes.add("PUT /nodes/{node}/qemu/{vmid}/sendkey", sendKey);
    routes.add("POST /nodes/{node}/qemu/{vmid}/monitor", monitor);
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/feature", feature);
}
