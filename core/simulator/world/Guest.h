#pragma once
#include "model/GuestRef.h"
#include "simulator/world/GuestInside.h"
#include <QByteArray>
#include <QList>
#include <QMap>
#include <QPair>
#include <QStringList>
#include <optional>

/// Lines of a guest's configuration by key, as text, as in PVE's files.
using GuestConfig = QMap<QString, QString>;

/// A snapshot: the configuration of its time, with snaptime, parent and description in it.
struct GuestSnapshot {
    QString name;
    GuestConfig config;
    qint64 time() const { return config.value(QStringLiteral("snaptime")).toLongLong(); }
    QString parent() const { return config.value(QStringLiteral("parent")); }
    bool hasMemory() const { return config.contains(QStringLiteral("vmstate")); }
};

/// One virtual machine or container of the simulated cluster.
struct Guest {
    enum class Run { Stopped, Running, Paused };
    qint64 vmid = 0;
    GuestKind kind = GuestKind::Qemu;
    QString node;
    GuestConfig config;
    GuestConfig pending;        ///< values that wait for the next start
    QStringList pendingDeletes; ///< keys that go at the next start
    QList<GuestSnapshot> snapshots;
    Run run = Run::Stopped;
    qint64 startedAt = 0; ///< seconds since the epoch; 0 = not running
    int pid = 0;
    int hostCpus = 4;                   ///< what a container without a limit sees
    double load = 0.1;                  ///< how busy it is on average, 0 … 1
    qint64 knownSince = 0;              ///< numbers are kept since then
    QList<QPair<qint64, qint64>> stops; ///< when it stood still, from … to; the last may be open (0)
    bool plainMonitor = false;    ///< QEMU tells no disk counters, versions and balloon, as on the recorded machine
    bool silentAgent = false;     ///< its guest agent is configured and does not answer
    bool ignoresShutdown = false; ///< does not react to a shutdown: the task fails at its timeout

    GuestInside inside;
    /// What the cloud-init drive was made from, while that differs from the configuration; nullopt = up to date.
    std::optional<GuestConfig> cloudInitDrive = {};

    bool isQemu() const { return kind == GuestKind::Qemu; }
    bool isRunning() const { return run != Run::Stopped; }
    bool isTemplate() const { return config.value(QStringLiteral("template")) == u'1'; }
    bool isProtected() const { return config.value(QStringLiteral("protection")) == u'1'; }
    bool hasAgent() const { return config.value(QStringLiteral("agent")).startsWith(u'1'); }
    QString lock() const { return config.value(QStringLiteral("lock")); }
    /// "VM" or "CT", as PVE says.
    QString word() const { return isQemu() ? QStringLiteral("VM") : QStringLiteral("CT"); }
    /// name or hostname; PVE's "VM 101" when a VM has none.
    QString name() const;
    double cpus() const;
    qint64 memoryBytes() const;
    qint64 swapBytes() const;
    /// Size of the disk that PVE shows: the boot disk or rootfs.
    qint64 diskBytes() const;
    /// True when it ran at that moment (seconds since the epoch), as far as anybody remembers.
    bool ranAt(qint64 time) const;
    GuestSnapshot *snapshot(const QString &name);
    const GuestSnapshot *snapshot(const QString &name) const;
    /// Keys of disks or mount points, without CD-ROMs.
    QStringList diskKeys() const;
    /// SHA-1 of the configuration file that PVE would have, pending values and snapshots included.
    QString digest() const;

    static bool isDiskKey(const QString &key);
    static qint64 bytesOfSize(const QString &size);
    /// "32G", "512M": the largest unit that leaves no rest.
    static QString sizeOfBytes(qint64 bytes);
};
