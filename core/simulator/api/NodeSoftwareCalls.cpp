#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"
#include "simulator/schema/ParameterCheck.h"
#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
QJsonArray named(const QString &names, const char *key)
{
    QJsonArray rows;
    for (const auto &name : names.split(u' '))
        rows.append(QJsonObject{{QLatin1String(key), name}});
    return rows;
}

/// Parts of a node that this release has.
ApiAnswer nodeIndex(Call &call)
{
    QJsonArray rows;
    for (const auto &row : named(u"aplinfo apt capabilities ceph certificates config disks dns firewall hardware hosts "
                                 "journal lxc migrateall netstat network qemu query-oci-repo-tags query-url-metadata "
                                 "replication report rrd rrddata scan sdn services spiceshell startall status stopall "
                                 "storage subscription suspendall syslog tasks termproxy time version vncshell vzdump "
                                 "wakeonlan"_s,
                                 "name"))
        if (call.table.knowsPath(u"/nodes/x/"_s + row["name"_L1].toString()))
            rows.append(row);
    return ApiAnswer::ok(rows);
}

ApiAnswer clusterIndex(Call &call)
{
    QJsonArray rows;
    for (const auto &row :
         named(u"acme backup backup-info bulk-action ceph config firewall ha jobs log mapping metrics "
               "notifications nextid options replication resources status tasks sdn"_s,
               "name"))
        if (call.table.knowsPath(u"/cluster/"_s + row["name"_L1].toString()))
            rows.append(row);
    return ApiAnswer::ok(rows);
}

/// Newest first; who may not see the cluster's log sees what is their own.
ApiAnswer clusterLog(Call &call)
{
    const bool all = call.may(u"/"_s, "Sys.Syslog");
    const auto most = call.given.integer(u"max"_s).value_or(50);
    QJsonArray rows;
    const auto &log = call.world.clusterLog;
    for (auto it = log.rbegin(); it != log.rend() && rows.size() < most; ++it) {
        if (!all && it->user != call.user() && it->user != call.who.user)
            continue;
        rows.append(QJsonObject{{"uid"_L1, QString::number(it->number)},
                                {"id"_L1, u"%1:%2"_s.arg(it->number).arg(it->node)},
                                {"time"_L1, it->time},
                                {"node"_L1, it->node},
                                {"user"_L1, it->user},
                                {"msg"_L1, it->text},
                                {"pid"_L1, it->pid},
                                {"tag"_L1, u"pvedaemon"_s},
                                {"pri"_L1, 6}});
    }
    return ApiAnswer::ok(rows);
}

ApiAnswer updates(Call &)
{
    return ApiAnswer::ok(QJsonArray());
}

ApiAnswer refresh(Call &call)
{
    TaskPlan plan;
    plan.node = call.node();
    plan.type = u"aptupdate"_s;
    plan.user = call.user();
    plan.duration = 6s;
    plan.lines = {{100ms, u"starting apt-get update"_s}, {5s, u"Reading package lists..."_s}};
    return GuestTasks::run(call, plan);
}

