#pragma once
#include "simulator/world/World.h"
#include <QJsonArray>

/// Numbers that live: load, memory and traffic as plain functions of seed and time, the same in every run.
class Metrics
{
public:
    struct Guest {
        double cpu = 0; ///< 0 … 1 of its cores
        qint64 memory = 0;
        double netIn = 0; ///< bytes a second
        double netOut = 0;
        double diskRead = 0;
        double diskWrite = 0;
    };
    struct Node {
        double cpu = 0;
        double ioWait = 0;
        double loadAverage = 0;
        qint64 memory = 0;
        double netIn = 0;
        double netOut = 0;
    };
    explicit Metrics(const World &world) : m_world(world) {}

    Guest of(const ::Guest &guest, qint64 time, qint64 step = 10) const;
    Node of(const ClusterNode &node, qint64 time, qint64 step = 10) const;
    /// Bytes since the start, from the average rate; never falls while the guest runs.
    qint64 sinceStart(const ::Guest &guest, double Guest::*rate) const;
    qint64 rootDiskUsed(const ::Guest &guest) const;
    qint64 storageUsed(const StorageDefinition &storage, const QString &node, qint64 time) const;

    /// Rows as rrddata gives them; an unknown timeframe gives none.
    QJsonArray guestRows(const ::Guest &guest, const QString &timeframe, bool maximum) const;
    QJsonArray nodeRows(const ClusterNode &node, const QString &timeframe, bool maximum) const;
    QJsonArray storageRows(const StorageDefinition &storage, const QString &node, const QString &timeframe) const;

private:
    struct Frame {
        qint64 step;
        int count;
    };
    enum class Part { Cpu, Memory, In, Out, Read, Write, RootDisk };
    static quint64 series(qint64 vmid, Part part);
    static quint64 series(const QString &name);
    static Frame frame(const QString &timeframe);
    template <class Row>
    QJsonArray rows(const QString &node, const QString &timeframe, qint64 since, Row row) const;
    bool isGap(const QString &node, qint64 time, qint64 step) const;
    /// Smooth noise around 0.5; parts quicker than `step` are averaged away.
    double wave(quint64 series, qint64 time, qint64 step) const;
    double fixed(quint64 series) const;

    const World &m_world;
};
