#include "simulator/api/GuestCreation.h"
#include "simulator/api/GuestNics.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/GuestVolumes.h"
#include "simulator/api/Routes.h"
#include "simulator/schema/PropertyString.h"
#include <memory>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
bool hasVolume(const QString &key, const QString &line)
{
    const bool medium = line.contains("media=cdrom"_L1) && !line.contains("cloudinit"_L1);
    return Guest::isDiskKey(key) && !medium && !GuestVolumes::in(line).isEmpty();
}

bool isCloudInit(const QString &line)
{
    return GuestVolumes::in(line).contains("-cloudinit"_L1);
}

/// Everything that a clone is made of, checked.
struct Clone {
    Guest source; ///< with the configuration that is copied: of now, or of a snapshot
    Guest target;
    QString storage;
    QString format;
    QString pool;
    QString user;
    bool full = true;

    void copyLines(World &world);
};

void Clone::copyLines(World &world)
{
    static const QStringList left{u"parent"_s, u"snaptime"_s,    u"vmstate"_s,        u"lock"_s,      u"template"_s,
                                  u"digest"_s, u"description"_s, u"runningmachine"_s, u"runningcpu"_s};
    const auto given = target.config;
    for (auto it = source.config.begin(); it != source.config.end(); ++it) {
        const auto key = it.key();
        if (left.contains(key) || key.startsWith("unused"_L1))
            continue;
        if (GuestNics::isNic(key))
            target.config[key] = GuestNics::readdressed(target, key, *it);
        else if (hasVolume(key, *it) && isCloudInit(*it))
            target.config[key] =
                GuestVolumes::made(world, target, key, GuestVolumes::storageOf(*it) + ":cloudinit,media=cdrom"_L1).text;
        else if (hasVolume(key, *it))
            target.config[key] = full ? GuestVolumes::copied(world, source, *it, target, storage, format)
                                      : GuestVolumes::linked(world, source, *it, target);
        else
            target.config[key] = *it;
    }
    for (auto it = given.begin(); it != given.end(); ++it)
        target.config[it.key()] = *it;
    if (target.isQemu())
        GuestCreation::giveIdentity(target);
}

bool isShared(const World &world, const Guest &guest)
{
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it) {
        const auto *storage = world.storage(GuestVolumes::storageOf(*it));
        if (Guest::isDiskKey(it.key()) && storage && !storage->shared)
            return false;
    }
    return true;
}

bool isLinkable(const World &world, const Guest &guest, const QString &line)
{
    const auto volume = GuestVolumes::in(line);
    const auto *storage = world.storage(GuestVolumes::storageOf(volume));
    const auto name = volume.section(u':', 1).section(u'/', -1);
    return storage && guest.isTemplate() && (name.startsWith("base-"_L1) || name.startsWith("basevol-"_L1)) &&
           (!storage->isFileBased() || name.endsWith(".qcow2"_L1) || name.endsWith(".raw"_L1));
}

std::optional<ApiAnswer> refusedPlace(const Call &call, const Guest &source, bool full)
{
    const auto target = call.text("target");
    if (!full)
        for (const auto *option : {"storage", "format"})
            if (call.has(option))
                return ApiAnswer::failed(u"parameter '%1' not allowed for linked clones"_s.arg(QLatin1String(option)));
    if (!target.isEmpty() && !call.world.node(target))
        return ApiAnswer::failed(u"no such cluster node '%1'"_s.arg(target));
    if (!target.isEmpty() && target != source.node && !isShared(call.world, source))
        return ApiAnswer::failed(u"Can't clone %1 to node '%2' (%1 uses local storage)"_s.arg(source.word(), target));
    return call.has("storage") ? GuestVolumes::refusedStorage(call, source.kind, call.text("storage")) : std::nullopt;
}

std::optional<ApiAnswer> refusedDisks(const Call &call, const Guest &source, bool full)
{
    for (auto it = source.config.begin(); it != source.config.end(); ++it) {
        if (!hasVolume(it.key(), *it) || it.key().startsWith("unused"_L1) || isCloudInit(*it))
            continue;
        const auto volume = GuestVolumes::in(*it);
        if (!full && !isLinkable(call.world, source, *it))
            return ApiAnswer::failed(
                source.isQemu() ? u"Linked clone feature is not supported for '%1' (%2)"_s.arg(volume, it.key())
                                : u"Linked clone feature for '%1' is not available"_s.arg(volume));
        if (auto refused = GuestVolumes::refusedSpace(call, GuestVolumes::storageOf(volume));
            refused && !call.has("storage"))
            return refused;
    }
    return std::nullopt;
}

std::shared_ptr<Clone> prepared(const Call &call, const Guest &source, bool full)
{
    auto clone = std::make_shared<Clone>();
    clone->source = source;
    if (const auto *snapshot = source.snapshot(call.text("snapname")))
        clone->source.config = snapshot->config;
    auto &target = clone->target;
    target.vmid = call.text("newid").toLongLong();
    target.kind = source.kind;
    target.node = call.has("target") ? call.text("target") : source.node;
    target.load = source.load;
    target.hostCpus = source.hostCpus;
    target.knownSince = call.world.now();
    const auto nameKey = source.isQemu() ? u"name"_s : u"hostname"_s;
    const auto old = source.config.value(nameKey, QString::number(source.vmid));
    target.config[nameKey] = call.given.text(nameKey, u"Copy-of-%1-%2"_s.arg(source.word(), old));
    if (call.has("description"))
        target.config[u"description"_s] = call.text("description");
    clone->storage = call.text("storage");
    clone->format = call.text("format");
    clone->pool = call.text("pool");
    clone->user = call.user();
    clone->full = full;
    return clone;
}

