#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"

namespace
{
constexpr const char *stale = "detected modified configuration - file changed by other user? Try again.";

qsizetype indexOf(const QList<QJsonObject> &all, const char *key, const QString &id)
{
    for (qsizetype i = 0; i < all.size(); ++i)
        if (all[i].value(QLatin1String(key)).toString() == id)
            return i;
    return -1;
}

QString digest(const QList<QJsonObject> &all)
{
    const auto rows = ClusterFile::withDigest(all);
    return rows.isEmpty() ? ClusterFile::digest(QByteArray()) : rows[0].toObject().value("digest").toString();
}

/// Takes over what was given, with the types of the table.
void takeOver(const Call &call, QJsonObject &row)
{
    for (const auto &name : call.given.names())
        if (name != "digest" && name != "delete")
            row.insert(name, call.typed(name));
    for (const auto &name : call.given.list("delete"))
        row.remove(name);
}

// ---- groups, as release 8 has them

ApiAnswer migrated(const char *verb)
{
    return ApiAnswer::failed(
        QStringLiteral("cannot %1: ha groups have been migrated to rules").arg(QLatin1String(verb)));
}

ApiAnswer groups(Call &call)
{
    if (call.release().hasHaRules)
        return migrated("index groups");
    return ApiAnswer::ok(ClusterFile::withDigest(call.world.haGroups));
}

ApiAnswer group(Call &call)
{
    if (call.release().hasHaRules)
        return migrated("read group");
    const auto at = indexOf(call.world.haGroups, "group", call.text("group"));
    if (at < 0)
        return ApiAnswer::failed(QStringLiteral("no such ha group '%1'").arg(call.text("group")));
    return ApiAnswer::ok(ClusterFile::withDigest(call.world.haGroups)[at]);
}

ApiAnswer createGroup(Call &call)
{
    if (call.release().hasHaRules)
        return migrated("create group");
    const ClusterFile file(call, "domain-ha", "create ha group failed");
    if (!call.world.quorate)
        return ApiAnswer::failed("cluster not ready - no quorum?");
    if (indexOf(call.world.haGroups, "group", call.text("group")) >= 0)
        return file.failed(QStringLiteral("ha group ID '%1' already defined").arg(call.text("group")));
    QJsonObject row{{"type", "group"}};
    takeOver(call, row);
    call.world.haGroups.append(row);
    return ApiAnswer::ok();
}

ApiAnswer updateGroup(Call &call)
{
    if (call.release().hasHaRules)
        return migrated("update group");
    const ClusterFile file(call, "domain-ha", "update ha group failed");
    if (auto refusal = file.refusal())
        return *refusal;
    if (ClusterFile::isStale(call, digest(call.world.haGroups)))
        return file.failed(stale);
    const auto at = indexOf(call.world.haGroups, "group", call.text("group"));
    if (at < 0)
        return file.failed(QStringLiteral("no such ha group '%1'").arg(call.text("group")));
    takeOver(call, call.world.haGroups[at]);
    return ApiAnswer::ok();
}

ApiAnswer removeGroup(Call &call)
{
    if (call.release().hasHaRules)
        return migrated("delete group");
    const ClusterFile file(call, "domain-ha", "delete ha group failed");
    if (auto refusal = file.refusal())
        return *refusal;
    for (const auto &resource : call.world.ha)
        if (resource.group == call.text("group"))
            return file.failed(QStringLiteral("ha group is used by service '%1'").arg(resource.sid));
    if (const auto at = indexOf(call.world.haGroups, "group", call.text("group")); at >= 0)
        call.world.haGroups.removeAt(at);
    return ApiAnswer::ok();
}

// ---- rules, since release 9

QStringList resourcesOf(const QJsonObject &rule)
{
    return rule.value("resources").toString().split(u',', Qt::SkipEmptyParts);
}

ApiAnswer rules(Call &call)
{
    QJsonArray data;
    for (const auto &each : ClusterFile::withDigest(call.world.haRules)) {
        const auto rule = each.toObject();
        if ((!call.has("type") || rule.value("type").toString() == call.text("type")) &&
            (!call.has("resource") || resourcesOf(rule).contains(call.text("resource"))))
            data.append(rule);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer rule(Call &call)
{
    const auto at = indexOf(call.world.haRules, "rule", call.text("rule"));
    if (at < 0)
        return ApiAnswer::failed(QStringLiteral("no such ha rule '%1'").arg(call.text("rule")));
    return ApiAnswer::ok(ClusterFile::withDigest(call.world.haRules)[at]);
}

/// What of a rule does not exist; empty when all does.
QString missing(const World &world, const QJsonObject &rule)
{
    QStringList unmanaged;
    for (const auto &sid : resourcesOf(rule))
        if (std::none_of(world.ha.begin(), world.ha.end(), [&](const auto &each) { return each.sid == sid; }))
            unmanaged.append(sid);
    if (!unmanaged.isEmpty())
        return QStringLiteral("cannot use unmanaged resource(s) %1.").arg(unmanaged.join(QLatin1String(", ")));
    QStringList strangers;
    for (const auto &node : rule.value("nodes").toString().split(u',', Qt::SkipEmptyParts))
        if (!world.node(node.section(u':', 0, 0)))
            strangers.append(node.section(u':', 0, 0));
    return strangers.isEmpty()
               ? QString()
               : QStringLiteral("cannot use non-existant node(s) %1.").arg(strangers.join(QLatin1String(", ")));
}

/// Why a rule cannot hold beside the others.
std::optional<ApiAnswer> infeasible(const World &world, const QJsonObject &rule)
{
    const auto name = rule.value("rule").toString();
    QString text;
    if (rule.value("type").toString() == "resource-affinity" && resourcesOf(rule).size() < 2)
        text = "rule is ineffective as there are less than two resources";
    for (const auto &other : world.haRules) {
        if (rule.value("type").toString() != "node-affinity" || other.value("type") != rule.value("type") ||
            other.value("rule") == rule.value("rule"))
            continue;
        for (const auto &sid : resourcesOf(rule))
            if (resourcesOf(other).contains(sid))
                text = QStringLiteral("resource '%1' is already used in another node affinity rule").arg(sid);
    }
    if (text.isEmpty())
        return std::nullopt;
    auto answer = ApiAnswer::failed(QStringLiteral("Rule '%1' is invalid.").arg(name), 400);
    answer.errors = {{"resources", text}};
    return answer;
}

ApiAnswer createRule(Call &call)
{
    if (!call.world.quorate)
        return ApiAnswer::failed("cluster not ready - no quorum?");
    const char *required = call.text("type") == "node-affinity" ? "nodes" : "affinity";
    if (!call.has(required))
        return ApiAnswer::failed(QStringLiteral("missing value for required option '%1'").arg(QLatin1String(required)));
    auto &all = call.world.haRules;
    const ClusterFile file(call, "domain-ha", "create ha rule failed");
    if (indexOf(all, "rule", call.text("rule")) >= 0)
        return file.failed(QStringLiteral("HA rule '%1' already defined").arg(call.text("rule")));
    QJsonObject row;
    takeOver(call, row);
    if (const auto text = missing(call.world, row); !text.isEmpty())
        return file.failed(text);
    if (auto refusal = infeasible(call.world, row))
        return *refusal;
    int order = 0;
    for (const auto &other : std::as_const(all))
        order = std::max(order, other.value("order").toInt());
    row.insert("order", order + 1);
    all.append(row);
    return ApiAnswer::ok();
}

ApiAnswer updateRule(Call &call)
{
    auto &all = call.world.haRules;
    const ClusterFile file(call, "domain-ha", "update HA rules failed");
    if (auto refusal = file.refusal())
        return *refusal;
    if (ClusterFile::isStale(call, digest(all)))
        return file.failed(stale);
    const auto at = indexOf(all, "rule", call.text("rule"));
    if (at < 0)
        return file.failed(QStringLiteral("HA rule '%1' does not exist").arg(call.text("rule")));
    auto row = all[at];
    takeOver(call, row);
    if (const auto text = missing(call.world, row); !text.isEmpty())
        return file.failed(text);
    if (auto refusal = infeasible(call.world, row))
        return *refusal;
    all[at] = row;
    return ApiAnswer::ok();
}

ApiAnswer removeRule(Call &call)
{
    const ClusterFile file(call, "domain-ha", "delete ha rule failed");
    if (auto refusal = file.refusal())
        return *refusal;
    auto &all = call.world.haRules;
    if (const auto at = indexOf(all, "rule", call.text("rule")); at >= 0)
        all.removeAt(at);
    return ApiAnswer::ok();
}
} // namespace

void calls::addHaRules(Routes &routes)
{
    routes.add("GET /cluster/ha/groups", groups);
    routes.add("POST /cluster/ha/groups", createGroup);
    routes.add("GET /cluster/ha/groups/{group}", group);
    routes.add("PUT /cluster/ha/groups/{group}", updateGroup);
    routes.add("DELETE /cluster/ha/groups/{group}", removeGroup);
    routes.add("GET /cluster/ha/rules", rules);
    routes.add("POST /cluster/ha/rules", createRule);
    routes.add("GET /cluster/ha/rules/{rule}", rule);
    routes.add("PUT /cluster/ha/rules/{rule}", updateRule);
    routes.add("DELETE /cluster/ha/rules/{rule}", removeRule);
}
