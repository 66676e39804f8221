#include "simulator/api/GuestTasks.h"
#include "simulator/api/GuestVolumes.h"
#include "simulator/api/Routes.h"
#include "simulator/schema/PropertyString.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
std::optional<ApiAnswer> refusedWrite(const Call &call, const Guest &guest)
{
    if (!call.world.quorate)
        return ApiAnswer::failed(u"cluster not ready - no quorum?"_s);
    if (call.has("digest") && call.text("digest") != guest.digest())
        return ApiAnswer::failed(u"checksum mismatch (file change by other user?)"_s);
    if (const auto locked = GuestTasks::lockedText(guest); !locked.isEmpty() && !call.flag("skiplock"))
        return ApiAnswer::failed(locked);
    return std::nullopt;
}

/// "+2G" adds, "32G" sets.
qint64 wantedSize(const QString &wish, qint64 now)
{
    return wish.startsWith(u'+') ? now + Guest::bytesOfSize(wish.mid(1)) : Guest::bytesOfSize(wish);
}

std::optional<ApiAnswer> refusedResize(const Call &call, const Guest &guest, const QString &disk)
{
    if (auto refused = refusedWrite(call, guest))
        return refused;
    const auto line = guest.config.value(disk);
    if (line.isEmpty())
        return ApiAnswer::failed(
            (guest.isQemu() ? u"disk '%1' does not exist"_s : u"volume does not exist: %1"_s).arg(disk));
    if (line.contains("media=cdrom"_L1))
        return ApiAnswer::failed(u"can't resize a cdrom"_s);
    const auto volume = GuestVolumes::in(line);
    if (auto refused = GuestVolumes::refusedSpace(call, GuestVolumes::storageOf(volume)))
        return refused;
    return std::nullopt;
}

ApiAnswer resize(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const auto disk = call.text("disk");
    if (auto refused = refusedResize(call, *guest, disk))
        return *refused;
    auto &world = call.world;
    auto plan = GuestTasks::plan(call, *guest, "resize", "resize", 700ms);
    plan.begin = GuestTasks::later(world, guest->vmid, [disk, wish = call.text("size")](Guest &owner) {
        const auto now = Guest::bytesOfSize(PropertyString::value(owner.config.value(disk), u"size"_s));
        return wantedSize(wish, now) < now
                   ? (owner.isQemu() ? u"shrinking disks is not supported"_s : u"unable to shrink disk size"_s)
                   : QString();
    });
    plan.finish = GuestTasks::later(world, guest->vmid, [&world, disk, wish = call.text("size")](Guest &owner) {
        auto &line = owner.config[disk];
        const auto bytes = wantedSize(wish, Guest::bytesOfSize(PropertyString::value(line, u"size"_s)));
        line = PropertyString::with(line, u"size"_s, Guest::sizeOfBytes(bytes));
        if (auto *volume = world.volume(GuestVolumes::in(line), owner.node))
            volume->size = bytes;
        return QString();
    });
    return GuestTasks::run(call, plan);
}

QString diskKey(const Call &call)
{
    return call.text(call.kind() == GuestKind::Qemu ? "disk" : "volume");
}

std::optional<ApiAnswer> refusedMove(const Call &call, const Guest &guest, const QString &disk)
{
    if (auto refused = GuestVolumes::refusedStorage(call, guest.kind, call.text("storage")))
        return refused;
    if (auto refused = refusedWrite(call, guest))
        return refused;
    const auto line = guest.config.value(disk);
    if (line.isEmpty())
        return ApiAnswer::failed(
            (guest.isQemu() ? u"disk '%1' does not exist"_s : u"volume '%1' does not exist"_s).arg(disk));
    if (guest.isQemu() && line.contains("media=cdrom"_L1) && !line.contains("cloudinit"_L1))
        return ApiAnswer::failed(u"you can't move a cdrom"_s);
    if (!guest.isQemu() && guest.isRunning())
        return ApiAnswer::failed(u"cannot move volumes of a running container"_s);
    const auto volume = GuestVolumes::in(line);
    const auto format = volume.contains(u'.') ? volume.section(u'.', -1) : u"raw"_s;
    const bool same = GuestVolumes::storageOf(volume) == call.text("storage");
    if (same && (!call.has("format") || call.text("format") == format))
        return ApiAnswer::failed(guest.isQemu() ? u"you can't move to the same storage with same format"_s
                                                : u"Cannot move volume '%1' to the same storage"_s.arg(disk));
    for (const auto &snapshot : guest.snapshots)
        if (call.flag("delete") && GuestVolumes::in(snapshot.config.value(disk)) == volume)
            return ApiAnswer::failed(u"you can't move disk '%1' with snapshots and delete the source"_s.arg(disk));
    return std::nullopt;
}

