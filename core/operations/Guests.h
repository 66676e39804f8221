#pragma once
#include "operations/Requests.h"

// What several operations on guests read before they plan.

/// status/current and config of one guest.
struct GuestNow {
    QJsonObject status, config;
    QString power;  ///< "running", "stopped", "paused" …
    QString lock;   ///< empty = none
    QString digest; ///< of the configuration
    bool isHaManaged = false;
    bool isProtected = false;
    std::optional<qint64> uptime; ///< seconds
};
QCoro::Task<Result<GuestNow>> readGuest(OperationContext context, GuestRef guest);

/// Conflict if the guest is a template or locked; what is wrong and what to do.
Result<> mayChange(const GuestRef &guest, const GuestNow &now);
/// "State now: running for 3 days".
PlanFact stateFact(const GuestNow &now);

/// A snapshot as PVE lists it; without the entry for the present state.
struct SnapshotNow {
    QString name, parent, description; ///< description is text from outside
    qint64 time = 0;                   ///< seconds; 0 = unknown
    bool hasMemory = false;
};
/// All snapshots of one guest.
struct SnapshotsNow {
    std::vector<SnapshotNow> all; ///< oldest first
    QString currentParent;        ///< empty = none
    const SnapshotNow *find(const QString &name) const;
    QStringList names() const;
};
QCoro::Task<Result<SnapshotsNow>> readSnapshots(OperationContext context, GuestRef guest);

/// One disk or volume of a configuration: key, volume, storage, size as written ("32G"); CD drives are left out.
struct DiskNow {
    QString key, volume, storage, size;
};
std::vector<DiskNow> disksOf(const QJsonObject &config);
