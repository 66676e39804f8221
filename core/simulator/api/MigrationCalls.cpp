#include "simulator/api/GuestMigration.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
QJsonArray localDisks(const World &world, const Guest &guest)
{
    QJsonArray rows;
    for (const auto &disk : GuestMigration::disks(world, guest)) {
        if (disk.isShared)
            continue;
        rows.append(QJsonObject{{"volid"_L1, disk.volume},
                                {"size"_L1, disk.size},
                                {"shared"_L1, 0},
                                {"replicate"_L1, 1},
                                {"cdrom"_L1, disk.isCdrom ? 1 : 0},
                                {"is_unused"_L1, disk.isUnused ? 1 : 0},
                                {"is_attached"_L1, disk.isUnused ? 0 : 1},
                                {"is_cloudinit"_L1, disk.volume.contains("-cloudinit"_L1) ? 1 : 0},
                                {"is_tpmstate"_L1, disk.key == "tpmstate0"_L1 ? 1 : 0},
                                {"is_vmstate"_L1, 0},
                                {"drivename"_L1, disk.key}});
    }
    return rows;
}

ApiAnswer preconditionsOfVm(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    QJsonArray allowed;
    QJsonObject refused;
    for (const auto &node : call.world.nodes) {
        if (node.name == guest->node || !node.online)
            continue;
        const auto missing = GuestMigration::missingStorages(call.world, *guest, node.name);
        if (missing.isEmpty())
            allowed.append(node.name);
        refused.insert(node.name, missing.isEmpty()
                                      ? QJsonObject()
                                      : QJsonObject{{"unavailable_storages"_L1, QJsonArray::fromStringList(missing)}});
    }
    return ApiAnswer::ok(
        QJsonObject{{"running"_L1, guest->isRunning() ? 1 : 0},
                    {"allowed_nodes"_L1, allowed},
                    {"not_allowed_nodes"_L1, refused},
                    {"local_disks"_L1, localDisks(call.world, *guest)},
                    {"local_resources"_L1, QJsonArray::fromStringList(GuestMigration::localDevices(*guest))},
                    {"mapped-resources"_L1, QJsonArray()},
                    {"mapped-resource-info"_L1, QJsonObject()},
                    {"has-dbus-vmstate"_L1, 1}});
}

ApiAnswer preconditionsOfContainer(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    QJsonArray allowed;
    for (const auto &node : call.world.nodes)
        if (node.name != guest->node && node.online)
            allowed.append(node.name);
    return ApiAnswer::ok(QJsonObject{{"running"_L1, guest->isRunning() ? 1 : 0},
                                     {"allowed-nodes"_L1, allowed},
                                     {"not-allowed-nodes"_L1, QJsonObject()}});
}

std::optional<ApiAnswer> refusal(const Call &call, const Guest &guest)
{
    const auto target = call.text("target");
    if (target == guest.node)
        return ApiAnswer::invalid(u"target"_s, u"target is local node."_s);
    if (!call.world.quorate)
        return ApiAnswer::failed(u"cluster not ready - no quorum?"_s);
    if (!call.world.node(target))
        return ApiAnswer::failed(u"no such cluster node '%1'"_s.arg(target));
    if (const auto locked = GuestTasks::lockedText(guest); !locked.isEmpty())
        return ApiAnswer::failed(locked);
    if (!guest.isRunning() || call.world.haOf(guest))
        return std::nullopt;
    if (guest.isQemu() && !call.flag("online"))
        return ApiAnswer::failed(u"can't migrate running VM without --online"_s);
    if (!guest.isQemu() && !call.flag("online") && !call.flag("restart"))
        return ApiAnswer::failed(u"can't migrate running container without --online or --restart"_s);
    return std::nullopt;
}

/// The HA manager is asked; its agent on the node moves the guest some seconds later.
ApiAnswer askHa(Call &call, const Guest &guest, const GuestMigration &move)
{
    auto plan = GuestTasks::plan(call, guest, "hamigrate", "hamigrate", 1500ms);
    plan.lines = {
        {400ms,
         u"Requesting HA migration for %1 %2 to node %3"_s.arg(guest.word()).arg(guest.vmid).arg(call.text("target"))}};
    auto *world = &call.world;
    plan.finish = [world, move, vmid = guest.vmid] {
        world->after(8s, [world, move, vmid] {
            if (world->guest(vmid))
                world->run(move.plan(u"root@pam"_s));
        });
        return QString();
    };
    return GuestTasks::run(call, plan);
}

ApiAnswer migrate(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (auto refused = refusal(call, *guest))
        return *refused;
    GuestMigration move(call.world, *guest, call.text("target"));
    move.read(call);
    if (call.world.haOf(*guest))
        return askHa(call, *guest, move);
    return GuestTasks::run(call, move.plan(call.user()));
}
} // namespace

void calls::addMigration(Routes &routes)
{
    routes.add("GET /nodes/{node}/qemu/{vmid}/migrate", preconditionsOfVm);
    routes.add("GET /nodes/{node}/lxc/{vmid}/migrate", preconditionsOfContainer);
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/migrate", migrate);
}
