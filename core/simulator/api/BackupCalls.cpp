#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"
#include <QDateTime>

using namespace std::chrono_literals;

namespace
{
QString gib(double bytes)
{
    return QStringLiteral("%1 GiB").arg(bytes / double(1LL << 30), 0, 'f', 1);
}

QList<TaskPlan::Line> backupLines(const Guest &guest, const QString &storage, const QString &archive)
{
    const auto id = QString::number(guest.vmid);
    const auto disk = double(guest.diskBytes());
    QList<TaskPlan::Line> lines{
        {0ms, QStringLiteral("INFO: starting new backup job: vzdump %1 --storage %2 --mode snapshot --node %3")
                  .arg(id, storage, guest.node)},
        {100ms, QStringLiteral("INFO: Starting Backup of VM %1 (%2)").arg(id, guestKindName(guest.kind))},
        {300ms, QStringLiteral("INFO: status = ") +
                    (guest.isRunning() ? QStringLiteral("running") : QStringLiteral("stopped"))},
        {400ms, QStringLiteral("INFO: %1 Name: %2").arg(guest.word(), guest.name())},
        {500ms, QStringLiteral("INFO: creating vzdump archive '/mnt/pve/%1/dump/%2'").arg(storage, archive)},
    };
    for (int step = 1; step <= 10; ++step)
        lines.append({step * 4s, QStringLiteral("INFO: %1% (%2 of %3) in %4s, read: 256.0 MiB/s, write: 201.3 MiB/s")
                                     .arg(step * 10, 3)
                                     .arg(gib(disk * step / 10), gib(disk))
                                     .arg(step * 4)});
    lines.append({41s, QStringLiteral("INFO: archive file size: ") + gib(disk / 5)});
    lines.append({42s, QStringLiteral("INFO: Finished Backup of VM %1 (00:00:42)").arg(id)});
    lines.append({42s, QStringLiteral("INFO: Backup job finished successfully")});
    return lines;
}

TaskPlan failing(TaskPlan plan, const QString &storage)
{
    plan.duration = 300ms;
    plan.lines = {{0ms, QStringLiteral("INFO: starting new backup job: vzdump %1 --node %2 --storage %3")
                            .arg(plan.id, plan.node, storage)},
                  {100ms, QStringLiteral("ERROR: Backup of VM %1 failed - unable to find VM '%1'").arg(plan.id)},
                  {200ms, QStringLiteral("INFO: Backup job finished with errors")}};
    plan.finish = [] { return QStringLiteral("job errors"); };
    return plan;
}

QString archiveName(const World &world, const Guest &guest)
{
    const auto time = QDateTime::fromSecsSinceEpoch(world.now(), Qt::UTC);
    return QStringLiteral("vzdump-%1-%2-%3.%4")
        .arg(guestKindName(guest.kind))
        .arg(guest.vmid)
        .arg(time.toString(QStringLiteral("yyyy_MM_dd-HH_mm_ss")),
             guest.isQemu() ? QStringLiteral("vma.zst") : QStringLiteral("tar.zst"));
}

/// {{guestname}}, {{vmid}}, {{node}} and {{cluster}} stand for what they name.
QString notes(const World &world, const Guest &guest, QString text)
{
    text.replace(QLatin1String("{{guestname}}"), guest.name());
    text.replace(QLatin1String("{{vmid}}"), QString::number(guest.vmid));
    text.replace(QLatin1String("{{node}}"), guest.node);
    return text.replace(QLatin1String("{{cluster}}"), world.clusterName);
}

Volume archiveVolume(const World &world, const Guest &guest, const QString &storage, const QString &archive)
{
    Volume volume;
    volume.id = storage + QLatin1String(":backup/") + archive;
    volume.storage = storage;
    volume.node = world.storage(storage)->shared ? QString() : guest.node;
    volume.content = QStringLiteral("backup");
    volume.format = guest.isQemu() ? QStringLiteral("vma.zst") : QStringLiteral("tar.zst");
    volume.size = volume.used = guest.diskBytes() / 5;
    volume.created = world.now() - 43;
    volume.vmid = guest.vmid;
    return volume;
}

TaskPlan saving(TaskPlan plan, World &world, const Guest &guest, const QString &storage, const QString &noteTemplate)
{
    const auto archive = archiveName(world, guest);
    const auto vmid = guest.vmid;
    plan.duration = 43s;
    plan.lines = backupLines(guest, storage, archive);
    plan.begin = GuestTasks::later(world, vmid, [](Guest &saved) -> QString {
        if (!saved.lock().isEmpty())
            return QStringLiteral("job errors");
        saved.config.insert(QStringLiteral("lock"), QStringLiteral("backup"));
        return {};
    });
    plan.interrupted = GuestTasks::unlocking(world, vmid);
    plan.finish = [&world, vmid, storage, archive, noteTemplate]() -> QString {
        world.setConfig(vmid, QStringLiteral("lock"), {});
        if (const auto *saved = world.guest(vmid)) {
            world.volumes.push_back(archiveVolume(world, *saved, storage, archive));
            world.volumes.back().notes = notes(world, *saved, noteTemplate);
        }
        return {};
    };
    return plan;
}

ApiAnswer vzdump(Call &call)
{
    if (!call.has("vmid"))
        return ApiAnswer::invalid(QStringLiteral("vmid"), QStringLiteral("property is missing"));
    auto &world = call.world;
    const auto vmid = call.text("vmid").toLongLong();
    const auto storage = call.given.text(QStringLiteral("storage"), QStringLiteral("local"));
    if (!call.may(QStringLiteral("/vms/") + call.text("vmid"), "VM.Backup"))
        return ApiAnswer::refused(QStringLiteral("/vms/%1, VM.Backup").arg(vmid));
    if (!world.storage(storage))
        return ApiAnswer::failed(
            QStringLiteral("could not get storage information for '%1': storage '%1' does not exist").arg(storage));
    TaskPlan plan;
    plan.node = call.node();
    plan.type = QStringLiteral("vzdump");
    plan.id = call.text("vmid");
    plan.user = call.user();
    const auto *guest = world.guest(vmid);
    const bool here = guest && guest->node == call.node();
    return GuestTasks::run(call, here ? saving(plan, world, *guest, storage, call.text("notes-template"))
                                      : failing(plan, storage));
}
}

void calls::addBackup(Routes &routes)
{
    routes.add("POST /nodes/{node}/vzdump", vzdump);
}
