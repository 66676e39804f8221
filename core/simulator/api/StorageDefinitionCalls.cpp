#include "simulator/api/Routes.h"

using namespace Qt::StringLiterals;

namespace
{
std::optional<ApiAnswer> noQuorum(const Call &call, const QString &what)
{
    if (call.world.quorate)
        return std::nullopt;
    return ApiAnswer::failed(what + u" storage failed: cfs-lock 'file-storage_cfg' error: no quorum!"_s);
}

ApiAnswer described(const StorageDefinition &storage)
{
    return ApiAnswer::ok(QJsonObject{{"storage"_L1, storage.name}, {"type"_L1, storage.type}});
}

QStringList required(const QString &type)
{
    static const QMap<QString, QStringList> known{{u"dir"_s, {u"path"_s}},
                                                  {u"nfs"_s, {u"server"_s, u"export"_s}},
                                                  {u"cifs"_s, {u"server"_s, u"share"_s}},
                                                  {u"zfspool"_s, {u"pool"_s}},
                                                  {u"lvm"_s, {u"vgname"_s}},
                                                  {u"lvmthin"_s, {u"thinpool"_s, u"vgname"_s}},
                                                  {u"pbs"_s, {u"server"_s, u"datastore"_s}}};
    return known.value(type);
}

void apply(const Call &call, StorageDefinition &storage)
{
    static const QStringList own{u"storage"_s, u"type"_s,   u"content"_s, u"nodes"_s,
                                 u"delete"_s,  u"digest"_s, u"password"_s};
    for (const auto &key : call.given.list(u"delete"_s)) {
        storage.options.remove(key);
        if (key == "nodes"_L1)
            storage.nodes.clear();
    }
    for (const auto &name : call.given.names())
        if (!own.contains(name))
            storage.options[name] = call.given.text(name);
    if (call.has("content"))
        storage.content = call.given.list(u"content"_s);
    if (call.has("nodes"))
        storage.nodes = call.given.list(u"nodes"_s);
    static const QStringList remote{u"nfs"_s, u"cifs"_s, u"pbs"_s, u"cephfs"_s, u"rbd"_s, u"iscsi"_s};
    storage.enabled = storage.options.value(u"disable"_s) != u'1';
    storage.shared = remote.contains(storage.type) || storage.options.value(u"shared"_s) == u'1';
}

ApiAnswer create(Call &call)
{
    const auto name = call.text("storage");
    if (auto refused = noQuorum(call, u"create"_s))
        return *refused;
    for (const auto &key : required(call.text("type")))
        if (!call.given.has(key))
            return ApiAnswer::failed(u"missing value for required option '%1'"_s.arg(key));
    if (call.world.storage(name))
        return ApiAnswer::failed(u"create storage failed: storage ID '%1' already defined"_s.arg(name));
    StorageDefinition storage;
    storage.name = name;
    storage.type = call.text("type");
    storage.content = {storage.type == "pbs"_L1 ? u"backup"_s : u"images"_s};
    if (storage.type != "pbs"_L1)
        storage.content.append(u"rootdir"_s);
    const auto *node = call.world.node(call.world.localNode);
    storage.total = storage.type == "dir"_L1 && node ? node->disk : 1LL << 40;
    apply(call, storage);
    call.world.storages.push_back(storage);
    return described(storage);
}

ApiAnswer missing(const QString &what, const QString &name)
{
    return ApiAnswer::failed(u"%1 storage failed: storage '%2' does not exist"_s.arg(what, name));
}

ApiAnswer change(Call &call)
{
    if (auto refused = noQuorum(call, u"update"_s))
        return *refused;
    auto *storage = call.world.storage(call.text("storage"));
    if (!storage)
        return missing(u"update"_s, call.text("storage"));
    apply(call, *storage);
    return described(*storage);
}

ApiAnswer remove(Call &call)
{
    const auto name = call.text("storage");
    if (auto refused = noQuorum(call, u"delete"_s))
        return *refused;
    if (!call.world.storage(name))
        return missing(u"delete"_s, name);
    // What lies on it stays where it is, but nobody sees it any more.
    std::erase_if(call.world.volumes, [&](const auto &volume) { return volume.storage == name; });
    std::erase_if(call.world.storages, [&](const auto &storage) { return storage.name == name; });
    return ApiAnswer::ok();
}
} // namespace

void calls::addStorageDefinitions(Routes &routes)
{
    routes.add("POST /storage", create);
    routes.add("PUT /storage/{storage}", change);
    routes.add("DELETE /storage/{storage}", remove);
}
