#include "operations/Guests.h"
#include "model/PveValue.h"
#include "operations/Words.h"
#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>

QCoro::Task<Result<GuestNow>> readGuest(OperationContext context, GuestRef guest)
{
    auto asksStatus = get(context, guest.remote, guestRequest(Method::Get, guest, {"status", "current"}));
    auto asksConfig = get(context, guest.remote, guestRequest(Method::Get, guest, {"config"}));
    auto status = co_await asksStatus;
    auto config = co_await asksConfig;
    if (!status)
        co_return status.error();
    if (!config)
        co_return config.error();
    GuestNow now;
    now.status = status->toObject();
    now.config = config->toObject();
    const auto power = PveValue::text(now.status, "status");
    if (!power)
        co_return Error{Error::Kind::Malformed,
                        words(QT_TRANSLATE_NOOP("operation", "Proxmox VE did not say whether the guest runs."))};
    const auto inner = PveValue::text(now.status, "qmpstatus");
    now.power = inner == QLatin1String("paused") ? *inner : *power;
    now.lock = PveValue::text(now.config, "lock").value_or(PveValue::text(now.status, "lock").value_or(QString()));
    now.digest = PveValue::text(now.config, "digest").value_or(QString());
    now.isHaManaged = PveValue::boolean(now.status[QStringLiteral("ha")].toObject(), "managed").value_or(false);
    now.isProtected = PveValue::boolean(now.config, "protection").value_or(false);
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
    if (PveValue::boolean(now.config, "template").value_or(false))
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
    auto answer = co_await get(context, guest.remote, std::move(request));
    if (!answer)
        co_return answer.error();
    SnapshotsNow snapshots;
    for (const auto &entry : answer->toArray()) {
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
