#include "simulator/api/Routes.h"
#include "simulator/world/Metrics.h"
#include <QCryptographicHash>
#include <QJsonArray>

namespace
{
QString digest(const World &world)
{
    QByteArray all;
    for (const auto &storage : world.storages)
        all += storage.name.toUtf8() + storage.type.toUtf8() + storage.content.join(u',').toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(all, QCryptographicHash::Sha1).toHex());
}

QJsonObject definition(const World &world, const StorageDefinition &storage)
{
    QJsonObject row{{QLatin1String("storage"), storage.name},
                    {QLatin1String("type"), storage.type},
                    {QLatin1String("content"), storage.content.join(u',')},
                    {QLatin1String("digest"), digest(world)}};
    for (auto it = storage.options.begin(); it != storage.options.end(); ++it) {
        const bool flag = it.key() == QLatin1String("disable") || it.key() == QLatin1String("sparse");
        row.insert(it.key(), flag ? QJsonValue(it->toInt()) : QJsonValue(*it));
    }
    if (!storage.nodes.isEmpty())
        row.insert(QLatin1String("nodes"), storage.nodes.join(u','));
    return row;
}

bool isVisible(const Call &call, const StorageDefinition &storage)
{
    const auto path = QStringLiteral("/storage/") + storage.name;
    return call.may(path, "Datastore.Audit") || call.may(path, "Datastore.AllocateSpace");
}

ApiAnswer definitions(Call &call)
{
    QJsonArray data;
    for (const auto &storage : call.world.storages)
        if (isVisible(call, storage) && (!call.has("type") || call.text("type") == storage.type))
            data.append(definition(call.world, storage));
    return ApiAnswer::ok(data);
}

ApiAnswer oneDefinition(Call &call)
{
    const auto *storage = call.world.storage(call.text("storage"));
    return storage ? ApiAnswer::ok(definition(call.world, *storage))
                   : ApiAnswer::failed(QStringLiteral("storage '%1' does not exist").arg(call.text("storage")));
}

QJsonObject state(const World &world, const StorageDefinition &storage, const QString &node)
{
    const bool on = storage.isOn(node);
    QJsonObject row{{QLatin1String("type"), storage.type},
                    {QLatin1String("content"), storage.content.join(u',')},
                    {QLatin1String("shared"), storage.shared ? 1 : 0},
                    {QLatin1String("enabled"), storage.enabled ? 1 : 0},
                    {QLatin1String("active"), on ? 1 : 0}};
    const auto used = on ? Metrics(world).storageUsed(storage, node, world.now() / 10 * 10) : 0;
    row.insert(QLatin1String("total"), on ? storage.total : 0);
    row.insert(QLatin1String("used"), used);
    row.insert(QLatin1String("avail"), on ? storage.total - used : 0);
    return row;
}

ApiAnswer onNode(Call &call)
{
    QJsonArray data;
    for (const auto &storage : call.world.storages) {
        const bool elsewhere = !storage.nodes.isEmpty() && !storage.nodes.contains(call.node());
        if (!isVisible(call, storage) || elsewhere || (call.flag("enabled") && !storage.enabled) ||
            (call.has("storage") && call.text("storage") != storage.name))
            continue;
        bool wanted = !call.has("content");
        for (const auto &content : call.given.list(QStringLiteral("content")))
            wanted = wanted || storage.content.contains(content);
        if (!wanted)
            continue;
        auto row = state(call.world, storage, call.node());
        row.insert(QLatin1String("storage"), storage.name);
        if (const auto total = row.value(QLatin1String("total")).toDouble(); total > 0)
            row.insert(QLatin1String("used_fraction"), row.value(QLatin1String("used")).toDouble() / total);
        data.append(row);
    }
    return ApiAnswer::ok(data);
}

ApiAnswer status(Call &call)
{
    const auto *storage = call.world.storage(call.text("storage"));
    if (!storage)
        return ApiAnswer::invalid(QStringLiteral("storage"), QStringLiteral("No such storage."));
    return ApiAnswer::ok(state(call.world, *storage, call.node()));
}

QJsonObject volumeRow(const Volume &volume)
{
    QJsonObject row{{QLatin1String("volid"), volume.id},
                    {QLatin1String("content"), volume.content},
                    {QLatin1String("format"), volume.format},
                    {QLatin1String("size"), volume.size},
                    {QLatin1String("ctime"), volume.created}};
    if (volume.vmid)
        row.insert(QLatin1String("vmid"), volume.vmid);
    if (volume.content == QLatin1String("images") || volume.content == QLatin1String("rootdir")) {
        row.insert(QLatin1String("used"), volume.used);
        row.insert(QLatin1String("parent"), QJsonValue());
    }
    if (volume.content == QLatin1String("backup"))
        row.insert(QLatin1String("subtype"),
                   volume.format.startsWith(QLatin1String("vma")) ? QLatin1String("qemu") : QLatin1String("lxc"));
    if (!volume.notes.isEmpty())
        row.insert(QLatin1String("notes"), volume.notes);
    if (volume.isProtected)
        row.insert(QLatin1String("protected"), 1);
    return row;
}

/// Who may not manage the storage sees a guest's volumes only with rights on the guest.
bool mayList(const Call &call, const Volume &volume)
{
    if (call.may(QStringLiteral("/storage/") + volume.storage, "Datastore.Allocate"))
        return true;
    if (volume.vmid == 0)
        return true;
    const auto path = QStringLiteral("/vms/") + QString::number(volume.vmid);
    return volume.content == QLatin1String("backup") ? call.may(path, "VM.Backup") : call.may(path, "VM.Config.Disk");
}

ApiAnswer content(Call &call)
{
    const auto *storage = call.world.storage(call.text("storage"));
    if (!storage)
        return ApiAnswer::failed(QStringLiteral("storage '%1' does not exist").arg(call.text("storage")));
    if (!storage->enabled)
        return ApiAnswer::failed(QStringLiteral("storage '%1' is disabled").arg(storage->name));
    QJsonArray data;
    for (const auto &volume : call.world.volumes) {
        const bool here = volume.storage == storage->name && (volume.node.isEmpty() || volume.node == call.node());
        const bool wanted = (!call.has("content") || call.text("content") == volume.content) &&
                            (!call.has("vmid") || call.text("vmid").toLongLong() == volume.vmid);
        if (here && wanted && mayList(call, volume))
            data.append(volumeRow(volume));
    }
    return ApiAnswer::ok(data);
}

ApiAnswer rows(Call &call)
{
    const auto *storage = call.world.storage(call.text("storage"));
    if (!storage)
        return ApiAnswer::failed(QStringLiteral("storage '%1' does not exist").arg(call.text("storage")));
    return ApiAnswer::ok(Metrics(call.world).storageRows(*storage, call.node(), call.text("timeframe")));
}
} // namespace

void calls::addStorage(Routes &routes)
{
    routes.add("GET /storage", definitions);
    routes.add("GET /storage/{storage}", oneDefinition);
    routes.add("GET /nodes/{node}/storage", onNode);
    routes.add("GET /nodes/{node}/storage/{storage}/status", status);
    routes.add("GET /nodes/{node}/storage/{storage}/content", content);
    routes.add("GET /nodes/{node}/storage/{storage}/rrddata", rows);
}
