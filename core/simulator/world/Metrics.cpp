#include "simulator/world/Metrics.h"
#include <QJsonObject>
#include <algorithm>
#include <cmath>

namespace
{
/// SplitMix64: a well-mixed number for each number.
quint64 mixed(quint64 x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

double unit(quint64 x)
{
    return double(mixed(x) >> 11) / double(1ULL << 53);
}

/// FNV-1a; qHash differs between runs.
quint64 number(const QString &text)
{
    quint64 hash = 0xcbf29ce484222325ULL;
    for (const auto c : text)
        hash = (hash ^ c.unicode()) * 0x100000001b3ULL;
    return hash;
}

double smooth(quint64 series, qint64 time, qint64 period)
{
    const auto cell = time / period;
    const auto along = double(time % period) / double(period);
    const auto eased = along * along * (3 - 2 * along);
    return std::lerp(unit(series + quint64(cell)), unit(series + quint64(cell) + 1), eased);
}
} // namespace

quint64 Metrics::series(qint64 vmid, Part part)
{
    return mixed(quint64(vmid) * 16 + quint64(part));
}

quint64 Metrics::series(const QString &name)
{
    return number(name);
}

double Metrics::fixed(quint64 series) const
{
    return unit(series ^ mixed(m_world.seed()));
}

double Metrics::wave(quint64 series, qint64 time, qint64 step) const
{
    static constexpr std::pair<qint64, double> octaves[]{
        {70, 0.22}, {310, 0.25}, {1900, 0.23}, {14000, 0.15}, {190000, 0.15}};
    const auto base = series ^ mixed(m_world.seed());
    double sum = 0;
    for (const auto &[period, weight] : octaves)
        sum += weight * (period * 2 < step ? 0.5 : smooth(mixed(base + quint64(period)), time, period));
    return sum;
}

Metrics::Guest Metrics::of(const ::Guest &guest, qint64 time, qint64 step) const
{
    const auto at = [&](Part part) { return wave(series(guest.vmid, part), time, step); };
    // People sleep: a third of the load follows the hour of the day.
    const auto day =
        step >= 86400 ? 1.0 : 0.8 + 0.4 * std::max(0.0, std::sin(double(time % 86400) / 86400 * 6.28318 - 1.9));
    Guest numbers;
    const auto busy = at(Part::Cpu);
    numbers.cpu =
        std::clamp(guest.load * day * (0.25 + 1.5 * busy) + (busy > 0.72 ? (busy - 0.72) * 1.5 : 0), 0.001, 0.99);
    const auto share =
        std::clamp(0.3 + 0.5 * fixed(series(guest.vmid, Part::Memory)) + 0.04 * (at(Part::Memory) - 0.5), 0.05, 0.97);
    numbers.memory = qint64(share * double(guest.memoryBytes()));
    const auto traffic = 4e3 + guest.load * 2.2e7;
    numbers.netIn = traffic * day * std::pow(at(Part::In) * 1.5, 3) * (0.2 + fixed(series(guest.vmid, Part::In)));
    numbers.netOut = traffic * day * std::pow(at(Part::Out) * 1.5, 3) * (0.2 + fixed(series(guest.vmid, Part::Out)));
    numbers.diskRead = traffic * 0.4 * std::pow(at(Part::Read) * 1.6, 4);
    numbers.diskWrite = traffic * 0.25 * std::pow(at(Part::Write) * 1.6, 3) + 2048;
    return numbers;
}

Metrics::Node Metrics::of(const ClusterNode &node, qint64 time, qint64 step) const
{
    Node numbers;
    double used = 0;
    for (const auto *guest : m_world.guests()) {
        if (guest->node != node.name || !guest->ranAt(time) || guest->isTemplate())
            continue;
        const auto share = of(*guest, time, step);
        used += share.cpu * guest->cpus();
        numbers.memory += share.memory;
        numbers.netIn += share.netIn;
        numbers.netOut += share.netOut;
    }
    const auto own = series(node.name);
    numbers.cpu = std::clamp(used / node.cpus * 0.8 + 0.02 + 0.04 * wave(own, time, step), 0.0, 0.99);
    numbers.ioWait = 0.002 + 0.03 * std::pow(wave(own + 1, time, step), 3);
    numbers.loadAverage = numbers.cpu * node.cpus * (0.7 + 0.6 * wave(own + 2, time, step));
    numbers.memory = std::min(qint64(double(node.memory) * 0.95), numbers.memory + (qint64(2300) << 20));
    return numbers;
}

qint64 Metrics::sinceStart(const ::Guest &guest, double Guest::*rate) const
{
    if (!guest.isRunning())
        return 0;
    const auto average = of(guest, guest.startedAt, 1'000'000).*rate;
    return qint64(average * double(std::max<qint64>(0, m_world.now() - guest.startedAt)));
}

qint64 Metrics::rootDiskUsed(const ::Guest &guest) const
{
    return qint64(double(guest.diskBytes()) * (0.2 + 0.55 * fixed(series(guest.vmid, Part::RootDisk))));
}

qint64 Metrics::storageUsed(const StorageDefinition &storage, const QString &node, qint64 time) const
{
    qint64 volumes = 0;
    for (const auto &volume : m_world.volumes)
        if (volume.storage == storage.name && (volume.node.isEmpty() || volume.node == node))
            volumes += volume.used;
    const auto name = storage.name + (storage.shared ? QString() : node);
    const auto own = double(storage.used) * (0.98 + 0.04 * wave(series(name), time, 600));
    return std::min(storage.total, qint64(own) + volumes);
}
