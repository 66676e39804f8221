#include "simulator/api/Routes.h"
#include "simulator/api/TaskRows.h"
#include <QJsonArray>

namespace
{
ApiAnswer versionOf(Call &call)
{
    const auto &release = call.release();
    return ApiAnswer::ok(
        QJsonObject{{"release", release.release}, {"repoid", release.repoid}, {"version", release.version}});
}

ApiAnswer status(Call &call)
{
    const auto &world = call.world;
    QJsonArray data;
    if (world.nodes.size() > 1 && !world.clusterName.isEmpty())
        data.append(QJsonObject{{QLatin1String("type"), QLatin1String("cluster")},
                                {QLatin1String("id"), QLatin1String("cluster")},
                                {QLatin1String("name"), world.clusterName},
                                {QLatin1String("nodes"), qint64(world.nodes.size())},
                                {QLatin1String("quorate"), world.quorate ? 1 : 0},
                                {QLatin1String("version"), qint64(world.nodes.size())}});
    for (const auto &node : world.nodes)
        data.append(QJsonObject{{QLatin1String("type"), QLatin1String("node")},
                                {QLatin1String("id"), QString(QLatin1String("node/") + node.name)},
                                {QLatin1String("name"), node.name},
                                {QLatin1String("ip"), node.address},
                                {QLatin1String("level"), QString()},
                                {QLatin1String("local"), node.name == world.localNode ? 1 : 0},
                                {QLatin1String("nodeid"), world.nodes.size() > 1 ? node.id : 0},
                                {QLatin1String("online"), node.online ? 1 : 0}});
    return ApiAnswer::ok(data);
}

ApiAnswer nextId(Call &call)
{
    if (call.has("vmid")) {
        const auto asked = call.text("vmid");
        if (const auto *taken = call.world.guest(asked.toLongLong()))
            return ApiAnswer::invalid(QStringLiteral("vmid"),
                                      QStringLiteral("%1 %2 already exists").arg(taken->word(), asked));
        return ApiAnswer::ok(asked);
    }
    qint64 free = 100;
    while (call.world.guest(free))
        ++free;
    return ApiAnswer::ok(QString::number(free));
}

ApiAnswer tasks(Call &call)
{
    const bool all = call.may(QStringLiteral("/"), "Sys.Audit");
    QMap<QString, int> perNode;
    QJsonArray data;
    for (const auto *task : call.world.tasks()) {
        // Each node tells the others of its last 25 tasks.
        if ((!all && !TaskRows::belongsTo(*task, call.who)) || ++perNode[task->node] > 25)
            continue;
        data.append(TaskRows::forCluster(*task));
    }
    return ApiAnswer::ok(data);
}
} // namespace

void calls::addCluster(Routes &routes)
{
    routes.add("GET /version", versionOf);
    routes.add("GET /nodes/{node}/version", versionOf);
    routes.add("GET /cluster/status", status);
    routes.add("GET /cluster/nextid", nextId);
    routes.add("GET /cluster/tasks", tasks);
}
