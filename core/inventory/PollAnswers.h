#pragma once
#include "base/Result.h"
#include "inventory/InventorySnapshot.h"
#include <QJsonValue>

/// What PVE answered in one round of polling: the `data` of each call.
struct PollAnswers {
    QString remoteId, remoteName;
    qint64 takenAtMs = 0;
    std::optional<int> latencyMs;
    QJsonValue resources;                       ///< /cluster/resources: without it a round has failed
    Result<QJsonValue> status;                  ///< /cluster/status; needs Sys.Audit on /
    Result<QJsonValue> tasks;                   ///< /cluster/tasks
    QJsonValue version;                         ///< /version
    std::optional<QJsonValue> permissions = {}; ///< /access/permissions, asked for only now and then
};

/// Turns answers into a state. A field that is missing, null or of another type becomes "not known", never 0, "stopped"
/// or "OK"; what the last round knew fills in only where a guest would otherwise lose its place (node, template).
/// Malformed when the list of resources is no list. Any thread.
Result<InventorySnapshot> readAnswers(const PollAnswers &answers, const InventorySnapshot *previous);
