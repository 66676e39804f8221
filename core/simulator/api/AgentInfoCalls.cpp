#include "simulator/api/GuestAgent.h"
#include "simulator/api/Routes.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
ApiAnswer info(Call &, Guest &)
{
    static const auto names =
        u"guest-exec guest-exec-status guest-file-close guest-file-flush guest-file-open guest-file-read "
        "guest-file-seek guest-file-write guest-fsfreeze-freeze guest-fsfreeze-status guest-fsfreeze-thaw "
        "guest-fstrim guest-get-fsinfo guest-get-host-name guest-get-osinfo guest-get-time guest-get-timezone "
        "guest-get-users guest-get-vcpus guest-info guest-network-get-interfaces guest-ping guest-set-user-password "
        "guest-shutdown guest-suspend-disk guest-suspend-ram guest-sync"_s.split(u' ');
    static const QStringList silent{u"guest-shutdown"_s, u"guest-suspend-disk"_s, u"guest-suspend-ram"_s};
    QJsonArray commands;
    for (const auto &name : names)
        commands.append(
            QJsonObject{{"name"_L1, name}, {"enabled"_L1, true}, {"success-response"_L1, !silent.contains(name)}});
    return GuestAgent::result(QJsonObject{{"version"_L1, u"10.0.13"_s}, {"supported_commands"_L1, commands}});
}

ApiAnswer osInfo(Call &, Guest &)
{
    return GuestAgent::result(
        QJsonObject{{"id"_L1, u"debian"_s},
                    {"name"_L1, u"Debian GNU/Linux"_s},
                    {"pretty-name"_L1, u"Debian GNU/Linux 13 (trixie)"_s},
                    {"version"_L1, u"13 (trixie)"_s},
                    {"version-id"_L1, u"13"_s},
                    {"machine"_L1, u"x86_64"_s},
                    {"kernel-release"_L1, u"6.12.117+deb13-cloud-amd64"_s},
                    {"kernel-version"_L1, u"#1 SMP PREEMPT_DYNAMIC Debian 6.12.117-1 (2026-11-12)"_s}});
}

/// One root file system on the boot disk; the recorded machine has none.
ApiAnswer fsInfo(Call &, Guest &guest)
{
    if (guest.plainMonitor)
        return GuestAgent::result(QJsonArray());
    const auto total = guest.diskBytes();
    return GuestAgent::result(QJsonArray{QJsonObject{{"name"_L1, u"sda1"_s},
                                                     {"mountpoint"_L1, u"/"_s},
                                                     {"type"_L1, u"ext4"_s},
                                                     {"total-bytes"_L1, total},
                                                     {"used-bytes"_L1, total / 5 * 2},
                                                     {"disk"_L1, QJsonArray()}}});
}

ApiAnswer timeNow(Call &call, Guest &)
{
    return GuestAgent::result(call.world.nowMs() * 1'000'000);
}

ApiAnswer timeZone(Call &, Guest &)
{
    return GuestAgent::result(QJsonObject{{"zone"_L1, u"UTC"_s}, {"offset"_L1, 0}});
}

ApiAnswer users(Call &, Guest &)
{
    return GuestAgent::result(QJsonArray());
}

ApiAnswer hostName(Call &, Guest &guest)
{
    return GuestAgent::result(
        QJsonObject{{"host-name"_L1, guest.config.value(u"name"_s, u"guest%1"_s.arg(guest.vmid))}});
}

ApiAnswer vcpus(Call &, Guest &guest)
{
    QJsonArray rows;
    for (int i = 0; i < int(guest.cpus()); ++i)
        rows.append(QJsonObject{{"logical-id"_L1, i}, {"online"_L1, true}, {"can-offline"_L1, i > 0}});
    return GuestAgent::result(rows);
}

ApiAnswer freeze(Call &, Guest &guest)
{
    const auto count = guest.inside.isFrozen ? 0 : 1;
    guest.inside.isFrozen = true;
    return GuestAgent::result(count);
}

ApiAnswer thaw(Call &, Guest &guest)
{
    const auto count = guest.inside.isFrozen ? 1 : 0;
    guest.inside.isFrozen = false;
    return GuestAgent::result(count);
}

ApiAnswer frozen(Call &, Guest &guest)
{
    return GuestAgent::result(guest.inside.isFrozen ? u"frozen"_s : u"thawed"_s);
}

ApiAnswer trim(Call &, Guest &)
{
    return GuestAgent::result(QJsonObject{{"paths"_L1, QJsonArray()}});
}

ApiAnswer powerOff(Call &call, Guest &guest)
{
    auto &world = call.world;
    world.after(5s, [&world, vmid = guest.vmid] {
        if (auto *down = world.guest(vmid); down && down->isRunning() && !down->ignoresShutdown)
            world.stop(*down);
    });
    return GuestAgent::result(QJsonObject());
}

template <auto question>
ApiAnswer asked(Call &call)
{
    return GuestAgent::ask(call, question);
}
} // namespace

void calls::addAgentInfo(Routes &routes)
{
    const auto add = [&routes](const char *method, const char *name, Routes::Handler handler) {
        routes.add((QByteArray(method) + " /nodes/{node}/qemu/{vmid}/agent/" + name).constData(), handler);
    };
    add("GET", "info", asked<info>);
    add("GET", "get-osinfo", asked<osInfo>);
    add("GET", "get-fsinfo", asked<fsInfo>);
    add("GET", "get-time", asked<timeNow>);
    add("GET", "get-timezone", asked<timeZone>);
    add("GET", "get-users", asked<users>);
    add("GET", "get-host-name", asked<hostName>);
    add("GET", "get-vcpus", asked<vcpus>);
    add("POST", "fsfreeze-freeze", asked<freeze>);
    add("POST", "fsfreeze-thaw", asked<thaw>);
    add("POST", "fsfreeze-status", asked<frozen>);
    add("POST", "fstrim", asked<trim>);
    add("POST", "shutdown", asked<powerOff>);
}