ApiAnswer versions(Call &)
{
    struct Row {
        const char *name;
        const char *version;
        const char *section;
        bool installed;
        const char *title;
    };
    static const Row packages[]{
        {"ceph-fuse", "18.2.7+ds-1+deb13u1", "admin", false, "FUSE-based client for the Ceph distributed file system"},
        {"corosync", "3.1.9-2+deb13u1", "admin", true, "cluster engine daemon and utilities"},
        {"ifupdown2", "3.0.0-1.3", "admin", true, "Network Interface Management tool similar to ifupdown"},
        {"libspice-server1", "0.15.2-1+b1", "libs", true, "Implements the server side of the SPICE protocol"},
        {"lvm2", "2.03.31-2", "admin", true, "Linux Logical Volume Manager"},
        {"lxcfs", "6.0.4-1+deb13u1", "admin", true, "FUSE based filesystem for LXC"},
        {"smartmontools", "7.4-3", "utils", true, "control and monitor storage systems using S.M.A.R.T."},
        {"swtpm", "0.7.1-1.5", "misc", true, "Libtpms-based TPM emulator"}};
    QJsonArray rows;
    for (const auto &package : packages) {
        QJsonObject row{{"Package"_L1, QLatin1String(package.name)},
                        {"Version"_L1, QLatin1String(package.version)},
                        {"Section"_L1, QLatin1String(package.section)},
                        {"Title"_L1, QLatin1String(package.title)},
                        {"Description"_L1, QLatin1String(package.title)},
                        {"Priority"_L1, u"optional"_s},
                        {"Origin"_L1, u"Debian"_s},
                        {"Arch"_L1, u"amd64"_s},
                        {"CurrentState"_L1, package.installed ? u"Installed"_s : u"NotInstalled"_s}};
        if (package.installed)
            row.insert("OldVersion"_L1, QLatin1String(package.version));
        rows.append(row);
    }
    return ApiAnswer::ok(rows);
}

ApiAnswer subscription(Call &call)
{
    const auto id = QCryptographicHash::hash(call.node().toUtf8(), QCryptographicHash::Md5).toHex().toUpper();
    return ApiAnswer::ok(QJsonObject{{"status"_L1, u"notfound"_s},
                                     {"message"_L1, u"There is no subscription key"_s},
                                     {"serverid"_L1, QString::fromLatin1(id)},
                                     {"url"_L1, u"https://www.proxmox.com/en/proxmox-virtual-environment/pricing"_s}});
}

ApiAnswer noAppliances(Call &)
{
    return ApiAnswer::ok(QJsonArray());
}

ApiAnswer wake(Call &call)
{
    const auto node = call.node();
    if (node == call.world.localNode)
        return ApiAnswer::failed(u"'%1' is local node, cannot wake my self!"_s.arg(node));
    return ApiAnswer::failed(u"No wake on LAN MAC address defined for '%1'!"_s.arg(node));
}

/// Some calls in one; each has a status of its own.
ApiAnswer execute(Call &call)
{
    QJsonArray results;
    for (const auto &command : QJsonDocument::fromJson(call.text("commands").toUtf8()).array()) {
        const auto path = u'/' + command["path"_L1].toString();
        const auto match = call.table.find(command["method"_L1].toString(), path);
        const auto handler = match ? Routes::all().find(*match->endpoint) : nullptr;
        if (!handler)
            return call.notAnswered();
        auto given = Parameters::fromJson(command["args"_L1].toObject());
        for (auto it = match->path.begin(); it != match->path.end(); ++it)
            given.set(it.key(), it.value());
        const auto wrong = ParameterCheck(call.table).check(*match->endpoint, given);
        Call made{call.world, call.table, call.version, call.who, *match->endpoint, given};
        const auto answer =
            wrong.isEmpty() ? handler(made) : ApiAnswer::invalid(wrong.first().parameter, wrong.first().text);
        QJsonObject row{{"status"_L1, answer.status}};
        if (answer.status == 200)
            row.insert("data"_L1, answer.data);
        else
            row.insert("message"_L1, answer.message);
        results.append(row);
    }
    return ApiAnswer::ok(results);
}
} // namespace

void calls::addNodeSoftware(Routes &routes)
{
    routes.add("GET /nodes/{node}", nodeIndex);
    routes.add("GET /cluster", clusterIndex);
    routes.add("GET /cluster/log", clusterLog);
    routes.add("GET /nodes/{node}/apt/update", updates);
    routes.add("POST /nodes/{node}/apt/update", refresh);
    routes.add("GET /nodes/{node}/apt/versions", versions);
    routes.add("GET /nodes/{node}/subscription", subscription);
    routes.add("GET /nodes/{node}/aplinfo", noAppliances);
    routes.add("POST /nodes/{node}/wakeonlan", wake);
    routes.add("POST /nodes/{node}/execute", execute);
}
