#pragma once
#include "base/StrictJson.h"
#include <QJsonArray>
#include <QRandomGenerator>

/// Answers of large clusters, as bytes.
namespace ManyAnswers
{
inline QJsonObject guestRow(int i, int nodes, QRandomGenerator &dice)
{
    const bool runs = i % 3 != 0;
    return {{QStringLiteral("type"), i % 2 ? QStringLiteral("qemu") : QStringLiteral("lxc")},
            {QStringLiteral("id"), QStringLiteral("qemu/%1").arg(100 + i)},
            {QStringLiteral("vmid"), 100 + i},
            {QStringLiteral("node"), QStringLiteral("pve%1").arg(i % nodes)},
            {QStringLiteral("name"), QStringLiteral("guest-number-%1").arg(i)},
            {QStringLiteral("status"), runs ? QStringLiteral("running") : QStringLiteral("stopped")},
            {QStringLiteral("template"), 0},
            {QStringLiteral("tags"), QStringLiteral("prod;db")},
            {QStringLiteral("pool"), QStringLiteral("pool%1").arg(i % 20)},
            {QStringLiteral("cpu"), runs ? dice.generateDouble() : 0.0},
            {QStringLiteral("maxcpu"), 4},
            {QStringLiteral("mem"), runs ? qint64(dice.generate()) : 0},
            {QStringLiteral("maxmem"), qint64(8) << 30},
            {QStringLiteral("disk"), 0},
            {QStringLiteral("maxdisk"), qint64(64) << 30},
            {QStringLiteral("uptime"), runs ? 1'000 + i : 0},
            {QStringLiteral("netin"), qint64(dice.generate())},
            {QStringLiteral("netout"), qint64(dice.generate())},
            {QStringLiteral("diskread"), qint64(dice.generate())},
            {QStringLiteral("diskwrite"), qint64(dice.generate())}};
}

/// /cluster/resources of so many guests; another seed has other loads.
inline QByteArray resources(int guests, int nodes, quint32 seed)
{
    QRandomGenerator dice(seed);
    QJsonArray rows;
    for (int i = 0; i < nodes; ++i)
        rows.append(QJsonObject{{QStringLiteral("type"), QStringLiteral("node")},
                                {QStringLiteral("node"), QStringLiteral("pve%1").arg(i)},
                                {QStringLiteral("status"), QStringLiteral("online")},
                                {QStringLiteral("cpu"), dice.generateDouble()}});
    for (int i = 0; i < guests; ++i)
        rows.append(guestRow(i, nodes, dice));
    return StrictJson::write(QJsonObject{{QStringLiteral("data"), rows}});
}
}
