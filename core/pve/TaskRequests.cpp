#include "pve/TaskRequests.h"

ApiRequest TaskRequests::status(const QString &node, const QString &upid)
{
    return {Method::Get, {QStringLiteral("nodes"), node, QStringLiteral("tasks"), upid, QStringLiteral("status")}};
}

ApiRequest TaskRequests::log(const QString &node, const QString &upid, qint64 start, qint64 lines)
{
    return {Method::Get,
            {QStringLiteral("nodes"), node, QStringLiteral("tasks"), upid, QStringLiteral("log")},
            {{QStringLiteral("start"), QString::number(start)}, {QStringLiteral("limit"), QString::number(lines)}}};
}

ApiRequest TaskRequests::list(const QString &node, bool ended, size_t most)
{
    return {Method::Get,
            {QStringLiteral("nodes"), node, QStringLiteral("tasks")},
            {{QStringLiteral("source"), ended ? QStringLiteral("archive") : QStringLiteral("active")},
             {QStringLiteral("limit"), QString::number(most)}}};
}
