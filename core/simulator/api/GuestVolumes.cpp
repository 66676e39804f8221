#include "simulator/api/GuestVolumes.h"
#include "simulator/schema/PropertyString.h"
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace
{
qint64 sizeIn(const QString &line)
{
    return Guest::bytesOfSize(PropertyString::value(line, u"size"_s));
}

QString withVolume(const QString &line, const QString &volume, qint64 bytes)
{
    auto parts = line.split(u',');
    parts[0] = volume;
    const auto size = bytes > 0 ? Guest::sizeOfBytes(bytes) : u"0T"_s;
    auto text = PropertyString::with(parts.join(u','), u"size"_s, size);
    for (const auto &key : {u"format"_s, u"import-from"_s})
        text = PropertyString::with(text, key, {});
    return text;
}

/// What firmware variables and a TPM's state take, whatever was asked for.
qint64 fixedSize(const World &world, const QString &key, const QString &storage)
{
    const auto *kept = world.storage(storage);
    if (key == "tpmstate0"_L1)
        return 4LL << 20;
    if (key == "efidisk0"_L1)
        return kept && !kept->isFileBased() ? 1LL << 20 : 528LL << 10;
    return 0;
}

QString cloudInitDrive(World &world, const Guest &guest, const QString &line)
{
    const auto storage = GuestVolumes::storageOf(line);
    const auto *kept = world.storage(storage);
    const auto name = u"vm-%1-cloudinit"_s.arg(guest.vmid);
    Volume volume;
    volume.id = storage + u':' + (kept && kept->isFileBased() ? u"%1/%2.qcow2"_s.arg(guest.vmid).arg(name) : name);
    volume.storage = storage;
    volume.node = kept && kept->shared ? QString() : guest.node;
    volume.content = u"images"_s;
    volume.format = kept && kept->isFileBased() ? u"qcow2"_s : u"raw"_s;
    volume.size = 4LL << 20;
    volume.created = world.now();
    volume.vmid = guest.vmid;
    world.volumes.push_back(volume);
    auto text = PropertyString::with(line, u"media"_s, u"cdrom"_s);
    return withVolume(text, volume.id, volume.size);
}
} // namespace

QString GuestVolumes::in(const QString &line)
{
    const auto volume = PropertyString::first(line);
    return volume.contains(u':') && !volume.startsWith(u'/') ? volume : QString();
}

QString GuestVolumes::storageOf(const QString &volume)
{
    return PropertyString::first(volume).section(u':', 0, 0);
}

bool GuestVolumes::isWish(const QString &line)
{
    static const QRegularExpression wish(u"\\A[A-Za-z][\\w.-]*:(?:\\d+(?:\\.\\d+)?|cloudinit)\\z"_s);
    return wish.match(PropertyString::first(line)).hasMatch();
}

GuestVolumes::Line GuestVolumes::made(World &world, const Guest &guest, const QString &key, const QString &line)
{
    if (!isWish(line))
        return {line, {}};
    const auto first = PropertyString::first(line);
    const auto storage = storageOf(line);
    if (first.endsWith(":cloudinit"_L1))
        return {cloudInitDrive(world, guest, line), {}};
    auto bytes = qint64(first.section(u':', 1).toDouble() * double(1LL << 30));
    if (const auto source = PropertyString::value(line, u"import-from"_s); !source.isEmpty()) {
        const auto *image = world.volume(source, guest.node);
        if (!image)
            return {line, u"volume '%1' does not exist"_s.arg(source)};
        bytes = image->size;
    }
    if (const auto fixed = fixedSize(world, key, storage))
        bytes = fixed;
    const auto id = world.allocate(storage, guest, bytes, PropertyString::value(line, u"format"_s));
    return {withVolume(line, id, bytes), {}};
}

QString GuestVolumes::copied(World &world, const Guest &source, const QString &line, const Guest &target,
                             const QString &storage, const QString &format)
{
    const auto *from = world.volume(in(line), source.node);
    const auto bytes = from ? from->size : sizeIn(line);
    const auto used = from ? from->used : 0;
    const auto wanted = !format.isEmpty() ? format : from ? from->format : QString();
    const auto place = storage.isEmpty() ? storageOf(line) : storage;
    const bool folder = wanted == "subvol"_L1 && world.storage(place) && world.storage(place)->isFileBased();
    const auto id = world.allocate(place, target, bytes, folder && bytes > 0 ? u"raw"_s : wanted);
    world.volumes.back().used = used;
    return withVolume(line, id, bytes);
}

