#include "pages/guest/GuestSeries.h"
#include "model/PveValue.h"
#include <cmath>

static constexpr std::array<const char *, GuestSeries::Count> keys{"cpu",    "mem",      "netin",
                                                                   "netout", "diskread", "diskwrite"};

void GuestSeries::keep(const QJsonArray &points)
{
    m_kept.clear();
    for (const auto &entry : points) {
        const auto json = entry.toObject();
        const auto time = PveValue::number(json, "time");
        if (!time || (!m_kept.empty() && *time <= m_kept.back().time))
            continue;
        Point point{.time = *time, .values = {}};
        for (size_t what = 0; what < Count; ++what)
            point.values[what] = PveValue::number(json, keys[what]).value_or(std::nan(""));
        m_kept.push_back(point);
    }
    // the newest intervals are often not consolidated yet: a tail of gaps would hide what is being watched
    while (!m_kept.empty() && std::isnan(m_kept.back().values[Cpu]))
        m_kept.pop_back();
}

static double rate(std::optional<qint64> before, std::optional<qint64> after, double seconds)
{
    if (!before || !after || *after < *before || seconds <= 0)
        return std::nan("");
    return static_cast<double>(*after - *before) / seconds;
}

void GuestSeries::watch(const GuestState &guest, qint64 wallMs)
{
    if (wallMs <= m_lastMs)
        return;
    if (guest.power == GuestState::Power::Running) {
        const auto seconds = static_cast<double>(wallMs - m_lastMs) / 1000.0;
        const auto last = m_last.value_or(GuestState{});
        Point point{.time = static_cast<double>(wallMs) / 1000.0, .values = {}};
        point.values[Cpu] = guest.cpu.value_or(std::nan(""));
        point.values[Memory] = guest.memory ? static_cast<double>(*guest.memory) : std::nan("");
        point.values[NetIn] = rate(last.netIn, guest.netIn, seconds);
        point.values[NetOut] = rate(last.netOut, guest.netOut, seconds);
        point.values[DiskRead] = rate(last.diskRead, guest.diskRead, seconds);
        point.values[DiskWrite] = rate(last.diskWrite, guest.diskWrite, seconds);
        m_watched.push_back(point);
        if (m_watched.size() > mostWatched)
            m_watched.erase(m_watched.begin());
    }
    m_last = guest;
    m_lastMs = wallMs;
}

void GuestSeries::clear()
{
    *this = {};
}

QVector<double> GuestSeries::times() const
{
    QVector<double> all;
    for (const auto &point : m_kept)
        all << point.time;
    for (const auto &point : m_watched)
        if (m_kept.empty() || point.time > m_kept.back().time)
            all << point.time;
    return all;
}

QVector<double> GuestSeries::values(What what) const
{
    QVector<double> all;
    for (const auto &point : m_kept)
        all << point.values[what];
    for (const auto &point : m_watched)
        if (m_kept.empty() || point.time > m_kept.back().time)
            all << point.values[what];
    return all;
}

std::optional<double> GuestSeries::newest(What what) const
{
    const auto known = [what](const Point &point) { return !std::isnan(point.values[what]); };
    const auto watched = std::find_if(m_watched.rbegin(), m_watched.rend(), known);
    if (watched != m_watched.rend())
        return watched->values[what];
    const auto kept = std::find_if(m_kept.rbegin(), m_kept.rend(), known);
    return kept != m_kept.rend() ? std::optional(kept->values[what]) : std::nullopt;
}
