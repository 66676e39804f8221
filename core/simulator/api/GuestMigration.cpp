#include "simulator/api/GuestMigration.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/GuestVolumes.h"
#include "simulator/schema/PropertyString.h"
#include <QDateTime>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

GuestMigration::GuestMigration(World &world, const Guest &guest, const QString &target)
    : m_world(world), m_vmid(guest.vmid), m_target(target)
{
}

void GuestMigration::read(const Call &call)
{
    const auto *guest = m_world.guest(m_vmid);
    m_storageMap = call.given.list(guest->isQemu() ? u"targetstorage"_s : u"target-storage"_s);
    m_restart = call.flag("restart") || m_world.haOf(*guest);
    m_withLocalDisks = call.flag("with-local-disks");
    m_force = call.flag("force");
}

QList<GuestMigration::Disk> GuestMigration::disks(const World &world, const Guest &guest)
{
    QList<Disk> found;
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it) {
        const auto volume = GuestVolumes::in(*it);
        const auto *storage = world.storage(GuestVolumes::storageOf(volume));
        if (!Guest::isDiskKey(it.key()) || volume.isEmpty() || !storage)
            continue;
        const auto size = Guest::bytesOfSize(PropertyString::value(*it, u"size"_s));
        found.append({it.key(), volume, it->contains("media=cdrom"_L1), it.key().startsWith("unused"_L1),
                      storage->shared, size});
    }
    return found;
}

QStringList GuestMigration::missingStorages(const World &world, const Guest &guest, const QString &node)
{
    QStringList missing;
    for (const auto &disk : disks(world, guest)) {
        const auto name = GuestVolumes::storageOf(disk.volume);
        const auto *storage = world.storage(name);
        if (storage && !storage->isOn(node) && !missing.contains(name))
            missing.append(name);
    }
    return missing;
}

QStringList GuestMigration::localDevices(const Guest &guest)
{
    QStringList found;
    for (auto it = guest.config.begin(); it != guest.config.end(); ++it) {
        const bool device = it.key().startsWith("usb"_L1) || it.key().startsWith("hostpci"_L1) ||
                            it.key().startsWith("serial"_L1) || it.key().startsWith("parallel"_L1);
        if (guest.isQemu() && device && !it->contains("mapping="_L1) && !it->startsWith("spice"_L1) &&
            !it->startsWith("socket"_L1))
            found.append(it.key());
    }
    return found;
}

QString GuestMigration::mapped(const QString &storage) const
{
    for (const auto &pair : m_storageMap) {
        if (pair.section(u':', 0, 0) == storage && pair.contains(u':'))
            return pair.section(u':', 1);
        if (!pair.contains(u':') && pair != u'1')
            return pair;
    }
    return storage;
}

QString GuestMigration::blocked() const
{
    const auto *guest = m_world.guest(m_vmid);
    const auto *node = m_world.node(m_target);
    if (!guest || !node || !node->online)
        return u"Can't connect to destination address using public key"_s;
    if (const auto devices = localDevices(*guest); !devices.isEmpty() && (guest->isRunning() || !m_force))
        return u"can't migrate VM which uses local devices: %1"_s.arg(devices.join(", "_L1));
    const auto scanning = u"Problem found while scanning volumes - "_s;
    for (const auto &disk : disks(m_world, *guest)) {
        const auto storage = mapped(GuestVolumes::storageOf(disk.volume));
        const auto *there = m_world.storage(storage);
        if (!there || !there->isOn(m_target))
            return u"storage '%1' is not available on node '%2'"_s.arg(storage, m_target);
        const bool local = !disk.isShared;
        if (local && disk.isCdrom && !disk.volume.contains("cloudinit"_L1))
            return scanning + u"can't migrate local cdrom '%1'"_s.arg(disk.volume);
        if (local && guest->isQemu() && guest->isRunning() && !disk.isUnused && !disk.isCdrom && !m_withLocalDisks)
            return scanning + u"can't live migrate attached local disks without with-local-disks option"_s;
    }
    return {};
}

