#include "simulator/api/ClusterFile.h"
#include "simulator/api/Routes.h"
#include "simulator/schema/PropertyString.h"
#include <QRegularExpression>

namespace
{
/// Options that come back as an object although they are given as text.
const QStringList objects{"crs", "ha", "migration", "next-id", "notify", "tag-style", "user-tag-access"};

QJsonObject parsed(const Call &call, const QString &name, const QString &text)
{
    const auto match = call.table.find("PUT", "/cluster/options");
    const auto *shape = match ? call.table.shape(*match->endpoint, name) : nullptr;
    if (!shape || shape->keys < 0)
        return {};
    const auto &keys = call.table.keys(shape->keys);
    const auto values = PropertyString::parse(call.table, keys, text);
    QJsonObject object;
    if (!values)
        return object;
    for (auto it = values->begin(); it != values->end(); ++it) {
        const auto type = call.table.shape(keys.value(it.key())).type;
        const bool number = type == ParameterShape::Type::Integer || type == ParameterShape::Type::Boolean;
        object.insert(it.key(), number ? QJsonValue(it->toLongLong()) : QJsonValue(*it));
    }
    return object;
}

QStringList words(const QString &text)
{
    auto list = text.split(QRegularExpression(QStringLiteral("[,; ]")), Qt::SkipEmptyParts);
    list.sort();
    list.removeDuplicates();
    return list;
}

/// Tags that a caller may give: the registered ones, and what is in use on guests that may be seen unless only a list
/// is allowed.
QStringList allowedTags(const Call &call)
{
    const auto &options = call.world.settings.options;
    auto tags = words(options.value("registered-tags").toString());
    const auto access = parsed(call, "user-tag-access", options.value("user-tag-access").toString());
    const auto mode = access.value("user-allow").toString("free");
    if (mode == "list")
        tags += words(access.value("user-allow-list").toString());
    if (mode == "free" || mode == "existing" || call.may("/", "Sys.Modify"))
        for (const auto *guest : std::as_const(call.world).guests())
            if (const auto text = guest->config.value("tags");
                !text.isEmpty() && call.may("/vms/" + QString::number(guest->vmid), "VM.Audit"))
                tags += words(text);
    tags.sort();
    tags.removeDuplicates();
    return tags;
}

ApiAnswer options(Call &call)
{
    const auto &set = call.world.settings.options;
    QJsonObject data;
    const bool all = call.may("/", "Sys.Audit");
    for (auto it = set.begin(); it != set.end(); ++it) {
        if (!all && it.key() != "console" && it.key() != "tag-style")
            continue;
        if (objects.contains(it.key()))
            data.insert(it.key(), parsed(call, it.key(), it->toString()));
        else if (it.key() == "registered-tags")
            data.insert(it.key(), QJsonArray::fromStringList(words(it->toString())));
        else
            data.insert(it.key(), *it);
    }
    data.insert("allowed-tags", QJsonArray::fromStringList(allowedTags(call)));
    return ApiAnswer::ok(data);
}

ApiAnswer setOptions(Call &call)
{
    const ClusterFile file(call, "file-datacenter_cfg");
    if (auto refusal = file.refusal())
        return *refusal;
    auto &set = call.world.settings.options;
    for (const auto &name : call.given.list("delete"))
        set.remove(name);
    for (const auto &name : call.given.names())
        if (name != "delete")
            set.insert(name, call.typed(name));
    return ApiAnswer::ok();
}

bool isCluster(const Call &call)
{
    return call.world.nodes.size() > 1;
}

QJsonObject corosyncNode(const ClusterNode &node)
{
    return {
        {"name", node.name}, {"nodeid", QString::number(node.id)}, {"quorum_votes", "1"}, {"ring0_addr", node.address}};
}

QJsonObject totemOf(const World &world)
{
    return {{"cluster_name", world.clusterName},
            {"config_version", QString::number(world.nodes.size())},
            {"interface", QJsonObject{{"0", QJsonObject{{"linknumber", "0"}}}}},
            {"ip_version", "ipv4-6"},
            {"link_mode", "passive"},
            {"secauth", "on"},
            {"version", "2"}};
}

ApiAnswer configNodes(Call &call)
{
    QJsonArray data;
    if (isCluster(call))
        for (const auto &node : call.world.nodes) {
            auto row = corosyncNode(node);
            row.insert("node", node.name);
            data.append(row);
        }
    return ApiAnswer::ok(data);
}

ApiAnswer configTotem(Call &call)
{
    return ApiAnswer::ok(isCluster(call) ? totemOf(call.world) : QJsonObject());
}

ApiAnswer configJoin(Call &call)
{
    if (!isCluster(call)) {
        auto answer = ApiAnswer::failed("node is not in a cluster, no join info available!", 424);
        answer.message.chop(1);
        return answer;
    }
    QJsonArray nodes;
    for (const auto &node : call.world.nodes) {
        auto row = corosyncNode(node);
        row.insert("pve_addr", node.address);
        row.insert("pve_fp", node.fingerprint);
        nodes.append(row);
    }
    const auto preferred = call.has("node") ? call.text("node") : call.world.localNode;
    return ApiAnswer::ok(QJsonObject{{"nodelist", nodes},
                                     {"preferred_node", preferred},
                                     {"totem", totemOf(call.world)},
                                     {"config_digest", ClusterFile::digest(QJsonValue(nodes))}});
}

/// Nothing of the kind can be set here, so there is none.
ApiAnswer none(Call &)
{
    return ApiAnswer::ok(QJsonArray());
}
} // namespace

void calls::addSettings(Routes &routes)
{
    routes.add("GET /cluster/options", options);
    routes.add("PUT /cluster/options", setOptions);
    routes.add("GET /cluster/config/nodes", configNodes);
    routes.add("GET /cluster/config/totem", configTotem);
    routes.add("GET /cluster/config/join", configJoin);
    routes.add("GET /cluster/metrics/server", none);
    routes.add("GET /cluster/mapping/pci", none);
    routes.add("GET /cluster/sdn/vnets", none);
}
