#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"
#include "simulator/schema/PropertyString.h"

using namespace std::chrono_literals;

namespace
{
QString sid(const Guest &guest)
{
    return (guest.isQemu() ? QStringLiteral("vm:") : QStringLiteral("ct:")) + QString::number(guest.vmid);
}

void purge(World &world, const Guest &guest)
{
    std::erase_if(world.ha, [&](const auto &resource) { return resource.sid == sid(guest); });
}

void destroy(World &world, const Guest &guest, bool alsoUnreferenced)
{
    QStringList referenced;
    const auto collect = [&](const GuestConfig &config) {
        for (const auto &value : config)
            referenced.append(PropertyString::first(value));
    };
    collect(guest.config);
    for (const auto &snapshot : guest.snapshots)
        collect(snapshot.config);
    std::erase_if(world.volumes, [&](const Volume &volume) {
        return volume.vmid == guest.vmid && volume.content != QLatin1String("backup") &&
               (alsoUnreferenced || referenced.contains(volume.id));
    });
    world.remove(guest.vmid);
}

/// The disks of a template stay while linked clones grow out of them.
QString usedByClones(const World &world, const Guest &guest)
{
    for (const auto &value : guest.config)
        for (const auto &volume : world.volumes)
            if (const auto base = PropertyString::first(value);
                base.contains(u':') && volume.id.startsWith(base + u'/') && volume.vmid != guest.vmid)
                return QStringLiteral("base volume '%1' is still in use by linked cloned").arg(base);
    return {};
}

ApiAnswer remove(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const auto number = QString::number(guest->vmid);
    if (guest->isProtected())
        return ApiAnswer::failed(
            QStringLiteral("can't remove %1 %2 - protection mode enabled").arg(guest->word(), number));
    if (call.world.haOf(*guest) && !call.flag("purge"))
        return ApiAnswer::failed(
            QStringLiteral("unable to remove %1 %2 - used in HA resources and purge parameter not set.")
                .arg(guest->word(), number));
    if (guest->isRunning() && guest->isQemu())
        return ApiAnswer::failed(QStringLiteral("VM %1 is running - destroy failed").arg(number));
    if (guest->isRunning() && !call.flag("force"))
        return ApiAnswer::failed(QStringLiteral("unable to destroy CT %1 - container is running").arg(number));
    auto plan = GuestTasks::plan(call, *guest, "qmdestroy", "vzdestroy", 3000ms);
    if (call.flag("purge"))
        plan.lines.append(
            {200ms, QStringLiteral("purging %1 %2 from related configurations..").arg(guest->word(), number)});
    plan.lines.append({800ms, QStringLiteral("destroy %1 %2 ...").arg(guest->word(), number)});
    auto &world = call.world;
    const auto vmid = guest->vmid;
    plan.begin = GuestTasks::later(world, vmid, [&world](Guest &gone) {
        const auto locked = GuestTasks::lockedText(gone);
        return locked.isEmpty() ? usedByClones(world, gone) : locked;
    });
    plan.finish = GuestTasks::later(world, vmid,
                                    [&world, purges = call.flag("purge"),
                                     unreferenced = call.flag("destroy-unreferenced-disks")](Guest &gone) -> QString {
                                        if (gone.isRunning() && gone.isQemu())
                                            return QStringLiteral("VM %1 is running - destroy failed").arg(gone.vmid);
                                        if (purges)
                                            purge(world, gone);
                                        destroy(world, gone, unreferenced);
                                        return {};
                                    });
    return GuestTasks::run(call, plan);
}
} // namespace

void calls::addGuestRemoval(Routes &routes)
{
    routes.addForGuests("DELETE /nodes/{node}/{kind}/{vmid}", remove);
}
