#include "simulator/api/BackupPrune.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/GuestVolumes.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
/// The volume of the path, which may stand there with or without its storage.
QString volumeId(const Call &call)
{
    const auto given = call.text("volume");
    const auto storage = call.text("storage");
    return given.contains(u':') || storage.isEmpty() ? given : storage + u':' + given;
}

ApiAnswer noSuchStorage(const QString &name)
{
    return ApiAnswer::failed(u"storage '%1' does not exist"_s.arg(name));
}

std::optional<ApiAnswer> refusedBackup(const Call &call, const Volume &volume)
{
    const auto storage = u"/storage/"_s + volume.storage;
    const auto guest = u"/vms/%1"_s.arg(volume.vmid);
    if (!call.may(storage, "Datastore.AllocateSpace"))
        return ApiAnswer::refused(storage + ", Datastore.AllocateSpace"_L1);
    if (volume.vmid && !call.may(guest, "VM.Backup"))
        return ApiAnswer::refused(guest + ", VM.Backup"_L1);
    return std::nullopt;
}

std::optional<ApiAnswer> refusedRemoval(const Call &call, const QString &storage, const Volume *volume)
{
    if (volume && volume->content == "backup"_L1)
        return refusedBackup(call, *volume);
    const auto path = u"/storage/"_s + storage;
    if (call.may(path, "Datastore.Allocate"))
        return std::nullopt;
    return ApiAnswer::refused(path + ", Datastore.Allocate"_L1);
}

ApiAnswer get(Call &call)
{
    const auto id = volumeId(call);
    const auto storage = GuestVolumes::storageOf(id);
    if (!call.world.storage(storage))
        return noSuchStorage(storage);
    const auto *volume = call.world.volume(id, call.node());
    if (!volume)
        return ApiAnswer::failed(u"volume '%1' does not exist"_s.arg(id));
    const auto path = u"/storage/"_s + storage;
    if (!call.may(path, "Datastore.Audit") && !call.may(path, "Datastore.AllocateSpace"))
        return ApiAnswer::refused(path + ", Datastore.Audit|Datastore.AllocateSpace"_L1);
    const bool disk = volume->content == "images"_L1 || volume->content == "rootdir"_L1;
    QJsonObject data{{"path"_L1, GuestVolumes::path(call.world, id)},
                     {"size"_L1, volume->size},
                     {"used"_L1, volume->used},
                     {"format"_L1, disk ? volume->format : u"raw"_s}};
    if (!volume->notes.isEmpty())
        data.insert("notes"_L1, volume->notes);
    if (volume->isProtected)
        data.insert("protected"_L1, 1);
    return ApiAnswer::ok(data);
}

ApiAnswer change(Call &call)
{
    const auto id = volumeId(call);
    auto *volume = call.world.volume(id, call.node());
    if (!call.world.storage(GuestVolumes::storageOf(id)))
        return noSuchStorage(GuestVolumes::storageOf(id));
    if (!volume)
        return ApiAnswer::failed(u"volume '%1' does not exist"_s.arg(id));
    if (auto refused = refusedRemoval(call, volume->storage, volume))
        return *refused;
    if (volume->content != "backup"_L1 && call.has("notes"))
        return ApiAnswer::failed(u"only backups can have notes"_s);
    if (volume->content != "backup"_L1 && call.has("protected"))
        return ApiAnswer::failed(u"only backups can be protected"_s);
    if (call.has("notes"))
        volume->notes = call.text("notes");
    if (call.has("protected"))
        volume->isProtected = call.flag("protected");
    return ApiAnswer::ok();
}

/// Why it cannot go, as the task says.
QString kept(const World &world, const Volume &volume)
{
    if (volume.isProtected)
        return u"cannot remove protected volume '%1' on '%2'"_s.arg(volume.id.section(u':', 1), volume.storage);
    for (const auto &other : world.volumes)
        if (other.id.startsWith(volume.id + u'/'))
            return u"base volume '%1' is still in use by linked cloned"_s.arg(volume.id.section(u':', 1));
    return {};
}

ApiAnswer remove(Call &call)
{
    const auto id = volumeId(call);
    const auto storage = GuestVolumes::storageOf(id);
    if (!call.world.storage(storage))
        return noSuchStorage(storage);
    auto &world = call.world;
    const auto node = call.node();
    const auto *volume = world.volume(id, node);
    if (auto refused = refusedRemoval(call, storage, volume))
        return *refused;
    TaskPlan plan;
    plan.node = node;
    plan.type = u"imgdel"_s;
    plan.id = volume && volume->vmid ? u"%1@%2"_s.arg(volume->vmid).arg(storage) : storage;
    plan.user = call.user();
    plan.duration = 400ms;
    plan.lines = {{300ms, u"Removed volume '%1'"_s.arg(id)}};
    plan.begin = [&world, id, node] {
        const auto *doomed = world.volume(id, node);
        return doomed ? kept(world, *doomed) : QString();
    };
    plan.finish = [&world, id, node] {
        world.removeVolume(id, node);
        return QString();
    };
    return GuestTasks::run(call, plan);
}

