#include "simulator/api/FirewallPlace.h"
#include "simulator/api/Routes.h"

namespace
{
/// Rows of named lists, without digest.
QList<QJsonObject> rows(const QList<FirewallList> &lists, const char *key)
{
    QList<QJsonObject> all;
    for (const auto &list : lists) {
        QJsonObject row{{key, list.name}};
        if (!list.comment.isEmpty())
            row.insert("comment", list.comment);
        all.append(row);
    }
    return all;
}

QString digestOf(const QList<QJsonObject> &all)
{
    QJsonArray plain;
    for (const auto &row : all)
        plain.append(row);
    return ClusterFile::digest(QJsonValue(plain));
}

/// Makes a list, or gives one another name and comment.
ApiAnswer make(const Call &call, QList<FirewallList> &lists, const char *key, const QString &word)
{
    if (ClusterFile::isStale(call, digestOf(rows(lists, key))))
        return ClusterFile::stale();
    const auto name = call.text(key);
    const auto old = call.text("rename");
    auto *renamed = Firewall::find(lists, old);
    if (!old.isEmpty() && !renamed)
        return ApiAnswer::invalid(key, QStringLiteral("%1 '%2' does not exist").arg(word, old));
    if (old != name && Firewall::find(lists, name))
        return ApiAnswer::invalid(key, QStringLiteral("%1 '%2' already exists").arg(word, name));
    if (!renamed) {
        lists.append({name, call.text("comment")});
        return ApiAnswer::ok();
    }
    renamed->name = name;
    if (call.has("comment"))
        renamed->comment = call.text("comment");
    return ApiAnswer::ok();
}

void drop(QList<FirewallList> &lists, const QString &name)
{
    lists.erase(std::remove_if(lists.begin(), lists.end(), [&](const auto &list) { return list.name == name; }),
                lists.end());
}

ApiAnswer groups(Call &call)
{
    return ApiAnswer::ok(ClusterFile::withDigest(rows(FirewallPlace(call).cluster.groups, "group")));
}

ApiAnswer makeGroup(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    return make(call, place.cluster.groups, "group", "Security group");
}

ApiAnswer removeGroup(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    const auto name = call.text("group");
    if (!place.rules)
        return ApiAnswer::failed(QStringLiteral("no such security group '%1'").arg(name));
    if (!place.rules->isEmpty())
        return ApiAnswer::failed(QStringLiteral("Security group '%1' is not empty").arg(name));
    drop(place.cluster.groups, name);
    return ApiAnswer::ok();
}

ApiAnswer sets(Call &call)
{
    return ApiAnswer::ok(ClusterFile::withDigest(rows(FirewallPlace(call).own.sets, "name")));
}

ApiAnswer makeSet(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    return make(call, place.own.sets, "name", "IPSet");
}

ApiAnswer noSuchSet(const Call &call)
{
    return ApiAnswer::failed(QStringLiteral("no such IPSet '%1'").arg(call.text("name")));
}

ApiAnswer removeSet(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    const auto *set = Firewall::find(place.own.sets, call.text("name"));
    if (!set)
        return noSuchSet(call);
    if (!set->entries.isEmpty() && !call.flag("force"))
        return ApiAnswer::failed(QStringLiteral("IPSet '%1' is not empty").arg(set->name));
    drop(place.own.sets, call.text("name"));
    return ApiAnswer::ok();
}

qsizetype indexOf(const FirewallList &set, const QString &cidr)
{
    for (qsizetype i = 0; i < set.entries.size(); ++i)
        if (set.entries[i].value("cidr").toString() == cidr)
            return i;
    return -1;
}

ApiAnswer entries(Call &call)
{
    const FirewallPlace place(call);
    const auto *set = Firewall::find(place.own.sets, call.text("name"));
    return set ? ApiAnswer::ok(ClusterFile::withDigest(set->entries)) : noSuchSet(call);
}

ApiAnswer entry(Call &call)
{
    const FirewallPlace place(call);
    const auto *set = Firewall::find(place.own.sets, call.text("name"));
    if (!set)
        return noSuchSet(call);
    const auto at = indexOf(*set, call.text("cidr"));
    return at < 0 ? ApiAnswer::invalid("cidr", "no such IP/Network") : ApiAnswer::ok(set->entries[at]);
}

/// What is set of comment and nomatch.
void takeOver(const Call &call, QJsonObject &row)
{
    for (const auto *key : {"comment", "nomatch"}) {
        row.remove(key);
        if (!call.text(key).isEmpty() && call.text(key) != u'0')
            row.insert(key, call.typed(key));
    }
}

ApiAnswer addEntry(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    auto *set = Firewall::find(place.own.sets, call.text("name"));
    if (!set)
        return noSuchSet(call);
    const auto cidr = call.text("cidr");
    if (indexOf(*set, cidr) >= 0)
        return ApiAnswer::invalid("cidr", QStringLiteral("address '%1' already exists").arg(cidr));
    const auto alias = cidr.section(u'/', -1);
    if (cidr[0].isLetter() && !cidr.contains(u':') && !place.own.alias(alias) && !place.cluster.alias(alias))
        return ApiAnswer::failed(QStringLiteral("no such alias '%1'").arg(cidr));
    QJsonObject row{{"cidr", cidr}};
    takeOver(call, row);
    set->entries.prepend(row);
    return ApiAnswer::ok();
}

/// The set of the path when it can be changed now, and its entry.
std::optional<ApiAnswer> refusedEntry(const Call &call, const FirewallPlace &place, const FirewallList *set)
{
    if (auto refusal = place.file.refusal())
        return refusal;
    if (!set)
        return noSuchSet(call);
    if (ClusterFile::isStale(call, digestOf(set->entries)))
        return ClusterFile::stale();
    return std::nullopt;
}

ApiAnswer changeEntry(Call &call)
{
    FirewallPlace place(call);
    auto *set = Firewall::find(place.own.sets, call.text("name"));
    if (auto refusal = refusedEntry(call, place, set))
        return *refusal;
    const auto at = indexOf(*set, call.text("cidr"));
    if (at < 0)
        return ApiAnswer::invalid("cidr", "no such IP/Network");
    takeOver(call, set->entries[at]);
    return ApiAnswer::ok();
}

ApiAnswer removeEntry(Call &call)
{
    FirewallPlace place(call);
    auto *set = Firewall::find(place.own.sets, call.text("name"));
    if (auto refusal = refusedEntry(call, place, set))
        return *refusal;
    if (const auto at = indexOf(*set, call.text("cidr")); at >= 0)
        set->entries.removeAt(at);
    return ApiAnswer::ok();
}

ApiAnswer aliases(Call &call)
{
    return ApiAnswer::ok(ClusterFile::withDigest(FirewallPlace(call).own.aliases));
}

ApiAnswer alias(Call &call)
{
    FirewallPlace place(call);
    const auto *found = place.own.alias(call.text("name"));
    return found ? ApiAnswer::ok(*found) : ApiAnswer::invalid("name", "no such alias");
}

QJsonObject aliasRow(const Call &call, const QString &name)
{
    QJsonObject row{
        {"name", name}, {"cidr", call.text("cidr")}, {"ipversion", FirewallPlace::ipVersion(call.text("cidr"))}};
    if (!call.text("comment").isEmpty())
        row.insert("comment", call.text("comment"));
    return row;
}

ApiAnswer taken(const QString &name)
{
    return ApiAnswer::invalid("name", QStringLiteral("alias '%1' already exists").arg(name));
}

ApiAnswer makeAlias(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    if (place.own.alias(call.text("name")))
        return taken(call.text("name"));
    place.own.aliases.append(aliasRow(call, call.text("name")));
    return ApiAnswer::ok();
}

ApiAnswer changeAlias(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    if (ClusterFile::isStale(call, digestOf(place.own.aliases)))
        return ClusterFile::stale();
    auto *found = place.own.alias(call.text("name"));
    if (!found)
        return ApiAnswer::invalid("name", "no such alias");
    const auto name = call.has("rename") ? call.text("rename") : call.text("name");
    if (auto *other = place.own.alias(name); other && other != found)
        return taken(name);
    *found = aliasRow(call, name);
    return ApiAnswer::ok();
}

ApiAnswer removeAlias(Call &call)
{
    FirewallPlace place(call);
    if (auto refusal = place.file.refusal())
        return *refusal;
    if (ClusterFile::isStale(call, digestOf(place.own.aliases)))
        return ClusterFile::stale();
    if (const auto *found = place.own.alias(call.text("name")))
        place.own.aliases.removeAt(found - place.own.aliases.constData());
    return ApiAnswer::ok();
}

/// What rules of the place may name: the cluster's, and a guest's own instead where it has the same.
ApiAnswer references(Call &call)
{
    FirewallPlace place(call);
    const auto type = call.text("type");
    QMap<QString, QJsonObject> sets;
    QMap<QString, QJsonObject> names;
    for (const bool own : {false, true}) {
        const auto &from = own ? place.own : place.cluster;
        const QString scope = own && place.kind == FirewallPlace::Kind::Guest ? "guest" : "dc";
        for (const auto &set : from.sets) {
            QJsonObject row{{"type", "ipset"}, {"name", set.name}, {"ref", u'+' + set.name}, {"scope", scope}};
            if (!set.comment.isEmpty())
                row.insert("comment", set.comment);
            sets[set.name] = row;
        }
        for (const auto &each : from.aliases) {
            const auto name = each.value("name").toString();
            QJsonObject row{{"type", "alias"}, {"name", name}, {"ref", name}, {"scope", scope}};
            if (each.contains("comment"))
                row.insert("comment", each.value("comment"));
            names[name] = row;
        }
    }
    QJsonArray data;
    if (type != "alias")
        for (const auto &row : std::as_const(sets))
            data.append(row);
    if (type != "ipset")
        for (const auto &row : std::as_const(names))
            data.append(row);
    return ApiAnswer::ok(data);
}
} // namespace

