#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"

using namespace std::chrono_literals;

TaskPlan GuestTasks::plan(const Call &call, const Guest &guest, const char *qemuType, const char *lxcType,
                          std::chrono::milliseconds duration)
{
    TaskPlan made;
    made.node = guest.node;
    made.type = QLatin1String(guest.isQemu() ? qemuType : lxcType);
    made.id = QString::number(guest.vmid);
    made.user = call.user();
    made.duration = duration;
    return made;
}

ApiAnswer GuestTasks::run(Call &call, TaskPlan plan)
{
    return ApiAnswer::ok(call.world.run(std::move(plan)));
}

QString GuestTasks::lockedText(const Guest &guest)
{
    return guest.lock().isEmpty() ? QString() : QStringLiteral("%1 is locked (%2)").arg(guest.word(), guest.lock());
}

std::function<QString()> GuestTasks::later(World &world, qint64 vmid, std::function<QString(Guest &)> what)
{
    return [&world, vmid, what = std::move(what)] {
        auto *guest = world.guest(vmid);
        return guest ? what(*guest) : QStringLiteral("unable to find configuration file for guest %1").arg(vmid);
    };
}

std::function<void()> GuestTasks::unlocking(World &world, qint64 vmid)
{
    return [&world, vmid] { world.setConfig(vmid, QStringLiteral("lock"), {}); };
}

QString GuestTasks::startProblem(const World &world, const Guest &guest)
{
    if (guest.isRunning())
        return QStringLiteral("%1 %2 already running").arg(guest.word()).arg(guest.vmid);
    if (guest.isTemplate())
        return QStringLiteral("you can't start a %1 if it's a template")
            .arg(guest.isQemu() ? QStringLiteral("vm") : QStringLiteral("CT"));
    const auto *node = world.node(guest.node);
    if (guest.isQemu() && node && !node->hasKvm && guest.config.value(QStringLiteral("kvm")) != u'0')
        return QStringLiteral("KVM virtualisation configured, but not available. Either disable in VM configuration "
                              "or enable in BIOS.");
    return guest.lock() == QLatin1String("suspended") ? QString() : lockedText(guest);
}