QList<TaskPlan::Line> GuestMigration::lines(std::chrono::milliseconds &end) const
{
    QList<TaskPlan::Line> lines;
    const auto &guest = *m_world.guest(m_vmid);
    const auto say = [&](std::chrono::milliseconds after, const QString &text) {
        const auto at = m_world.nowMs() + qint64(double(after.count()) * m_world.taskPace);
        lines.append({after, QDateTime::fromMSecsSinceEpoch(at, Qt::UTC).toString(u"yyyy-MM-dd HH:mm:ss "_s) + text});
    };
    say(0ms, u"starting migration of %1 %2 to node '%3' (%4)"_s.arg(guest.word())
                 .arg(m_vmid)
                 .arg(m_target)
                 .arg(m_world.node(m_target)->address));
    auto at = 300ms;
    for (const auto &disk : disks(m_world, guest))
        if (!disk.isShared)
            say(at, guest.isQemu()
                        ? u"found local disk '%1' (%2)"_s.arg(disk.volume, disk.isUnused ? u"unused"_s : u"attached"_s)
                        : u"found local volume '%1' (in current VM config)"_s.arg(disk.volume));
    for (const auto &disk : disks(m_world, guest)) {
        if (disk.isShared)
            continue;
        at += 1s + (disk.size >> 30) * 1s;
        say(at, u"successfully imported '%1'"_s.arg(disk.volume));
        say(at, u"volume '%1' is '%1' on the target"_s.arg(disk.volume));
    }
    if (guest.isRunning() && guest.isQemu()) {
        at += 2s + (guest.memoryBytes() >> 30) * 500ms;
        say(at, u"migration completed, transferred %1 MiB VM-state"_s.arg(guest.memoryBytes() >> 20));
    }
    end = at + 1s;
    say(end, u"migration finished successfully (duration 00:%1:%2)"_s
                 .arg(std::chrono::duration_cast<std::chrono::minutes>(end).count(), 2, 10, QChar(u'0'))
                 .arg(std::chrono::duration_cast<std::chrono::seconds>(end).count() % 60, 2, 10, QChar(u'0')));
    return lines;
}

void GuestMigration::arrive(World &world, const GuestMigration &move)
{
    auto *guest = world.guest(move.m_vmid);
    for (const auto &disk : disks(world, *guest)) {
        const auto storage = GuestVolumes::storageOf(disk.volume);
        auto *volume = world.volume(disk.volume, guest->node);
        if (disk.isShared || !volume)
            continue;
        if (move.mapped(storage) == storage) {
            volume->node = move.m_target;
            continue;
        }
        auto there = *guest;
        there.node = move.m_target;
        guest->config[disk.key] =
            GuestVolumes::copied(world, *guest, guest->config[disk.key], there, move.mapped(storage), {});
        world.removeVolume(disk.volume, guest->node);
    }
    guest->node = move.m_target;
    guest->config.remove(u"lock"_s);
}

TaskPlan GuestMigration::plan(const QString &user) const
{
    const auto &guest = *m_world.guest(m_vmid);
    TaskPlan plan;
    plan.node = guest.node;
    plan.type = guest.isQemu() ? u"qmigrate"_s : u"vzmigrate"_s;
    plan.id = QString::number(m_vmid);
    plan.user = user;
    if (const auto why = blocked(); !why.isEmpty()) {
        plan.duration = 400ms;
        plan.lines = {{100ms, u"ERROR: migration aborted (duration 00:00:00): "_s + why}};
        plan.finish = [] { return u"migration aborted"_s; };
        return plan;
    }
    plan.lines = lines(plan.duration);
    auto &world = m_world;
    plan.begin = GuestTasks::later(world, m_vmid, [&world, restart = m_restart](Guest &leaving) {
        const auto locked = GuestTasks::lockedText(leaving);
        if (!locked.isEmpty())
            return locked;
        leaving.config[u"lock"_s] = u"migrate"_s;
        if (restart && leaving.isRunning() && !leaving.isQemu())
            world.stop(leaving);
        return QString();
    });
    plan.interrupted = GuestTasks::unlocking(world, m_vmid);
    plan.finish = GuestTasks::later(
        world, m_vmid, [&world, move = *this, again = m_restart && guest.isRunning() && !guest.isQemu()](Guest &moved) {
            arrive(world, move);
            if (again)
                world.start(moved);
            return QString();
        });
    return plan;
}