/// "64M", "2G" or KiB without a unit.
qint64 bytesOf(const QString &size)
{
    return size.isEmpty() || size.back().isLetter() ? Guest::bytesOfSize(size) : size.toLongLong() << 10;
}

ApiAnswer allocate(Call &call)
{
    const auto name = call.text("storage");
    const auto *storage = call.world.storage(name);
    if (!storage)
        return noSuchStorage(name);
    const auto file = call.text("filename");
    const auto format = call.given.text(u"format"_s, file.contains(u'.') ? file.section(u'.', -1) : u"raw"_s);
    const auto id = storage->isFileBased() ? u"%1:%2/%3"_s.arg(name, call.text("vmid"), file) : name + u':' + file;
    if (call.world.volume(id, call.node()))
        return ApiAnswer::failed(u"disk image '%1' already exists"_s.arg(GuestVolumes::path(call.world, id)));
    Volume volume;
    volume.id = id;
    volume.storage = name;
    volume.node = storage->shared ? QString() : call.node();
    volume.content = format == "subvol"_L1 ? u"rootdir"_s : u"images"_s;
    volume.format = format;
    volume.size = bytesOf(call.text("size"));
    volume.created = call.world.now();
    volume.vmid = call.text("vmid").toLongLong();
    call.world.volumes.push_back(volume);
    return ApiAnswer::ok(id);
}

std::optional<GuestKind> kindGiven(const Call &call)
{
    if (!call.has("type"))
        return std::nullopt;
    return call.text("type") == "qemu"_L1 ? GuestKind::Qemu : GuestKind::Lxc;
}

ApiAnswer pruned(Call &call)
{
    const auto *storage = call.world.storage(call.text("storage"));
    if (!storage)
        return noSuchStorage(call.text("storage"));
    QJsonArray rows;
    const BackupPrune prune(call.world, call.node(), *storage);
    for (const auto &mark : prune.marks(call.text("prune-backups"), kindGiven(call), call.text("vmid").toLongLong()))
        rows.append(QJsonObject{{"volid"_L1, mark.volume.id},
                                {"vmid"_L1, mark.volume.vmid},
                                {"ctime"_L1, mark.volume.created},
                                {"type"_L1, mark.volume.format.startsWith("vma"_L1) ? u"qemu"_s : u"lxc"_s},
                                {"mark"_L1, mark.mark}});
    return ApiAnswer::ok(rows);
}

ApiAnswer prune(Call &call)
{
    const auto name = call.text("storage");
    const auto *storage = call.world.storage(name);
    if (!storage)
        return noSuchStorage(name);
    const auto path = u"/storage/"_s + name;
    const bool ofOne = call.has("vmid") && call.may(path, "Datastore.AllocateSpace") &&
                       call.may(u"/vms/"_s + call.text("vmid"), "VM.Backup");
    if (!ofOne && !call.may(path, "Datastore.Allocate"))
        return ApiAnswer::refused(path + ", Datastore.Allocate"_L1);
    auto &world = call.world;
    const auto vmid = call.text("vmid").toLongLong();
    TaskPlan plan;
    plan.node = call.node();
    plan.type = u"prunebackups"_s;
    plan.id = vmid ? u"%1@%2"_s.arg(vmid).arg(name) : name;
    plan.user = call.user();
    plan.duration = 900ms;
    plan.finish = [&world, name, node = call.node(), keep = call.text("prune-backups"), kind = kindGiven(call), vmid] {
        if (const auto *still = world.storage(name))
            BackupPrune(world, node, *still).removeBeyond(keep, kind, vmid);
        return QString();
    };
    return GuestTasks::run(call, plan);
}
} // namespace

void calls::addVolumes(Routes &routes)
{
    routes.add("POST /nodes/{node}/storage/{storage}/content", allocate);
    routes.add("GET /nodes/{node}/storage/{storage}/content/{volume}", get);
    routes.add("PUT /nodes/{node}/storage/{storage}/content/{volume}", change);
    routes.add("DELETE /nodes/{node}/storage/{storage}/content/{volume}", remove);
    routes.add("GET /nodes/{node}/storage/{storage}/prunebackups", pruned);
    routes.add("DELETE /nodes/{node}/storage/{storage}/prunebackups", prune);
}
