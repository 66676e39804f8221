#include "operations/References.h"
#include "base/DisplayText.h"
#include "operations/Requests.h"
#include "operations/Words.h"
#include <algorithm>

namespace
{
/// A storage of the inventory that a name fits, and what follows the name.
struct NamedStorage {
    InventoryPtr in;
    const StorageState *storage;
    QString rest;

    QString exact() const { return storage->node.text() + u'/' + storage->name.text(); }
    QString exactWithRemote() const { return in->remoteName + u':' + exact(); }
    bool canBeAsked() const
    {
        const auto *node = in->node(storage->node);
        return storage->isAvailable && node && node->status == NodeState::Status::Online;
    }
};

/// Every way to write a storage's name.
QStringList namesOf(const InventorySnapshot &state, const StorageState &storage)
{
    const auto name = storage.name.text();
    const auto onNode = storage.node.text() + u'/' + name;
    return {name,
            onNode,
            state.remoteName + u':' + name,
            state.remoteName + u':' + onNode,
            state.remoteId + u':' + name,
            state.remoteId + u':' + onNode};
}

/// With `hasRest` the name is followed by ":path".
std::vector<NamedStorage> storagesNamed(const QString &asked, const Inventory &inventory, bool hasRest)
{
    std::vector<NamedStorage> found;
    for (const auto &state : inventory.snapshots())
        for (const auto &storage : state->storages)
            for (const auto &name : namesOf(*state, storage))
                if (hasRest ? asked.startsWith(name + u':') : asked == name) {
                    found.push_back({state, &storage, asked.mid(name.size() + 1)});
                    break;
                }
    return found;
}

Error noStorage(const QString &asked, const Inventory &inventory)
{
    QStringList known;
    for (const auto &state : inventory.snapshots())
        for (const auto &storage : state->storages)
            if (!known.contains(storage.name.text()))
                known << storage.name.text();
    auto message =
        words(QT_TRANSLATE_NOOP("operation", "No storage is called \"%1\".")).arg(DisplayText::visible(asked.left(80)));
    if (!known.isEmpty())
        message += u' ' + words(QT_TRANSLATE_NOOP("operation", "There is: %1.")).arg(listText(known, 12));
    return {Error::Kind::NotFound, message};
}

Error severalStorages(const QString &asked, const std::vector<NamedStorage> &found, bool withRemote)
{
    QStringList exact;
    for (const auto &each : found)
        exact << (withRemote ? each.exactWithRemote() : each.exact());
    return {Error::Kind::Ambiguous,
            words(QT_TRANSLATE_NOOP("operation", "Several storages are called \"%1\". Write which one: %2."))
                .arg(DisplayText::visible(asked.left(80)), listText(exact, 8))};
}

/// The one that is meant; of a shared storage the view of a node that can be asked.
Result<NamedStorage> one(const QString &asked, const std::vector<NamedStorage> &found, const Inventory &inventory)
{
    if (found.empty())
        return noStorage(asked, inventory);
    const auto &first = found.front();
    const auto isOfAnotherRemote = [&](const NamedStorage &each) { return each.in->remoteId != first.in->remoteId; };
    const auto isLocal = [](const NamedStorage &each) { return !each.storage->isShared; };
    if (std::any_of(found.begin(), found.end(), isOfAnotherRemote))
        return severalStorages(asked, found, true);
    if (found.size() > 1 && std::any_of(found.begin(), found.end(), isLocal))
        return severalStorages(asked, found, false);
    const auto best = std::find_if(found.begin(), found.end(), [](const auto &each) { return each.canBeAsked(); });
    return best == found.end() ? first : *best;
}

StorageRef refOf(const NamedStorage &named, const QString &asked)
{
    return {asked, named.in->remoteId, named.storage->node, named.storage->name, named.storage->isShared};
}

template <class T, class Into>
Result<> put(const Result<T> &found, Into &into)
{
    if (!found)
        return found.error();
    into = *found;
    return {};
}

/// "homelab:rest" → the id of that connection; without a prefix the only one there is.
Result<QString> remoteBefore(QString &text, const Inventory &inventory)
{
    const auto colon = text.indexOf(u':');
    RemoteRef remote{colon < 0 ? QString() : text.left(colon)};
    if (auto found = References::resolve(remote, inventory); !found)
        return found.error();
    text = text.mid(colon + 1);
    return remote.remote;
}

/// A reference is text; a guest's number may come as a number.
template <class Ref>
Result<Ref> refIn(const QJsonValue &json)
{
    Ref ref;
    ref.asked = json.isDouble() ? QString::number(json.toInteger()) : json.toString();
    if (ref.asked.isEmpty())
        return Error{Error::Kind::Invalid, words(QT_TRANSLATE_NOOP("operation", "must be text that is not empty"))};
    return ref;
}
} // namespace