TaskPlan planned(Call &call, const std::shared_ptr<Clone> &clone, const QString &newLock)
{
    auto &world = call.world;
    const auto source = clone->source.vmid;
    const auto target = clone->target.vmid;
    const auto gigabytes = double(clone->source.diskBytes()) / double(1LL << 30);
    auto plan = GuestTasks::plan(call, clone->source, "qmclone", "vzclone",
                                 clone->full ? std::chrono::milliseconds(3000 + qint64(gigabytes * 300)) : 900ms);
    plan.begin = [&world, clone, newLock] {
        GuestCreation::reserve(world, clone->target, clone->pool);
        world.setConfig(clone->target.vmid, u"lock"_s, newLock);
        if (!clone->source.isQemu())
            world.setConfig(clone->source.vmid, u"lock"_s, u"disk"_s);
        clone->copyLines(world);
        return QString();
    };
    plan.interrupted = [&world, source, target, machine = clone->source.isQemu()] {
        GuestCreation::withdraw(world, target);
        if (!machine)
            world.setConfig(source, u"lock"_s, {});
    };
    plan.finish = [&world, clone] {
        if (!clone->source.isQemu())
            world.setConfig(clone->source.vmid, u"lock"_s, {});
        if (auto *made = world.guest(clone->target.vmid))
            made->config = clone->target.config;
        return QString();
    };
    return plan;
}

ApiAnswer clone(Call &call)
{
    auto *source = call.guest();
    if (!source)
        return call.noSuchGuest();
    if (!call.world.quorate)
        return ApiAnswer::failed(u"cluster not ready - no quorum?"_s);
    const bool full = call.flag("full", !source->isTemplate());
    if (call.has("snapname") && !source->snapshot(call.text("snapname")))
        return ApiAnswer::failed(u"snapshot '%1' does not exist"_s.arg(call.text("snapname")));
    if (auto refused = refusedPlace(call, *source, full))
        return *refused;
    if (const auto locked = GuestTasks::lockedText(*source); !locked.isEmpty())
        return ApiAnswer::failed(locked);
    if (const auto taken = call.text("newid"); call.world.guest(taken.toLongLong()))
        return ApiAnswer::failed(u"unable to create %1 %2: config file already exists"_s.arg(source->word(), taken));
    if (auto refused = refusedDisks(call, *source, full))
        return *refused;
    if (!source->isQemu() && full && source->isRunning() && !call.has("snapname"))
        return ApiAnswer::failed(u"Cannot do full clones on a running container without snapshots"_s);
    const auto made = prepared(call, *source, full);
    return GuestTasks::run(call, planned(call, made, source->isQemu() ? u"clone"_s : u"create"_s));
}

std::optional<ApiAnswer> refusedTemplate(const Guest &guest, bool oneDisk)
{
    if (const auto locked = GuestTasks::lockedText(guest); !locked.isEmpty())
        return ApiAnswer::failed(locked);
    const auto word = guest.word();
    if (!guest.snapshots.isEmpty())
        return ApiAnswer::failed(u"unable to create template, because %1 contains snapshots"_s.arg(word));
    if (guest.isTemplate() && !oneDisk)
        return ApiAnswer::failed(u"you can't convert a template to a template"_s);
    if (guest.isRunning())
        return ApiAnswer::failed(guest.isQemu() ? u"you can't convert a VM to template if VM is running"_s
                                                : u"you can't convert a CT to template if the CT is running"_s);
    return std::nullopt;
}

void becomeTemplate(World &world, Guest &guest, const QString &onlyDisk)
{
    for (const auto &key : guest.diskKeys())
        if (hasVolume(key, guest.config[key]) && (onlyDisk.isEmpty() || onlyDisk == key))
            guest.config[key] = GuestVolumes::based(world, guest, guest.config[key]);
    guest.config[u"template"_s] = u"1"_s;
}

ApiAnswer makeTemplate(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const auto disk = call.text("disk");
    if (auto refused = refusedTemplate(*guest, !disk.isEmpty()))
        return *refused;
    auto &world = call.world;
    if (!guest->isQemu()) {
        becomeTemplate(world, *guest, disk);
        return ApiAnswer::ok();
    }
    auto plan = GuestTasks::plan(call, *guest, "qmtemplate", "vztemplate", 900ms);
    plan.begin = GuestTasks::later(world, guest->vmid, [&world, disk](Guest &turned) {
        becomeTemplate(world, turned, disk);
        return QString();
    });
    return GuestTasks::run(call, plan);
}
} // namespace

void calls::addGuestClone(Routes &routes)
{
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/clone", clone);
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/template", makeTemplate);
}
