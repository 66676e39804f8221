#include "simulator/world/Metrics.h"
#include <QJsonObject>
#include <cmath>

// Resolution and length as PVE 9 keeps them.
Metrics::Frame Metrics::frame(const QString &timeframe)
{
    static const QHash<QString, Frame> frames{
        {QStringLiteral("hour"), {60, 60}},      {QStringLiteral("day"), {60, 1440}},
        {QStringLiteral("week"), {1800, 336}},   {QStringLiteral("month"), {1800, 1440}},
        {QStringLiteral("year"), {21600, 1440}}, {QStringLiteral("decade"), {604800, 570}}};
    return frames.value(timeframe, Frame{60, 0});
}

// Somebody reboots pvestatd now and then: four minutes every five and a half hours, half a day every eleven days.
bool Metrics::isGap(const QString &node, qint64 time, qint64 step) const
{
    const auto shift = qint64(fixed(series(node)) * 19800);
    return step < 600 ? (time + shift) % 19800 < 240 : (time + shift * 40) % 950400 < 43200;
}

template <class Row>
QJsonArray Metrics::rows(const QString &node, const QString &timeframe, qint64 since, Row row) const
{
    const auto [step, count] = frame(timeframe);
    const auto last = m_world.now() / step * step;
    const auto *host = m_world.node(node);
    QJsonArray all;
    for (int i = count - 1; i >= 0; --i) {
        const auto time = last - i * step;
        const bool silent =
            time < since || (host && (time < host->knownSince || (!host->online && time > host->changedAt)));
        auto object = silent || isGap(node, time, step) ? QJsonObject() : row(time, step);
        object.insert(QLatin1String("time"), time);
        all.append(object);
    }
    return all;
}

static void insertPressure(QJsonObject &row, double cpu, double io)
{
    row.insert(QLatin1String("pressurecpusome"), std::pow(cpu, 3) * 20);
    row.insert(QLatin1String("pressureiosome"), io);
    row.insert(QLatin1String("pressureiofull"), io / 2);
    row.insert(QLatin1String("pressurememorysome"), 0);
    row.insert(QLatin1String("pressurememoryfull"), 0);
}

QJsonArray Metrics::guestRows(const ::Guest &guest, const QString &timeframe, bool maximum) const
{
    return rows(guest.node, timeframe, guest.knownSince, [&](qint64 time, qint64 step) {
        QJsonObject row{{QLatin1String("maxcpu"), guest.cpus()},
                        {QLatin1String("maxmem"), guest.memoryBytes()},
                        {QLatin1String("maxdisk"), guest.diskBytes()},
                        {QLatin1String("disk"), guest.isQemu() ? 0 : rootDiskUsed(guest)}};
        if (!guest.ranAt(time))
            return row;
        const auto numbers = of(guest, time, step);
        const auto peak = maximum && step > 60 ? 1.4 : 1.0;
        row.insert(QLatin1String("cpu"), std::min(1.0, numbers.cpu * peak));
        row.insert(QLatin1String("mem"), double(numbers.memory));
        row.insert(QLatin1String("netin"), numbers.netIn * peak);
        row.insert(QLatin1String("netout"), numbers.netOut * peak);
        if (!guest.plainMonitor) {
            row.insert(QLatin1String("diskread"), numbers.diskRead * peak);
            row.insert(QLatin1String("diskwrite"), numbers.diskWrite * peak);
        }
        const auto *node = m_world.node(guest.node);
        if (guest.isQemu())
            row.insert(QLatin1String("memhost"), double(numbers.memory) * 1.05);
        if (guest.isQemu() || !node || node->cgroupMode == 2) {
            row.insert(QLatin1String("pressurecpufull"), 0);
            insertPressure(row, numbers.cpu, 0.01);
        }
        return row;
    });
}

QJsonArray Metrics::nodeRows(const ClusterNode &node, const QString &timeframe, bool maximum) const
{
    return rows(node.name, timeframe, 0, [&](qint64 time, qint64 step) {
        const auto numbers = of(node, time, step);
        const auto peak = maximum && step > 60 ? 1.3 : 1.0;
        QJsonObject row{{QLatin1String("cpu"), std::min(1.0, numbers.cpu * peak)},
                        {QLatin1String("iowait"), numbers.ioWait},
                        {QLatin1String("loadavg"), numbers.loadAverage * peak},
                        {QLatin1String("maxcpu"), node.cpus},
                        {QLatin1String("memtotal"), double(node.memory)},
                        {QLatin1String("memused"), double(numbers.memory)},
                        {QLatin1String("memavailable"), double(node.memory - numbers.memory)},
                        {QLatin1String("arcsize"), 0},
                        {QLatin1String("swaptotal"), double(8LL << 30)},
                        {QLatin1String("swapused"), double(120LL << 20)},
                        {QLatin1String("roottotal"), double(node.disk)},
                        {QLatin1String("rootused"), double(node.diskUsed)},
                        {QLatin1String("netin"), numbers.netIn * peak},
                        {QLatin1String("netout"), numbers.netOut * peak}};
        insertPressure(row, numbers.cpu, numbers.ioWait);
        return row;
    });
}

QJsonArray Metrics::storageRows(const StorageDefinition &storage, const QString &node, const QString &timeframe) const
{
    return rows(node, timeframe, 0, [&](qint64 time, qint64) {
        return QJsonObject{{QLatin1String("total"), double(storage.total)},
                           {QLatin1String("used"), double(storageUsed(storage, node, time))}};
    });
}
