#pragma once
#include "inventory/InventorySnapshot.h"
#include <QJsonArray>
#include <QVector>

/// A guest's load over time: what Proxmox VE kept, and behind it what was seen while watching. A missing value is not a
/// number, which charts show as a gap.
class GuestSeries
{
public:
    enum What { Cpu, Memory, NetIn, NetOut, DiskRead, DiskWrite, Count };
    /// Replaces the kept part by the points of guest.metrics; watched points that are newer stay.
    void keep(const QJsonArray &points);
    /// Adds what was seen at this moment. Rates come from two counters; a counter that went back (a restart) is a gap.
    void watch(const GuestState &guest, qint64 wallMs);
    void clear();

    QVector<double> times() const; ///< seconds, rising
    QVector<double> values(What what) const;
    /// The newest known value; nullopt if none.
    std::optional<double> newest(What what) const;

private:
    struct Point {
        double time = 0;
        std::array<double, Count> values;
    };
    std::vector<Point> m_kept, m_watched;
    std::optional<GuestState> m_last;
    qint64 m_lastMs = 0;
    static constexpr size_t mostWatched = 4000;
};