QList<TaskPlan::Line> moveLines(const QString &disk, const QString &storage, qint64 bytes,
                                std::chrono::milliseconds whole)
{
    QList<TaskPlan::Line> lines{{0ms, u"create full clone of drive %1 (%2)"_s.arg(disk, storage)}};
    const auto gib = double(bytes) / double(1LL << 30);
    for (int part = 1; part <= 10; ++part)
        lines.append({whole * part / 11, u"transferred %1 GiB of %2 GiB (%3%)"_s.arg(gib * part / 10, 0, 'f', 1)
                                             .arg(gib, 0, 'f', 1)
                                             .arg(part * 10.0, 0, 'f', 2)});
    return lines;
}

/// The source becomes unused, or goes when that was asked for.
void moveDisk(World &world, Guest &guest, const QString &disk, const QString &storage, const QString &format, bool drop)
{
    const auto old = guest.config.value(disk);
    const auto volume = GuestVolumes::in(old);
    guest.config[disk] = GuestVolumes::copied(world, guest, old, guest, storage, format);
    if (drop)
        world.removeVolume(volume, guest.node);
    else
        guest.config[GuestVolumes::unusedKey(guest)] = volume;
}

ApiAnswer move(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const auto disk = diskKey(call);
    if (call.has("target-vmid"))
        return ApiAnswer::failed(u"The simulator does not answer a move to another guest yet"_s, 501);
    if (!call.has("storage"))
        return ApiAnswer::invalid({{u"storage"_s, u"either storage or target-vmid is required"_s}});
    if (auto refused = refusedMove(call, *guest, disk))
        return *refused;
    const auto size = Guest::bytesOfSize(PropertyString::value(guest->config.value(disk), u"size"_s));
    auto &world = call.world;
    auto plan = GuestTasks::plan(call, *guest, "qmmove", "move_volume", 2s + (size >> 30) * 300ms);
    plan.lines = moveLines(disk, GuestVolumes::in(guest->config.value(disk)), size, plan.duration);
    plan.begin = GuestTasks::later(world, guest->vmid, [](Guest &owner) {
        owner.config[u"lock"_s] = u"disk"_s;
        return QString();
    });
    plan.interrupted = GuestTasks::unlocking(world, guest->vmid);
    plan.finish = GuestTasks::later(world, guest->vmid,
                                    [&world, disk, storage = call.text("storage"), format = call.text("format"),
                                     drop = call.flag("delete")](Guest &owner) {
                                        owner.config.remove(u"lock"_s);
                                        moveDisk(world, owner, disk, storage, format, drop);
                                        return QString();
                                    });
    return GuestTasks::run(call, plan);
}

/// Takes a disk off; an unused one, or any with force, is deleted.
void unlinkOne(World &world, Guest &guest, const QString &key, bool force)
{
    if (!guest.config.contains(key) || !Guest::isDiskKey(key))
        return;
    const auto volume = GuestVolumes::in(guest.config.take(key));
    if (force || key.startsWith("unused"_L1))
        world.removeVolume(volume, guest.node);
    else if (!volume.isEmpty())
        guest.config[GuestVolumes::unusedKey(guest)] = volume;
}

ApiAnswer unlink(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (auto refused = refusedWrite(call, *guest))
        return *refused;
    const auto keys = call.given.list(u"idlist"_s);
    for (const auto &key : keys)
        if (guest->isProtected() && Guest::isDiskKey(key))
            return ApiAnswer::failed(u"can't remove %1 '%2' - protection mode enabled"_s.arg(
                key.startsWith("unused"_L1) ? u"unused disk"_s : u"drive"_s, key));
    for (const auto &key : keys)
        unlinkOne(call.world, *guest, key, call.flag("force"));
    return ApiAnswer::ok();
}
} // namespace

void calls::addGuestDisks(Routes &routes)
{
    routes.addForGuests("PUT /nodes/{node}/{kind}/{vmid}/resize", resize);
    routes.add("POST /nodes/{node}/qemu/{vmid}/move_disk", move);
    routes.add("POST /nodes/{node}/lxc/{vmid}/move_volume", move);
    routes.add("PUT /nodes/{node}/qemu/{vmid}/unlink", unlink);
}
