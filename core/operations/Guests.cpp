#include "operations/Guests.h"
#include "model/PveValue.h"
#include "operations/Words.h"
#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>

/// A switch that is there but cannot be read counts as on, where on is the side that forbids.
static bool isOn(const QJsonObject &config, const char *key)
{
    const auto value = config[QLatin1String(key)];
    return !value.isUndefined() && !value.isNull() && PveValue::boolean(value).value_or(true);
}

/// A lock that cannot be read is one.
static std::optional<QString> lockOf(const QJsonObject &object)
{
    const auto lock = object[QLatin1String("lock")];
    if (lock.isUndefined() || lock.isNull())
        return std::nullopt;
    return lock.isString() ? lock.toString() : QStringLiteral("?");
}

QCoro::Task<Result<GuestNow>> readGuest(OperationContext context, GuestRef guest)
{
    auto asksStatus = getObject(context, guest.remote, guestRequest(Method::Get, guest, {"status", "current"}));
    auto asksConfig = getObject(context, guest.remote, guestRequest(Method::Get, guest, {"config"}));
    auto status = co_await asksStatus;
    auto config = co_await asksConfig;
    if (!status)
        co_return status.error();
    if (!config)
        co_return config.error();
    GuestNow now;
    now.status = *status;
    now.config = *config;
    const auto power = now.status.value(QLatin1String("status"));
    if (!power.isString() || power.toString().isEmpty())
        co_return Error{Error::Kind::Malformed,
                        words(QT_TRANSLATE_NOOP("operation", "Proxmox VE did not say whether the guest runs."))};
    const auto inner = now.status.value(QLatin1String("qmpstatus")).toString();
    now.power = inner == QLatin1String("paused") ? inner : power.toString();
    now.lock = lockOf(now.config).value_or(lockOf(now.status).value_or(QString()));
    now.digest = now.config.value(QLatin1String("digest")).toString();
    if (now.digest.isEmpty()) // every configuration has one, and changes are bound to it
        co_return Error{Error::Kind::Malformed,
                        words(QT_TRANSLATE_NOOP("operation", "Proxmox VE did not send the guest's configuration."))};
    now.isHaManaged = PveValue::boolean(now.status.value(QLatin1String("ha")).toObject(), "managed").value_or(false);
    now.isProtected = isOn(now.config, "protection");
    now.uptime = PveValue::integer(now.status, "uptime");
    co_return now;
}

Result<> mayChange(const GuestRef &guest, const GuestNow &now)
{
    if (!now.lock.isEmpty())
        return Error{
            Error::Kind::Conflict,
            words(QT_TRANSLATE_NOOP("operation", "%1 is locked (%2): a task of that kind is at work or was cut off. "
                                                 "Wait for it, or unlock the guest on its node."))
                .arg(guest.label(), valueText(now.lock))};
    if (isOn(now.config, "template"))
        return Error{Error::Kind::Conflict,
                     words(QT_TRANSLATE_NOOP("operation", "%1 is a template. Clone it and work on the clone."))
                         .arg(guest.label())};
    return {};
}

static QString spanText(qint64 seconds)
{
    if (seconds >= 2 * 86400)
        return words(QT_TRANSLATE_NOOP("operation", "%1 days")).arg(seconds / 86400);
    if (seconds >= 2 * 3600)
        return words(QT_TRANSLATE_NOOP("operation", "%1 hours")).arg(seconds / 3600);
    return words(QT_TRANSLATE_NOOP("operation", "%1 minutes")).arg(seconds / 60);
}

PlanFact stateFact(const GuestNow &now)
{
    auto value = now.power;
    if (now.power == QLatin1String("running") && now.uptime)
        value = words(QT_TRANSLATE_NOOP("operation", "running for %1")).arg(spanText(*now.uptime));
    return {words(QT_TRANSLATE_NOOP("operation", "State now")), value};
}

const SnapshotNow *SnapshotsNow::find(const QString &name) const
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const SnapshotNow &s) { return s.name == name; });
    return found == all.end() ? nullptr : &*found;
}

QStringList SnapshotsNow::names() const
{
    QStringList list;
    for (const auto &snapshot : all)
        list << snapshot.name;
    return list;
}

QCoro::Task<Result<SnapshotsNow>> readSnapshots(OperationContext context, GuestRef guest)
{
    auto request = guestRequest(Method::Get, guest, {"snapshot"});
    auto answer = co_await getArray(context, guest.remote, std::move(request));
    if (!answer)
        co_return answer.error();
    SnapshotsNow snapshots;
    for (const auto &entry : std::as_const(*answer)) {
        const auto one = entry.toObject();
        const auto name = PveValue::text(one, "name").value_or(QString());
        const auto parent = PveValue::text(one, "parent").value_or(QString());
        if (name == QLatin1String("current"))
            snapshots.currentParent = parent;
        else if (!name.isEmpty())
            snapshots.all.push_back({name, parent, PveValue::text(one, "description").value_or(QString()),
                                     PveValue::integer(one, "snaptime").value_or(0),
                                     PveValue::boolean(one, "vmstate").value_or(false)});
    }
    std::stable_sort(snapshots.all.begin(), snapshots.all.end(),
                     [](const auto &a, const auto &b) { return a.time < b.time; });
    co_return snapshots;
}

std::vector<DiskNow> disksOf(const QJsonObject &config)
{
    static const QRegularExpression diskKey(
        QStringLiteral("^(scsi|virtio|ide|sata|efidisk|tpmstate|unused|mp)\\d+$|^rootfs$"));
    static const QRegularExpression sizePart(QStringLiteral("(?:^|,)size=([^,]+)"));
    std::vector<DiskNow> disks;
    for (auto it = config.begin(); it != config.end(); ++it) {
        const auto value = it.value().toString();
        const auto volume = value.section(u',', 0, 0);
        if (!diskKey.match(it.key()).hasMatch() || value.contains(QLatin1String("media=cdrom")) ||
            !volume.contains(u':'))
            continue;
        disks.push_back({it.key(), volume, volume.section(u':', 0, 0), sizePart.match(value).captured(1)});
    }
    return disks;
}
