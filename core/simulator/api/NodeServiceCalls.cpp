#include "simulator/api/GuestTasks.h"
#include "simulator/api/Routes.h"
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{
/// What the release knows, from the choices of its API.
QStringList known(const Call &call)
{
    const auto match = call.table.find(u"GET"_s, u"/nodes/x/services/cron/state"_s);
    return call.table.shape(*match->endpoint, u"service"_s)->choices;
}

bool isInstalled(const QString &service)
{
    static const QStringList missing{u"ksmtuned"_s, u"syslog"_s, u"systemd-timesyncd"_s};
    return !missing.contains(service);
}

QJsonObject row(const ClusterNode &node, const QString &service)
{
    const auto state = node.services.value(service, isInstalled(service) ? u"running"_s : u"dead"_s);
    const bool runs = state == "running"_L1;
    return {{"name"_L1, service},
            {"service"_L1, service},
            {"desc"_L1, service},
            {"state"_L1, state},
            {"active-state"_L1, runs ? u"active"_s : u"inactive"_s},
            {"unit-state"_L1, isInstalled(service) ? u"enabled"_s : u"not-found"_s}};
}

ApiAnswer list(Call &call)
{
    QJsonArray rows;
    for (const auto &service : known(call))
        rows.append(row(*call.world.node(call.node()), service));
    return ApiAnswer::ok(rows);
}

ApiAnswer state(Call &call)
{
    return ApiAnswer::ok(row(*call.world.node(call.node()), call.text("service")));
}

ApiAnswer index(Call &)
{
    QJsonArray rows;
    for (const auto &name : {u"state"_s, u"start"_s, u"stop"_s, u"restart"_s, u"reload"_s})
        rows.append(QJsonObject{{"subdir"_L1, name}});
    return ApiAnswer::ok(rows);
}

ApiAnswer control(Call &call)
{
    const auto what = call.endpoint.path.section(u'/', -1);
    const auto service = call.text("service");
    TaskPlan plan;
    plan.node = call.node();
    plan.type = "srv"_L1 + what;
    plan.id = service;
    plan.user = call.user();
    plan.duration = 900ms;
    auto &world = call.world;
    plan.begin = [service] {
        return isInstalled(service) ? QString()
                                    : u"command 'systemctl' failed: Unit %1.service not found."_s.arg(service);
    };
    plan.finish = [&world, node = call.node(), service, stops = what == "stop"_L1] {
        if (auto *changed = world.node(node))
            changed->services[service] = stops ? u"dead"_s : u"running"_s;
        return QString();
    };
    return GuestTasks::run(call, plan);
}

/// What the node's daemons wrote, oldest first.
QStringList journalOf(const Call &call)
{
    QStringList lines;
    for (const auto &line : call.world.clusterLog)
        if (line.node == call.node())
            lines.append(
                QLocale::c().toString(QDateTime::fromSecsSinceEpoch(line.time, Qt::UTC), u"MMM dd HH:mm:ss"_s) +
                u" %1 pvedaemon[%2]: <%3> "_s.arg(line.node).arg(line.pid).arg(line.user) + line.text);
    return lines;
}

ApiAnswer syslog(Call &call)
{
    auto lines = journalOf(call);
    if (lines.isEmpty())
        lines = {u"-- No entries --"_s};
    const auto start = call.given.integer(u"start"_s).value_or(0);
    const auto limit = call.given.integer(u"limit"_s).value_or(50);
    QJsonArray rows;
    for (auto i = start; i < lines.size() && rows.size() < limit; ++i)
        rows.append(QJsonObject{{"n"_L1, i + 1}, {"t"_L1, lines[i]}});
    return ApiAnswer::withTotal(rows, lines.size());
}

/// Comes as a stream, always compressed: a cursor, the lines, and the cursor after them.
ApiAnswer journal(Call &call)
{
    auto lines = journalOf(call);
    if (const auto last = call.given.integer(u"lastentries"_s))
        lines = lines.mid(std::max<qint64>(0, lines.size() - *last));
    const auto cursor = [](qint64 at) { return u"s=simulated;i=%1"_s.arg(at, 0, 16); };
    lines.prepend(cursor(0));
    lines.append(cursor(lines.size()));
    ApiAnswer answer;
    answer.text = QJsonDocument(QJsonObject{{"data"_L1, QJsonArray::fromStringList(lines)}, {"success"_L1, 1}})
                      .toJson(QJsonDocument::Compact);
    answer.textType = "application/json";
    answer.isCompressed = true;
    return answer;
}
} // namespace

void calls::addNodeServices(Routes &routes)
{
    routes.add("GET /nodes/{node}/services", list);
    routes.add("GET /nodes/{node}/services/{service}", index);
    routes.add("GET /nodes/{node}/services/{service}/state", state);
    for (const auto *what : {"start", "stop", "restart", "reload"})
        routes.add((QByteArray("POST /nodes/{node}/services/{service}/") + what).constData(), control);
    routes.add("GET /nodes/{node}/syslog", syslog);
    routes.add("GET /nodes/{node}/journal", journal);
}