void calls::addFirewallSets(Routes &routes)
{
    routes.add("GET /cluster/firewall/groups", groups);
    routes.add("POST /cluster/firewall/groups", makeGroup);
    routes.add("DELETE /cluster/firewall/groups/{group}", removeGroup);
    for (const QByteArray place :
         {"/cluster/firewall", "/nodes/{node}/qemu/{vmid}/firewall", "/nodes/{node}/lxc/{vmid}/firewall"}) {
        routes.add("GET " + place + "/ipset", sets);
        routes.add("POST " + place + "/ipset", makeSet);
        routes.add("GET " + place + "/ipset/{name}", entries);
        routes.add("POST " + place + "/ipset/{name}", addEntry);
        routes.add("DELETE " + place + "/ipset/{name}", removeSet);
        routes.add("GET " + place + "/ipset/{name}/{cidr}", entry);
        routes.add("PUT " + place + "/ipset/{name}/{cidr}", changeEntry);
        routes.add("DELETE " + place + "/ipset/{name}/{cidr}", removeEntry);
        routes.add("GET " + place + "/aliases", aliases);
        routes.add("POST " + place + "/aliases", makeAlias);
        routes.add("GET " + place + "/aliases/{name}", alias);
        routes.add("PUT " + place + "/aliases/{name}", changeAlias);
        routes.add("DELETE " + place + "/aliases/{name}", removeAlias);
        routes.add("GET " + place + "/refs", references);
    }
}
