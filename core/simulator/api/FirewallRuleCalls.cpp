#include "simulator/api/FirewallPlace.h"
#include "simulator/api/Routes.h"

namespace
{
const QStringList ruleKeys{"action", "comment", "dest",  "dport",  "enable", "icmp-type", "iface",
                           "log",    "macro",   "proto", "source", "sport",  "type"};

ApiAnswer noSuchGroup(const Call &call)
{
    return ApiAnswer::failed(QStringLiteral("no such security group '%1'").arg(call.text("group")));
}

ApiAnswer noSuchRule(const Call &call)
{
    return ApiAnswer::failed(QStringLiteral("no rule at position %1").arg(call.text("pos")));
}

qsizetype position(const Call &call)
{
    return qsizetype(call.given.integer("pos").value_or(0));
}

QString digestOf(const QList<QJsonObject> &rules)
{
    return ClusterFile::withDigest(rules).isEmpty()
               ? ClusterFile::digest(QByteArray())
               : ClusterFile::withDigest(rules)[0].toObject().value("digest").toString();
}

ApiAnswer list(Call &call)
{
    const FirewallPlace place(call);
    if (!place.rules)
        return noSuchGroup(call);
    QJsonArray data;
    for (const auto &each : ClusterFile::withDigest(*place.rules)) {
        auto row = each.toObject();
        row.insert("pos", data.size());
        data.append(row);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer get(Call &call)
{
    const FirewallPlace place(call);
    if (!place.rules)
        return noSuchGroup(call);
    if (position(call) >= place.rules->size())
        return noSuchRule(call);
    auto row = ClusterFile::withDigest(*place.rules)[position(call)].toObject();
    row.insert("pos", call.text("pos"));
    return ApiAnswer::ok(row);
}

/// Takes over what was given; an empty value or "-" removes it.
void takeOver(const Call &call, QJsonObject &rule)
{
    for (const auto &key : ruleKeys) {
        if (!call.given.has(key))
            continue;
        const auto text = call.given.text(key);
        if (text.isEmpty() || text == u'-')
            rule.remove(key);
        else
            rule.insert(key, call.typed(key));
    }
}

/// A new rule stands before all others, whatever position was asked for.
ApiAnswer create(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    if (!place.rules)
        return noSuchGroup(call);
    QJsonObject rule;
    takeOver(call, rule);
    FirewallRule checked(place, rule);
    if (const auto errors = checked.check(); !errors.isEmpty())
        return ApiAnswer::invalid(errors);
    rule = checked.rule();
    if (!rule.contains("enable"))
        rule.insert("enable", 0);
    place.rules->prepend(rule);
    return ApiAnswer::ok();
}

/// `moveto` counts in the list as it is: the rule comes to stand before the one that has that position now.
void moveRule(QList<QJsonObject> &rules, qsizetype from, qsizetype to)
{
    const auto rule = rules[from];
    QList<QJsonObject> moved;
    for (qsizetype i = 0; i < rules.size(); ++i) {
        if (i == from)
            continue;
        if (i == to)
            moved.append(rule);
        moved.append(rules[i]);
    }
    if (to >= rules.size())
        moved.append(rule);
    rules = moved;
}

ApiAnswer update(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    if (!place.rules)
        return noSuchGroup(call);
    if (ClusterFile::isStale(call, digestOf(*place.rules)))
        return ClusterFile::stale();
    const auto at = position(call);
    if (at >= place.rules->size())
        return noSuchRule(call);
    if (call.has("moveto") && call.given.integer("moveto") != at) {
        moveRule(*place.rules, at, qsizetype(*call.given.integer("moveto")));
        return ApiAnswer::ok();
    }
    auto rule = (*place.rules)[at];
    takeOver(call, rule);
    for (const auto &key : call.given.list("delete")) {
        if (!ruleKeys.contains(key))
            return ApiAnswer::invalid("delete", QStringLiteral("no such property ('%1')").arg(key));
        if (key == "type" || key == "action")
            return ApiAnswer::invalid("delete", QStringLiteral("unable to delete required property '%1'").arg(key));
        rule.remove(key);
    }
    FirewallRule checked(place, rule);
    if (const auto errors = checked.check(); !errors.isEmpty())
        return ApiAnswer::invalid(errors);
    (*place.rules)[at] = checked.rule();
    return ApiAnswer::ok();
}

ApiAnswer remove(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    if (!place.rules)
        return noSuchGroup(call);
    if (ClusterFile::isStale(call, digestOf(*place.rules)))
        return ClusterFile::stale();
    if (position(call) >= place.rules->size())
        return noSuchRule(call);
    place.rules->removeAt(position(call));
    return ApiAnswer::ok();
}

ApiAnswer options(Call &call)
{
    const FirewallPlace place(call);
    auto data = place.own.options;
    data.insert("digest", ClusterFile::digest(QJsonValue(place.own.options)));
    return ApiAnswer::ok(data);
}

ApiAnswer setOptions(Call &call)
{
    static const QStringList apart{"node", "vmid", "digest", "delete"};
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    if (ClusterFile::isStale(call, ClusterFile::digest(QJsonValue(place.own.options))))
        return ClusterFile::stale();
    for (const auto &key : call.given.list("delete")) {
        if (!call.table.shape(call.endpoint, key) || apart.contains(key))
            return ApiAnswer::invalid("delete", QStringLiteral("no such option '%1'").arg(key));
        place.own.options.remove(key);
    }
    for (const auto &key : call.given.names())
        if (!apart.contains(key))
            place.own.options.insert(key, call.typed(key));
    return ApiAnswer::ok();
}

/// Nothing is ever filtered here, so the file that would tell of it does not exist.
ApiAnswer log(Call &)
{
    const QString none = "unable to open file - No such file or directory";
    return ApiAnswer::withTotal(QJsonArray{QJsonObject{{"n", 1}, {"t", none}}}, 1);
}

ApiAnswer macros(Call &)
{
    QJsonArray data;
    for (const auto &name : FirewallRule::macros())
        data.append(QJsonObject{{"macro", name}, {"descr", name + QLatin1String(" traffic")}});
    return ApiAnswer::ok(data);
}

void addRules(Routes &routes, const QByteArray &place)
{
    routes.add("GET " + place, list);
    routes.add("POST " + place, create);
    routes.add("GET " + place + "/{pos}", get);
    routes.add("PUT " + place + "/{pos}", update);
    routes.add("DELETE " + place + "/{pos}", remove);
}
} // namespace

void calls::addFirewallRules(Routes &routes)
{
    for (const auto *place : {"/cluster/firewall", "/nodes/{node}/firewall", "/nodes/{node}/qemu/{vmid}/firewall",
                              "/nodes/{node}/lxc/{vmid}/firewall"}) {
        addRules(routes, place + QByteArray("/rules"));
        routes.add("GET " + QByteArray(place) + "/options", options);
        routes.add("PUT " + QByteArray(place) + "/options", setOptions);
    }
    addRules(routes, "/cluster/firewall/groups/{group}");
    routes.add("GET /cluster/firewall/macros", macros);
    routes.add("GET /nodes/{node}/firewall/log", log);
    routes.addForGuests("GET /nodes/{node}/{kind}/{vmid}/firewall/log", log);
}
