#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"

using namespace std::chrono_literals;

namespace
{
const NodeSettings &settings(const Call &call)
{
    return call.world.settingsOf(call.node());
}

const QList<QJsonObject> &shown(const NodeSettings &node)
{
    return node.pending ? *node.pending : node.network;
}

qsizetype indexOf(const QList<QJsonObject> &all, const QString &name)
{
    for (qsizetype i = 0; i < all.size(); ++i)
        if (all[i].value("iface").toString() == name)
            return i;
    return -1;
}

/// The lines that the file of the interfaces has for one.
QStringList lines(const QJsonObject &row)
{
    QStringList text;
    const auto name = row.value("iface").toString();
    if (row.value("autostart").toInt() == 1)
        text.append("auto " + name);
    text.append(QStringLiteral("iface %1 inet %2").arg(name, row.value("method").toString()));
    const std::pair<const char *, const char *> options[]{{"cidr", "address"},
                                                          {"gateway", "gateway"},
                                                          {"bridge_ports", "bridge-ports"},
                                                          {"bridge_stp", "bridge-stp"},
                                                          {"bridge_fd", "bridge-fd"},
                                                          {"slaves", "bond-slaves"},
                                                          {"bond_mode", "bond-mode"},
                                                          {"mtu", "mtu"}};
    for (const auto &[key, word] : options)
        if (row.contains(QLatin1String(key))) {
            const auto value = row.value(QLatin1String(key)).toVariant().toString();
            text.append(QStringLiteral("\t%1 %2").arg(QLatin1String(word), value.isEmpty() ? "none" : value));
        }
    for (const auto &comment : row.value("comments").toString().split(u'\n', Qt::SkipEmptyParts))
        text.append(u'#' + comment);
    return text;
}

/// What applying would change, as a difference of the two files.
QString changes(const NodeSettings &node)
{
    QString text = "--- /etc/network/interfaces\n+++ /etc/network/interfaces.new\n@@ @@\n";
    const auto append = [&text](QChar sign, const QJsonObject &row) {
        for (const auto &line : lines(row))
            text += sign + line + u'\n';
    };
    for (const auto &row : node.network)
        if (const auto at = indexOf(*node.pending, row.value("iface").toString());
            at < 0 || lines((*node.pending)[at]) != lines(row))
            append(u'-', row);
    for (const auto &row : *node.pending)
        if (const auto at = indexOf(node.network, row.value("iface").toString());
            at < 0 || lines(node.network[at]) != lines(row))
            append(u'+', row);
    return text;
}

bool fits(const QJsonObject &row, const QString &type)
{
    const auto own = row.value("type").toString();
    if (type.isEmpty() || own == type)
        return true;
    if (type.startsWith("any_") && type.contains("bridge"))
        return own == "bridge" || own == "OVSBridge";
    return false;
}

ApiAnswer list(Call &call)
{
    const auto &node = settings(call);
    QJsonArray data;
    for (const auto &row : shown(node))
        if (fits(row, call.text("type")))
            data.append(row);
    auto answer = ApiAnswer::ok(data);
    if (node.pending)
        answer.beside.insert("changes", changes(node));
    return answer;
}

ApiAnswer noSuchInterface()
{
    return ApiAnswer::invalid("iface", "interface does not exist");
}

ApiAnswer get(Call &call)
{
    const auto &all = shown(settings(call));
    const auto at = indexOf(all, call.text("iface"));
    if (at < 0)
        return noSuchInterface();
    auto row = all[at];
    row.remove("iface");
    return ApiAnswer::ok(row);
}

/// What follows from what was given.
QJsonObject completed(const Call &call, QJsonObject row)
{
    for (const auto &name : call.given.names())
        if (name != "node" && name != "delete")
            row.insert(name, call.typed(name));
    for (const auto &name : call.given.list("delete"))
        row.remove(name);
    const auto cidr = row.value("cidr").toString();
    row.insert("method", cidr.isEmpty() ? "manual" : "static");
    row.insert("method6", row.contains("cidr6") ? "static" : "manual");
    row.insert("families", row.contains("cidr6") ? QJsonArray{"inet", "inet6"} : QJsonArray{"inet"});
    row.remove("address");
    row.remove("netmask");
    if (!cidr.isEmpty()) {
        row.insert("address", cidr.section(u'/', 0, 0));
        row.insert("netmask", cidr.section(u'/', 1));
    }
    if (row.value("type").toString() == "bridge") {
        const std::pair<const char *, const char *> usual[]{
            {"bridge_ports", ""}, {"bridge_stp", "off"}, {"bridge_fd", "0"}};
        for (const auto &[key, value] : usual)
            if (!row.contains(QLatin1String(key)))
                row.insert(key, value);
    }
    return row;
}

/// The list that waits, which begins as what is.
QList<QJsonObject> &pending(const Call &call)
{
    auto &node = call.world.settingsOf(call.node());
    if (!node.pending)
        node.pending = node.network;
    return *node.pending;
}

ApiAnswer create(Call &call)
{
    if (indexOf(shown(settings(call)), call.text("iface")) >= 0)
        return ApiAnswer::invalid("iface", "interface already exists");
    auto &all = pending(call);
    all.append(completed(call, {{"priority", all.size() + 3}}));
    return ApiAnswer::ok();
}

ApiAnswer update(Call &call)
{
    const auto at = indexOf(shown(settings(call)), call.text("iface"));
    if (at < 0)
        return noSuchInterface();
    auto &row = pending(call)[at];
    row = completed(call, row);
    return ApiAnswer::ok();
}

ApiAnswer remove(Call &call)
{
    const auto at = indexOf(shown(settings(call)), call.text("iface"));
    if (at < 0)
        return noSuchInterface();
    pending(call).removeAt(at);
    return ApiAnswer::ok();
}

ApiAnswer revert(Call &call)
{
    call.world.settingsOf(call.node()).pending.reset();
    return ApiAnswer::ok();
}

ApiAnswer apply(Call &call)
{
    auto &world = call.world;
    TaskPlan plan;
    plan.node = call.node();
    plan.type = "srvreload";
    plan.id = "networking";
    plan.user = call.user();
    plan.duration = 2s;
    plan.finish = [&world, name = call.node()] {
        auto &node = world.settingsOf(name);
        if (!node.pending)
            return QString();
        node.network = *node.pending;
        node.pending.reset();
        for (auto &row : node.network)
            row.insert("active", 1);
        return QString();
    };
    return ApiAnswer::ok(world.run(plan));
}

ApiAnswer dns(Call &call)
{
    return ApiAnswer::ok(settings(call).dns);
}

ApiAnswer setDns(Call &call)
{
    QJsonObject given;
    for (const auto *key : {"search", "dns1", "dns2", "dns3"})
        if (call.has(key))
            given.insert(key, call.text(key));
    call.world.settingsOf(call.node()).dns = given;
    return ApiAnswer::ok();
}

QString hostsText(const Call &call)
{
    const auto &own = settings(call).hosts;
    if (!own.isEmpty())
        return own;
    QString text = "127.0.0.1 localhost\n";
    for (const auto &node : call.world.nodes)
        text += QStringLiteral("%1 %2.test %2\n").arg(node.address, node.name);
    return text;
}

ApiAnswer hosts(Call &call)
{
    const auto text = hostsText(call);
    return ApiAnswer::ok(QJsonObject{{"data", text}, {"digest", ClusterFile::digest(text.toUtf8())}});
}

ApiAnswer setHosts(Call &call)
{
    if (ClusterFile::isStale(call, ClusterFile::digest(hostsText(call).toUtf8())))
        return ClusterFile::stale();
    call.world.settingsOf(call.node()).hosts = call.text("data");
    return ApiAnswer::ok();
}

ApiAnswer time(Call &call)
{
    const auto now = call.world.now();
    return ApiAnswer::ok(QJsonObject{{"time", now}, {"localtime", now}, {"timezone", settings(call).timezone}});
}

ApiAnswer setTime(Call &call)
{
    call.world.settingsOf(call.node()).timezone = call.text("timezone");
    return ApiAnswer::ok();
}
} // namespace

void calls::addNetwork(Routes &routes)
{
    routes.add("GET /nodes/{node}/network", list);
    routes.add("POST /nodes/{node}/network", create);
    routes.add("PUT /nodes/{node}/network", apply);
    routes.add("DELETE /nodes/{node}/network", revert);
    routes.add("GET /nodes/{node}/network/{iface}", get);
    routes.add("PUT /nodes/{node}/network/{iface}", update);
    routes.add("DELETE /nodes/{node}/network/{iface}", remove);
    routes.add("GET /nodes/{node}/dns", dns);
    routes.add("PUT /nodes/{node}/dns", setDns);
    routes.add("GET /nodes/{node}/hosts", hosts);
    routes.add("POST /nodes/{node}/hosts", setHosts);
    routes.add("GET /nodes/{node}/time", time);
    routes.add("PUT /nodes/{node}/time", setTime);
}
