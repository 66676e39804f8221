#include "simulator/api/BackupRun.h"
#include "simulator/api/BackupPrune.h"
#include "simulator/api/GuestTasks.h"
#include "simulator/api/GuestVolumes.h"
#include <QDateTime>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
QString gib(double bytes)
{
    return u"%1 GiB"_s.arg(bytes / double(1LL << 30), 0, 'f', 1);
}

QString archiveName(const Guest &guest, qint64 startedAt)
{
    const auto time = QDateTime::fromSecsSinceEpoch(startedAt, Qt::UTC);
    return u"vzdump-%1-%2-%3.%4"_s.arg(guestKindName(guest.kind))
        .arg(guest.vmid)
        .arg(time.toString(u"yyyy_MM_dd-HH_mm_ss"_s), guest.isQemu() ? u"vma.zst"_s : u"tar.zst"_s);
}

/// {{guestname}}, {{vmid}}, {{node}} and {{cluster}} stand for what they name.
QString filled(const World &world, const Guest &guest, QString text)
{
    text.replace("{{guestname}}"_L1, guest.name());
    text.replace("{{vmid}}"_L1, QString::number(guest.vmid));
    text.replace("{{node}}"_L1, guest.node);
    return text.replace("{{cluster}}"_L1, world.clusterName);
}
} // namespace

QList<qint64> BackupRun::selected(const World &world, const Parameters &given)
{
    QList<qint64> found;
    const auto excluded = given.list(u"exclude"_s);
    if (given.has(u"vmid"_s)) {
        for (const auto &vmid : given.list(u"vmid"_s))
            found.append(vmid.toLongLong());
        return found;
    }
    for (const auto *guest : world.guests()) {
        const bool inPool = given.has(u"pool"_s) && world.poolOf(guest->vmid) == given.text(u"pool"_s);
        if ((inPool || given.flag(u"all"_s)) && !excluded.contains(QString::number(guest->vmid)))
            found.append(guest->vmid);
    }
    return found;
}

GuestConfig BackupRun::saved(const Guest &guest)
{
    auto config = guest.config;
    for (const auto &key : {u"parent"_s, u"lock"_s, u"snaptime"_s})
        config.remove(key);
    return config;
}

QString BackupRun::problemOf(qint64 vmid) const
{
    const auto *guest = m_world.guest(vmid);
    if (!guest || guest->node != m_node)
        return u"unable to find VM '%1'"_s.arg(vmid);
    return GuestTasks::lockedText(*guest);
}

void BackupRun::add(qint64 vmid)
{
    Step step;
    step.vmid = vmid;
    step.problem = problemOf(vmid);
    step.from = m_steps.isEmpty() ? 0ms : m_steps.last().until;
    step.until = step.from + (step.problem.isEmpty() ? 43s : std::chrono::milliseconds(200));
    m_steps.append(step);
}

std::chrono::milliseconds BackupRun::paced(std::chrono::milliseconds time) const
{
    return std::chrono::milliseconds(qint64(double(time.count()) * m_world.taskPace));
}

QString BackupRun::stamp(std::chrono::milliseconds after) const
{
    const auto at = m_world.nowMs() + paced(after).count();
    return QDateTime::fromMSecsSinceEpoch(at, Qt::UTC).toString(u"yyyy-MM-dd HH:mm:ss"_s);
}

void BackupRun::describe(const Step &step, QList<TaskPlan::Line> &lines) const
{
    const auto id = QString::number(step.vmid);
    const auto say = [&](std::chrono::milliseconds after, const QString &text) {
        lines.append({step.from + after, "INFO: "_L1 + text});
    };
    if (!step.problem.isEmpty()) {
        lines.append({step.from + 100ms, u"ERROR: Backup of VM %1 failed - %2"_s.arg(id, step.problem)});
        say(100ms, u"Failed at "_s + stamp(step.from + 100ms));
        return;
    }
    const auto &guest = *m_world.guest(step.vmid);
    say(100ms, u"Starting Backup of VM %1 (%2)"_s.arg(id, guestKindName(guest.kind)));
    say(100ms, u"Backup started at "_s + stamp(step.from + 100ms));
    say(300ms, u"status = "_s + (guest.isRunning() ? u"running"_s : u"stopped"_s));
    if (guest.isQemu())
        say(300ms, u"VM Name: "_s + guest.name());
    say(350ms, u"backup mode: "_s + m_wish.mode);
    say(350ms, u"ionice priority: 7"_s);
    describeArchive(step, guest, lines);
    say(42s, u"Finished Backup of VM %1 (00:00:42)"_s.arg(id));
    say(42s, u"Backup finished at "_s + stamp(step.from + 42s));
}

