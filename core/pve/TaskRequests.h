#pragma once
#include "pve/ApiRequest.h"

/// The questions about tasks. Functions of their own, since g++ 12 miscompiles braced lists in an awaited expression.
namespace TaskRequests
{
ApiRequest status(const QString &node, const QString &upid);
ApiRequest log(const QString &node, const QString &upid, qint64 start, qint64 lines);
/// What runs on a node, or what has ended there, newest first.
ApiRequest list(const QString &node, bool ended, size_t most);
}
