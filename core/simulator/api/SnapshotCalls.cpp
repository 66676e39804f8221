#include "simulator/api/ConfigValues.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/GuestVolumes.h"
#include "simulator/api/Routes.h"
#include "simulator/schema/PropertyString.h"
#include <QJsonArray>

using namespace std::chrono_literals;

namespace
{
QString key(const char *name)
{
    return QLatin1String(name);
}

QString volumeOf(const Guest &guest, const QString &disk)
{
    return PropertyString::first(guest.config.value(disk));
}

ApiAnswer list(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    QJsonArray data;
    for (const auto &snapshot : guest->snapshots) {
        QJsonObject row{{QLatin1String("name"), snapshot.name},
                        {QLatin1String("description"), snapshot.config.value(key("description"))},
                        {QLatin1String("snaptime"), snapshot.time()}};
        if (guest->isQemu())
            row.insert(QLatin1String("vmstate"), snapshot.hasMemory() ? 1 : 0);
        if (!snapshot.parent().isEmpty())
            row.insert(QLatin1String("parent"), snapshot.parent());
        data.append(row);
    }
    QJsonObject here{{QLatin1String("name"), QLatin1String("current")},
                     {QLatin1String("description"), QLatin1String("You are here!")},
                     {QLatin1String("digest"), guest->digest()},
                     {QLatin1String("running"), guest->isRunning() ? 1 : 0}};
    if (const auto parent = guest->config.value(key("parent")); !parent.isEmpty())
        here.insert(QLatin1String("parent"), parent);
    data.append(here);
    return ApiAnswer::ok(data);
}

void store(World &world, Guest &guest, const QString &name, const QString &description, bool memory)
{
    GuestSnapshot snapshot;
    snapshot.name = name;
    snapshot.config = guest.config;
    snapshot.config.remove(key("lock"));
    for (const auto &disk : guest.diskKeys())
        if (disk.startsWith(QLatin1String("unused")))
            snapshot.config.remove(disk);
    snapshot.config[key("snaptime")] = QString::number(world.now());
    snapshot.config[key("description")] = description;
    if (memory) {
        snapshot.config[key("vmstate")] = QStringLiteral("local-zfs:vm-%1-state-%2").arg(guest.vmid).arg(name);
        snapshot.config[key("runningmachine")] = QStringLiteral("pc-i440fx-10.0+pve0");
        snapshot.config[key("runningcpu")] = QStringLiteral("kvm64,enforce,+kvm_pv_eoi,+kvm_pv_unhalt,+lahf_lm,+sep");
    }
    guest.snapshots.append(snapshot);
    guest.config[key("parent")] = name;
}

QList<TaskPlan::Line> memoryLines(const Guest &guest, std::chrono::milliseconds whole)
{
    QList<TaskPlan::Line> lines{{100ms, QStringLiteral("saving VM state and RAM using storage 'local-zfs'")}};
    const auto mib = double(guest.memoryBytes() >> 20) * 0.6;
    const auto seconds = std::max<qint64>(1, whole.count() / 1000 - 1);
    for (qint64 second = 1; second <= seconds; ++second)
        lines.append(
            {second * 1s,
             QStringLiteral("%1 MiB in %2s").arg(mib * double(second) / double(seconds), 0, 'f', 2).arg(second)});
    lines.append(
        {whole - 100ms,
         QStringLiteral("completed saving the VM state in %1s, saved %2 MiB").arg(seconds).arg(mib, 0, 'f', 2)});
    return lines;
}

ApiAnswer create(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const auto name = call.text("snapname");
    if (name == QLatin1String("current") || name == QLatin1String("pending"))
        return ApiAnswer::failed(QStringLiteral("unable to use snapshot name '%1' (reserved name)").arg(name));
    const bool memory = call.flag("vmstate") && guest->isQemu() && guest->isRunning();
    auto plan = GuestTasks::plan(call, *guest, "qmsnapshot", "vzsnapshot", memory ? 9000ms : 2200ms);
    if (memory)
        plan.lines = memoryLines(*guest, plan.duration - 500ms);
    for (const auto &disk : guest->diskKeys())
        if (guest->isQemu())
            plan.lines.append({plan.duration - 300ms,
                               QStringLiteral("snapshotting 'drive-%1' (%2)").arg(disk, volumeOf(*guest, disk))});
    auto &world = call.world;
    const auto vmid = guest->vmid;
    plan.begin = GuestTasks::later(world, vmid, [&world, name](Guest &taken) -> QString {
        if (const auto locked = GuestTasks::lockedText(taken); !locked.isEmpty())
            return locked;
        if (taken.snapshot(name))
            return QStringLiteral("snapshot name '%1' already used").arg(name);
        if (!GuestVolumes::canSnapshot(world, taken))
            return QStringLiteral("snapshot feature is not available");
        taken.config[key("lock")] = QStringLiteral("snapshot");
        return {};
    });
    plan.finish = GuestTasks::later(
        world, vmid, [&world, name, memory, description = call.text("description")](Guest &taken) -> QString {
            taken.config.remove(key("lock"));
            store(world, taken, name, description, memory);
            return {};
        });
    plan.interrupted = GuestTasks::unlocking(world, vmid);
    return GuestTasks::run(call, plan);
}

/// Children of a removed snapshot become those of its parent.
void forget(Guest &guest, const QString &name)
{
    if (!guest.snapshot(name))
        return;
    const auto parent = guest.snapshot(name)->parent();
    const auto adopt = [&](GuestConfig &config) {
        if (config.value(key("parent")) != name)
            return;
        if (parent.isEmpty())
            config.remove(key("parent"));
        else
            config[key("parent")] = parent;
    };
    for (auto &snapshot : guest.snapshots)
        adopt(snapshot.config);
    adopt(guest.config);
    guest.snapshots.removeIf([&](const auto &snapshot) { return snapshot.name == name; });
}

ApiAnswer remove(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const auto name = call.text("snapname");
    auto plan = GuestTasks::plan(call, *guest, "qmdelsnapshot", "vzdelsnapshot", 2400ms);
    auto &world = call.world;
    const auto vmid = guest->vmid;
    plan.begin = GuestTasks::later(world, vmid, [name](Guest &owner) -> QString {
        if (const auto locked = GuestTasks::lockedText(owner); !locked.isEmpty())
            return locked;
        if (!owner.snapshot(name))
            return QStringLiteral("snapshot '%1' does not exist").arg(name);
        owner.config[key("lock")] = QStringLiteral("snapshot-delete");
        return {};
    });
    // When it is stopped in the middle, the lock stays, as it does in PVE.
    plan.finish = GuestTasks::later(world, vmid, [name](Guest &owner) -> QString {
        owner.config.remove(key("lock"));
        forget(owner, name);
        return {};
    });
    return GuestTasks::run(call, plan);
}

/// ZFS can only go back to the newest snapshot.
QString blockedByNewer(const World &world, const Guest &guest, const GuestSnapshot &target)
{
    for (const auto &disk : guest.diskKeys()) {
        const auto volume = volumeOf(guest, disk);
        const auto *storage = world.storage(volume.section(u':', 0, 0));
        if (!storage || storage->keepsBranches())
            continue;
        for (const auto &other : guest.snapshots)
            if (other.time() > target.time())
                return QStringLiteral("can't rollback, '%1' is not most recent snapshot on '%2'")
                    .arg(target.name, volume.section(u':', 1));
    }
    return {};
}

void apply(Guest &guest, const GuestSnapshot &snapshot)
{
    GuestConfig next;
    if (guest.config.contains(key("description")))
        next[key("description")] = guest.config.value(key("description"));
    static const QStringList kept{key("snaptime"),    key("vmstate"),        key("lock"),
                                  key("description"), key("runningmachine"), key("runningcpu")};
    for (auto it = snapshot.config.begin(); it != snapshot.config.end(); ++it)
        if (!kept.contains(it.key()))
            next[it.key()] = it.value();
    next[key("parent")] = snapshot.name;
    guest.config = next;
    guest.pending.clear();
    guest.pendingDeletes.clear();
}

ApiAnswer rollback(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const auto name = call.text("snapname");
    auto plan = GuestTasks::plan(call, *guest, "qmrollback", "vzrollback", 4200ms);
    auto &world = call.world;
    const auto vmid = guest->vmid;
    plan.begin = GuestTasks::later(world, vmid, [&world, name](Guest &target) -> QString {
        const auto *snapshot = target.snapshot(name);
        if (!snapshot)
            return QStringLiteral("snapshot '%1' does not exist").arg(name);
        if (const auto blocked = blockedByNewer(world, target, *snapshot); !blocked.isEmpty())
            return blocked;
        if (const auto locked = GuestTasks::lockedText(target); !locked.isEmpty())
            return locked;
        target.config[key("lock")] = QStringLiteral("rollback");
        return {};
    });
    plan.finish = GuestTasks::later(world, vmid, [&world, name, start = call.flag("start")](Guest &target) -> QString {
        if (!target.snapshot(name))
            return QStringLiteral("snapshot '%1' does not exist").arg(name);
        const auto snapshot = *target.snapshot(name);
        if (target.isRunning())
            world.stop(target);
        apply(target, snapshot);
        if (snapshot.hasMemory() || start)
            world.start(target);
        return {};
    });
    return GuestTasks::run(call, plan);
}

ApiAnswer config(Call &call)
{
    const auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const auto *snapshot = guest->snapshot(call.text("snapname"));
    if (!snapshot)
        return ApiAnswer::failed(QStringLiteral("snapshot '%1' does not exist").arg(call.text("snapname")));
    return ApiAnswer::ok(ConfigValues(call.table, guest->kind).object(snapshot->config));
}

ApiAnswer setConfig(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (const auto locked = GuestTasks::lockedText(*guest); !locked.isEmpty())
        return ApiAnswer::failed(locked);
    auto *snapshot = guest->snapshot(call.text("snapname"));
    if (!snapshot)
        return ApiAnswer::failed(QStringLiteral("snapshot '%1' does not exist").arg(call.text("snapname")));
    if (call.has("description"))
        snapshot->config[key("description")] = call.text("description");
    return ApiAnswer::ok();
}

ApiAnswer index(Call &)
{
    return ApiAnswer::ok(QJsonArray{QJsonObject{{QLatin1String("cmd"), QLatin1String("rollback")}},
                                    QJsonObject{{QLatin1String("cmd"), QLatin1String("config")}}});
}
} // namespace

void calls::addSnapshots(Routes &routes)
{
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/snapshot", list);
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/snapshot", create);
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/snapshot/{snapname}", index);
    routes.addForGuests("DELETE /nodes/{node}/{kind}/{vmid}/snapshot/{snapname}", remove);
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/snapshot/{snapname}/config", config);
    routes.addForGuests("PUT /nodes/{node}/{kind}/{vmid}/snapshot/{snapname}/config", setConfig);
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/snapshot/{snapname}/rollback", rollback);
}