void BackupRun::describeArchive(const Step &step, const Guest &guest, QList<TaskPlan::Line> &lines) const
{
    const auto say = [&](std::chrono::milliseconds after, const QString &text) {
        lines.append({step.from + after, "INFO: "_L1 + text});
    };
    const auto disk = double(guest.diskBytes());
    const auto archive = archiveName(guest, m_world.now() + paced(step.from).count() / 1000);
    if (!guest.isQemu()) {
        say(400ms, u"CT Name: "_s + guest.name());
        say(400ms, u"including mount point rootfs ('/') in backup"_s);
    }
    if (stops(guest))
        say(450ms, u"stopping virtual guest"_s);
    say(500ms,
        u"creating vzdump archive '%1'"_s.arg(GuestVolumes::path(m_world, m_wish.storage + ":backup/"_L1 + archive)));
    for (int part = 1; part <= 10 && guest.isQemu(); ++part)
        say(part * 4s, u"%1% (%2 of %3) in %4s, read: 256.0 MiB/s, write: 201.3 MiB/s"_s.arg(part * 10, 3)
                           .arg(gib(disk * part / 10), gib(disk))
                           .arg(part * 4));
    if (!guest.isQemu())
        say(40s, u"Total bytes written: %1 (%2MiB, 115MiB/s)"_s.arg(qint64(disk * 0.4)).arg(qint64(disk * 0.4) >> 20));
    say(41s, u"archive file size: %1MB"_s.arg(qint64(disk / 5) >> 20));
    if (!m_wish.notes.isEmpty())
        say(41s, u"adding notes to backup"_s);
    if (stops(guest)) {
        say(41s, u"restarting vm"_s);
        say(42s, u"guest is online again after 41 seconds"_s);
    }
}

/// A container stands still while its files are read; a machine runs on as soon as the backup of its disks has begun.
bool BackupRun::stops(const Guest &guest) const
{
    return m_wish.mode == "stop"_L1 && !guest.isQemu() && guest.isRunning();
}

QString BackupRun::firstLine() const
{
    QStringList ids;
    for (const auto &step : m_steps)
        ids.append(QString::number(step.vmid));
    return u"INFO: starting new backup job: vzdump %1 --storage %2 --mode %3 --node %4"_s.arg(
        ids.join(u' '), m_wish.storage, m_wish.mode, m_node);
}

void BackupRun::store(World &world, const Wish &wish, qint64 vmid, qint64 startedAt)
{
    const auto *guest = world.guest(vmid);
    const auto *storage = world.storage(wish.storage);
    if (!guest || !storage)
        return;
    Volume volume;
    volume.id = wish.storage + ":backup/"_L1 + archiveName(*guest, startedAt);
    volume.storage = wish.storage;
    volume.node = storage->shared ? QString() : guest->node;
    volume.content = u"backup"_s;
    volume.format = guest->isQemu() ? u"vma.zst"_s : u"tar.zst"_s;
    volume.size = volume.used = guest->diskBytes() / 5;
    volume.created = startedAt;
    volume.vmid = vmid;
    volume.notes = filled(world, *guest, wish.notes);
    volume.isProtected = wish.isProtected;
    volume.saved = saved(*guest);
    world.volumes.push_back(volume);
    if (wish.removesOld)
        BackupPrune(world, guest->node, *storage).removeBeyond(wish.prune, guest->kind, vmid);
}

void BackupRun::schedule(const Step &step, const std::shared_ptr<Progress> &progress) const
{
    auto &world = m_world;
    const auto startedAt = world.now() + paced(step.from).count() / 1000;
    const bool again = stops(*world.guest(step.vmid));
    const auto lock = [&world, progress, again, vmid = step.vmid] {
        auto *guest = world.guest(vmid);
        if (progress->stopped || !guest)
            return;
        world.setConfig(vmid, u"lock"_s, u"backup"_s);
        progress->locked.append(vmid);
        if (again)
            world.stop(*guest);
    };
    if (step.from == 0ms)
        lock();
    else
        world.after(paced(step.from), lock);
    world.after(paced(step.until), [&world, progress, again, wish = m_wish, vmid = step.vmid, startedAt] {
        auto *guest = world.guest(vmid);
        if (progress->stopped || !guest)
            return;
        world.setConfig(vmid, u"lock"_s, {});
        progress->locked.removeAll(vmid);
        if (again)
            world.start(*guest);
        store(world, wish, vmid, startedAt);
    });
}

TaskPlan BackupRun::plan(const QString &user)
{
    TaskPlan plan;
    plan.node = m_node;
    plan.type = u"vzdump"_s;
    plan.id = m_steps.size() == 1 ? QString::number(m_steps.first().vmid) : QString();
    plan.user = user;
    plan.duration = m_steps.isEmpty() ? 100ms : m_steps.last().until;
    plan.lines = {{0ms, firstLine()}};
    const bool failed = std::any_of(m_steps.begin(), m_steps.end(), [](const auto &s) { return !s.problem.isEmpty(); });
    for (const auto &step : std::as_const(m_steps))
        describe(step, plan.lines);
    plan.lines.append({plan.duration, failed ? u"INFO: Backup job finished with errors"_s
                                             : u"INFO: Backup job finished successfully"_s});
    auto progress = std::make_shared<Progress>();
    auto &world = m_world;
    plan.begin = [self = *this, progress] {
        for (const auto &step : self.m_steps)
            if (step.problem.isEmpty())
                self.schedule(step, progress);
        return QString();
    };
    plan.interrupted = [&world, progress] {
        progress->stopped = true;
        for (const auto vmid : std::as_const(progress->locked))
            world.setConfig(vmid, u"lock"_s, {});
    };
    plan.finish = [failed] { return failed ? u"job errors"_s : QString(); };
    return plan;
}