QString StorageRef::text() const
{
    return remote + u':' + (isShared ? storage.text() : node.text() + u'/' + storage.text());
}

QString StorageRef::key() const
{
    return remote + QLatin1String(":storage/") + text().mid(remote.size() + 1);
}

QString StorageRef::label() const
{
    return isShared ? storage.text()
                    : words(QT_TRANSLATE_NOOP("operation", "%1 on %2")).arg(storage.text(), node.text());
}

QString VolumeRef::text() const
{
    return on.text() + volume.text().mid(on.storage.text().size());
}

QString PlaceRef::text() const
{
    if (guest)
        return guest->key();
    return remote + (isDatacenter() ? QStringLiteral(":datacenter") : QLatin1String(":node/") + node.text());
}

QString PlaceRef::label() const
{
    if (guest)
        return guest->label();
    return isDatacenter() ? words(QT_TRANSLATE_NOOP("operation", "the datacenter")) : node.text();
}

Result<> References::resolve(GuestRef &guest, const Inventory &inventory)
{
    return put(inventory.resolveGuest(guest.asked), guest);
}

Result<> References::resolve(NodeRef &node, const Inventory &inventory)
{
    return put(inventory.resolveNode(node.asked), node);
}

Result<> References::resolve(TaskRef &task, const Inventory &inventory)
{
    return put(inventory.remoteOfNode(task.upid.node), task.remote);
}

Result<> References::resolve(RemoteRef &remote, const Inventory &inventory)
{
    const auto known = inventory.snapshots();
    if (remote.asked.isEmpty() && known.size() == 1) {
        remote.remote = known.front()->remoteId;
        return {};
    }
    if (remote.asked.isEmpty() && !known.empty()) {
        QStringList names;
        for (const auto &each : known)
            names << each->remoteName;
        return Error{
            Error::Kind::Ambiguous,
            words(QT_TRANSLATE_NOOP("operation", "Say which connection is meant: %1.")).arg(listText(names, 8))};
    }
    return put(resolveRemote(remote.asked, inventory), remote.remote);
}

Result<> References::resolve(std::optional<RemoteRef> &remote, const Inventory &inventory)
{
    return remote ? resolve(*remote, inventory) : Result<>();
}

Result<> References::resolve(StorageRef &storage, const Inventory &inventory)
{
    const auto found = one(storage.asked, storagesNamed(storage.asked, inventory, false), inventory);
    if (!found)
        return found.error();
    storage = refOf(*found, storage.asked);
    return {};
}

Result<> References::resolve(VolumeRef &volume, const Inventory &inventory)
{
    if (!volume.asked.contains(u':'))
        return Error{
            Error::Kind::Invalid,
            words(QT_TRANSLATE_NOOP("operation", "A volume is named by its whole id, like local:iso/debian.iso."))};
    const auto found = one(volume.asked, storagesNamed(volume.asked, inventory, true), inventory);
    if (!found)
        return found.error();
    auto id = VolumeId::from(found->storage->name.text() + u':' + found->rest);
    if (!id)
        return id.error();
    volume.on = refOf(*found, volume.asked);
    volume.volume = *id;
    return {};
}