namespace
{
using GuestTasks::later;
using GuestTasks::startProblem;

QString id(const Guest &guest)
{
    return QString::number(guest.vmid);
}

/// The HA manager is asked; its agent on the node acts some seconds later.
ApiAnswer askHa(Call &call, Guest &guest, const char *qemuType, const char *lxcType, const QString &state,
                const QString &word)
{
    auto plan = GuestTasks::plan(call, guest, qemuType, lxcType, 1500ms);
    plan.lines = {{400ms, QStringLiteral("Requesting HA %1 for %2 %3").arg(word, guest.word(), id(guest))}};
    auto *world = &call.world;
    plan.finish = [world, vmid = guest.vmid, state] {
        for (auto &resource : world->ha)
            if (resource.sid.endsWith(u':' + QString::number(vmid)))
                resource.state = state;
        world->after(8s, [world, vmid, state] {
            auto *managed = world->guest(vmid);
            const bool start = state == QLatin1String("started");
            if (!managed || managed->isRunning() == start)
                return;
            TaskPlan act;
            act.node = managed->node;
            act.type = managed->isQemu() ? (start ? QStringLiteral("qmstart") : QStringLiteral("qmshutdown"))
                                         : (start ? QStringLiteral("vzstart") : QStringLiteral("vzshutdown"));
            act.id = QString::number(vmid);
            act.user = QStringLiteral("root@pam");
            act.duration = 3s;
            act.finish = later(*world, vmid, [world, start](Guest &changed) {
                start ? world->start(changed) : world->stop(changed);
                return QString();
            });
            world->run(act);
        });
        return QString();
    };
    return GuestTasks::run(call, plan);
}

QString startWarning(const Guest &guest)
{
    const bool noEfiDisk = guest.config.value(QStringLiteral("bios")) == QLatin1String("ovmf") &&
                           !guest.config.contains(QStringLiteral("efidisk0"));
    return noEfiDisk ? QStringLiteral("WARN: no efidisk configured! Using temporary efivars disk.") : QString();
}

ApiAnswer start(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (!call.world.quorate)
        return ApiAnswer::failed(QStringLiteral("cluster not ready - no quorum?"));
    if (!guest->isQemu() && guest->isRunning())
        return ApiAnswer::failed(QStringLiteral("CT %1 already running").arg(id(*guest)));
    if (call.world.haOf(*guest))
        return askHa(call, *guest, "hastart", "hastart", QStringLiteral("started"), QStringLiteral("start"));
    auto plan = GuestTasks::plan(call, *guest, "qmstart", "vzstart", guest->isQemu() ? 2600ms : 1800ms);
    const auto warning = startWarning(*guest);
    if (!warning.isEmpty())
        plan.lines = {{900ms, warning}};
    plan.begin = later(call.world, guest->vmid,
                       [&world = call.world](Guest &starting) { return startProblem(world, starting); });
    auto &world = call.world;
    plan.finish = later(world, guest->vmid, [&world, warning](Guest &starting) {
        if (starting.isRunning())
            return QStringLiteral("%1 %2 already running").arg(starting.word()).arg(starting.vmid);
        if (starting.lock() == QLatin1String("suspended"))
            starting.config.remove(QStringLiteral("lock"));
        world.start(starting);
        return warning.isEmpty() ? QString() : QStringLiteral("WARNINGS: 1");
    });
    return GuestTasks::run(call, plan);
}

ApiAnswer stop(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (!guest->isQemu() && !guest->isRunning())
        return ApiAnswer::failed(QStringLiteral("CT %1 not running").arg(id(*guest)));
    if (call.world.haOf(*guest) && guest->isRunning())
        return askHa(call, *guest, "hastop", "hastop", QStringLiteral("stopped"), QStringLiteral("stop"));
    auto plan = GuestTasks::plan(call, *guest, "qmstop", "vzstop", 1200ms);
    plan.begin = later(call.world, guest->vmid, [](Guest &stopping) { return GuestTasks::lockedText(stopping); });
    auto &world = call.world;
    plan.finish = later(world, guest->vmid, [&world](Guest &stopping) {
        if (stopping.isRunning())
            world.stop(stopping);
        return QString();
    });
    return GuestTasks::run(call, plan);
}

/// Shutdown and reboot: the guest is asked, and may not listen.
TaskPlan asking(Call &call, Guest &guest, const char *qemuType, const char *lxcType, std::chrono::milliseconds usual,
                bool again)
{
    const auto timeout = std::chrono::seconds(call.given.integer(QStringLiteral("timeout")).value_or(60));
    const bool listens = !guest.ignoresShutdown && usual <= timeout;
    const bool force = call.flag("forceStop");
    auto plan = GuestTasks::plan(call, guest, qemuType, lxcType,
                                 !guest.isRunning() ? 300ms
                                 : listens          ? usual
                                                    : std::chrono::milliseconds(timeout));
    auto &world = call.world;
    plan.begin = later(world, guest.vmid, [](Guest &asked) { return GuestTasks::lockedText(asked); });
    plan.finish = later(world, guest.vmid, [&world, listens, force, again](Guest &asked) {
        if (asked.isRunning() && !listens && !force)
            return asked.isQemu() ? QStringLiteral("VM quit/powerdown failed - got timeout")
                                  : QStringLiteral("container did not stop");
        if (asked.isRunning())
            world.stop(asked);
        if (again)
            world.start(asked);
        return QString();
    });
    return plan;
}

ApiAnswer shutdown(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (!guest->isQemu() && !guest->isRunning())
        return ApiAnswer::failed(QStringLiteral("CT %1 not running").arg(id(*guest)));
    if (guest->run == Guest::Run::Paused && !call.flag("forceStop"))
        return ApiAnswer::failed(QStringLiteral("VM is paused - cannot shutdown"));
    if (call.world.haOf(*guest) && guest->isRunning())
        return askHa(call, *guest, "hastop", "hastop", QStringLiteral("stopped"), QStringLiteral("stop"));
    return GuestTasks::run(call,
                           asking(call, *guest, "qmshutdown", "vzshutdown", guest->isQemu() ? 6000ms : 3500ms, false));
}

ApiAnswer reboot(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (!guest->isRunning())
        return ApiAnswer::failed(QStringLiteral("%1 %2 not running").arg(guest->word(), id(*guest)));
    if (guest->run == Guest::Run::Paused)
        return ApiAnswer::failed(QStringLiteral("VM is paused - cannot shutdown"));
    return GuestTasks::run(call, asking(call, *guest, "qmreboot", "vzreboot", guest->isQemu() ? 9000ms : 5000ms, true));
}

ApiAnswer reset(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (!guest->isRunning())
        return ApiAnswer::failed(QStringLiteral("VM %1 not running").arg(id(*guest)));
    auto plan = GuestTasks::plan(call, *guest, "qmreset", "qmreset", 400ms);
    plan.begin = later(call.world, guest->vmid, [](Guest &asked) { return GuestTasks::lockedText(asked); });
    return GuestTasks::run(call, plan);
}

ApiAnswer suspendToDisk(Call &call, const Guest &guest)
{
    auto plan = GuestTasks::plan(call, guest, "qmsuspend", "qmsuspend", 5000ms);
    plan.lines = {
        {300ms, QStringLiteral("State is going to be saved to local-zfs:vm-%1-state-suspend").arg(guest.vmid)},
        {4500ms, QStringLiteral("State saved, quitting")}};
    auto &world = call.world;
    plan.begin = later(world, guest.vmid, [](Guest &asked) {
        const auto locked = GuestTasks::lockedText(asked);
        if (locked.isEmpty())
            asked.config.insert(QStringLiteral("lock"), QStringLiteral("suspending"));
        return locked;
    });
    plan.interrupted = GuestTasks::unlocking(world, guest.vmid);
    plan.finish = later(world, guest.vmid, [&world](Guest &asked) {
        asked.config.insert(QStringLiteral("lock"), QStringLiteral("suspended"));
        world.stop(asked);
        return QString();
    });
    return GuestTasks::run(call, plan);
}

ApiAnswer suspend(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    if (!guest->isRunning())
        return ApiAnswer::failed(QStringLiteral("%1 %2 not running").arg(guest->word(), id(*guest)));
    if (call.flag("todisk"))
        return suspendToDisk(call, *guest);
    auto plan = GuestTasks::plan(call, *guest, "qmpause", "vzsuspend", 400ms);
    if (!guest->isQemu()) {
        plan.begin = [vmid = guest->vmid] {
            return QStringLiteral("command 'lxc-checkpoint -n %1 -s -D /var/lib/vz/dump' failed: exit code 1")
                .arg(vmid);
        };
        return GuestTasks::run(call, plan);
    }
    plan.begin = later(call.world, guest->vmid, [](Guest &asked) { return GuestTasks::lockedText(asked); });
    plan.finish = later(call.world, guest->vmid, [](Guest &asked) {
        if (asked.isRunning())
            asked.run = Guest::Run::Paused;
        return QString();
    });
    return GuestTasks::run(call, plan);
}

ApiAnswer resume(Call &call)
{
    auto *guest = call.guest();
    if (!guest)
        return call.noSuchGuest();
    const bool fromDisk = guest->lock() == QLatin1String("suspended");
    if (!guest->isRunning() && !fromDisk)
        return ApiAnswer::failed(QStringLiteral("%1 %2 not running").arg(guest->word(), id(*guest)));
    auto plan = GuestTasks::plan(call, *guest, "qmresume", "vzresume", fromDisk ? 3500ms : 300ms);
    if (fromDisk)
        plan.lines = {{200ms, QStringLiteral("Resuming suspended VM")},
                      {3200ms, QStringLiteral("Resumed VM, removing state")}};
    auto &world = call.world;
    plan.finish = later(world, guest->vmid, [&world, fromDisk](Guest &asked) {
        if (fromDisk && !asked.isRunning()) {
            asked.config.remove(QStringLiteral("lock"));
            world.start(asked);
        } else if (asked.run == Guest::Run::Paused) {
            asked.run = Guest::Run::Running;
        }
        return QString();
    });
    return GuestTasks::run(call, plan);
}
} // namespace

void calls::addGuestPower(Routes &routes)
{
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/status/start", start);
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/status/stop", stop);
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/status/shutdown", shutdown);
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/status/reboot", reboot);
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/status/suspend", suspend);
    routes.addForGuests("POST /nodes/{node}/{kind}/{vmid}/status/resume", resume);
    routes.add("POST /nodes/{node}/qemu/{vmid}/status/reset", reset);
}