QString GuestVolumes::linked(World &world, const Guest &source, const QString &line, const Guest &target)
{
    const auto base = in(line);
    const auto *from = world.volume(base, source.node);
    const auto bytes = from ? from->size : sizeIn(line);
    const auto own = world.allocate(storageOf(base), target, bytes, from ? from->format : QString());
    auto &volume = world.volumes.back();
    volume.id = base + u'/' + own.section(u':', 1);
    volume.parent = base.section(u'/', -1).section(u':', -1);
    return withVolume(line, volume.id, bytes);
}

QString GuestVolumes::based(World &world, const Guest &guest, const QString &line)
{
    const auto old = in(line);
    auto renamed = old;
    renamed.replace(u":vm-"_s, u":base-"_s).replace(u"/vm-"_s, u"/base-"_s);
    renamed.replace(u":subvol-"_s, u":basevol-"_s).replace(u"/subvol-"_s, u"/basevol-"_s);
    if (auto *volume = world.volume(old, guest.node))
        volume->id = renamed;
    auto parts = line.split(u',');
    parts[0].replace(old, renamed);
    return parts.join(u',');
}

QString GuestVolumes::unusedKey(const Guest &guest)
{
    int slot = 0;
    while (guest.config.contains(u"unused%1"_s.arg(slot)))
        ++slot;
    return u"unused%1"_s.arg(slot);
}

std::optional<ApiAnswer> GuestVolumes::refusedStorage(const Call &call, GuestKind kind, const QString &name)
{
    const auto *storage = call.world.storage(name);
    if (!storage)
        return ApiAnswer::failed(u"storage '%1' does not exist"_s.arg(name));
    if (auto refused = refusedSpace(call, name))
        return refused;
    const bool machine = kind == GuestKind::Qemu;
    if (storage->content.contains(machine ? u"images"_s : u"rootdir"_s))
        return std::nullopt;
    return ApiAnswer::invalid(u"storage"_s, u"storage '%1' does not support %2"_s.arg(
                                                name, machine ? u"vm images"_s : u"container directories"_s));
}

std::optional<ApiAnswer> GuestVolumes::refusedSpace(const Call &call, const QString &storage)
{
    const auto path = u"/storage/"_s + storage;
    if (call.may(path, "Datastore.AllocateSpace"))
        return std::nullopt;
    return ApiAnswer::refused(path + ", Datastore.AllocateSpace"_L1);
}

bool GuestVolumes::canSnapshot(const World &world, const Guest &guest)
{
    const auto keys = guest.diskKeys();
    return std::all_of(keys.begin(), keys.end(), [&](const QString &key) {
        const auto volume = PropertyString::first(guest.config.value(key));
        const auto *storage = world.storage(storageOf(volume));
        return key.startsWith("unused"_L1) || !storage || storage->type == "zfspool"_L1 || volume.endsWith(".qcow2"_L1);
    });
}

QString GuestVolumes::path(const World &world, const QString &id)
{
    const auto *storage = world.storage(storageOf(id));
    const auto rest = id.section(u':', 1);
    if (!storage)
        return {};
    if (!storage->isFileBased())
        return "/dev/zvol/"_L1 + storage->options.value(u"pool"_s) + u'/' + rest.section(u'/', -1);
    const auto root = storage->options.value(u"path"_s, "/mnt/pve/"_L1 + storage->name);
    if (rest.startsWith("backup/"_L1))
        return root + "/dump/"_L1 + rest.section(u'/', 1);
    if (rest.startsWith("iso/"_L1))
        return root + "/template/iso/"_L1 + rest.section(u'/', 1);
    if (rest.startsWith("vztmpl/"_L1))
        return root + "/template/cache/"_L1 + rest.section(u'/', 1);
    if (rest.startsWith("snippets/"_L1) || rest.startsWith("import/"_L1))
        return root + u'/' + rest;
    return root + "/images/"_L1 + rest.section(u'/', -2);
}
