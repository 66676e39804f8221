#include "simulator/api/GuestLines.h"
#include "simulator/api/GuestVolumes.h"
#include "simulator/schema/PropertyString.h"
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace
{
/// Containers may be given nesting; the rest opens the node to them.
std::optional<ApiAnswer> refusedFeatures(const Call &call, const QString &value)
{
    if (call.who.isRoot())
        return std::nullopt;
    for (const auto &part : value.split(u',', Qt::SkipEmptyParts))
        if (part.section(u'=', 0, 0) != "nesting"_L1 && part.section(u'=', 1) != u'0')
            return ApiAnswer::refused(u"changing feature flags (except nesting) is only allowed for root@pam"_s);
    return std::nullopt;
}

std::optional<ApiAnswer> refusedVolume(const Call &call, const QString &value)
{
    const auto volume = GuestVolumes::in(value);
    if (volume.isEmpty() || GuestVolumes::isWish(value))
        return std::nullopt;
    const auto *storage = call.world.storage(GuestVolumes::storageOf(volume));
    const auto name = volume.section(u':', 1);
    if (!storage)
        return ApiAnswer::failed(u"storage '%1' does not exist"_s.arg(GuestVolumes::storageOf(volume)));
    if (storage->isFileBased() && !name.contains(u'/'))
        return ApiAnswer::failed(u"unable to parse directory volume name '%1'"_s.arg(name));
    static const QRegularExpression dataset(
        u"\\A(?:base(?:vol)?-\\d+-[^/]+/)?(?:base|basevol|subvol|vm)-\\d+-[^/]+\\z"_s);
    if (storage->type == "zfspool"_L1 && !dataset.match(name).hasMatch())
        return ApiAnswer::failed(u"unable to parse zfs volume name '%1'"_s.arg(name));
    return std::nullopt;
}
} // namespace

std::optional<ApiAnswer> GuestLines::refused(const Call &call, GuestKind kind, const QString &key, const QString &value)
{
    if (kind == GuestKind::Lxc && key == "features"_L1)
        return refusedFeatures(call, value);
    if (!Guest::isDiskKey(key))
        return std::nullopt;
    const bool bind = kind == GuestKind::Lxc && PropertyString::first(value).startsWith(u'/');
    if (bind && !call.who.isRoot())
        return ApiAnswer::refused(u"mount point type %1 is only allowed for root@pam"_s.arg(
            value.startsWith("/dev/"_L1) ? u"device"_s : u"bind"_s));
    return refusedVolume(call, value);
}