Result<> References::resolve(PoolRef &pool, const Inventory &inventory)
{
    auto name = pool.asked;
    const auto remote = remoteBefore(name, inventory);
    if (!remote)
        return remote.error();
    pool.remote = *remote;
    pool.pool = name;
    return {};
}

Result<> References::resolve(PlaceRef &place, const Inventory &inventory)
{
    const auto last = place.asked.section(u':', -1);
    if (last == QLatin1String("datacenter")) {
        auto rest = place.asked;
        return put(remoteBefore(rest, inventory), place.remote);
    }
    const bool isNode = last.startsWith(QLatin1String("node/"));
    const auto node = inventory.resolveNode(QString(place.asked).remove(QStringLiteral("node/")));
    const auto guest =
        isNode ? Result<GuestRef>(Error{Error::Kind::NotFound, {}}) : inventory.resolveGuest(place.asked);
    if (node && guest)
        return Error{Error::Kind::Ambiguous,
                     words(QT_TRANSLATE_NOOP("operation", "A node and a guest are called \"%1\". Write node/%1 for the "
                                                          "node, or the guest's id %2."))
                         .arg(DisplayText::visible(last), guest->vmid.text())};
    if (!node && isNode)
        return node.error();
    if (!node && !guest && guest.error().kind != Error::Kind::NotFound)
        return guest.error();
    if (!node && !guest)
        return Error{Error::Kind::NotFound,
                     words(QT_TRANSLATE_NOOP("operation", "Neither a node nor a guest is called \"%1\". For the whole "
                                                          "cluster write datacenter."))
                         .arg(DisplayText::visible(last))};
    place.remote = guest ? guest->remote : node->remote;
    place.node = guest ? guest->node : node->node;
    place.guest.reset();
    if (guest)
        place.guest = *guest;
    return {};
}

Target References::target(const GuestRef &guest)
{
    return {guest.remote, guest.isResolved() ? guest.key() : QString(), guest.label(), guest};
}

Target References::target(const NodeRef &node)
{
    return {node.remote, node.key(), node.node.text(), {}, node.node};
}

Target References::target(const TaskRef &task)
{
    return {task.remote, task.upid.text, task.upid.type + u' ' + task.upid.id};
}

Target References::target(const RemoteRef &remote)
{
    return {remote.remote, remote.remote, remote.asked.isEmpty() ? remote.remote : remote.asked};
}

Target References::target(const std::optional<RemoteRef> &remote)
{
    return remote ? target(*remote) : Target();
}

Target References::target(const StorageRef &storage)
{
    return {storage.remote, storage.key(), storage.label(), {}, storage.node};
}

Target References::target(const VolumeRef &volume)
{
    return {volume.on.remote, volume.text(), DisplayText::visible(volume.volume.text()), {}, volume.on.node};
}

Target References::target(const PoolRef &pool)
{
    return {pool.remote, pool.remote + QLatin1String(":pool/") + pool.pool,
            words(QT_TRANSLATE_NOOP("operation", "pool %1")).arg(DisplayText::visible(pool.pool))};
}

Target References::target(const PlaceRef &place)
{
    if (place.guest)
        return target(*place.guest);
    if (place.isDatacenter())
        return {place.remote, place.text(), place.label()};
    return {place.remote, place.remote + QLatin1String(":node/") + place.node.text(), place.label(), {}, place.node};
}

Result<StorageRef> JsonField<StorageRef>::read(const QJsonValue &json)
{
    return refIn<StorageRef>(json);
}

Result<VolumeRef> JsonField<VolumeRef>::read(const QJsonValue &json)
{
    return refIn<VolumeRef>(json);
}

Result<PoolRef> JsonField<PoolRef>::read(const QJsonValue &json)
{
    return refIn<PoolRef>(json);
}

QJsonValue JsonField<PoolRef>::json(const PoolRef &value)
{
    return value.remote.isEmpty() ? value.asked : value.remote + u':' + value.pool;
}

Result<PlaceRef> JsonField<PlaceRef>::read(const QJsonValue &json)
{
    return refIn<PlaceRef>(json);
}
