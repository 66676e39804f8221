#pragma once
#include "pve/TaskWatcher.h"
#include <QJsonValue>
#include <optional>

/// Reads what PVE says about tasks. Pure.
namespace TaskAnswers
{
/// "OK", "WARNINGS: n", or the text of the failure.
TaskEnd end(const QString &exitStatus);
/// True for the words with which PVE says that it does not know how the task ended: the worker died, or its log is
/// gone.
bool isLost(const QString &exitStatus);
/// The last percentage in a line: "INFO: 12% (1.2 GiB of …)", "transferred 1.2 GiB of 3.2 GiB (37.00%)"; nullopt if it
/// has none.
std::optional<double> fraction(const QString &line);

/// One page of a task's log.
struct LogPage {
    qint64 next = 0; ///< where the next page starts
    qint64 total = 0;
    TaskProgress said; ///< of this page; an empty lastLine if it has no line
};
/// `data` and `total` of GET …/log. The lines "no content" and "unable to open file" that stand for no log at all are
/// none.
LogPage log(const QJsonValue &data, const QJsonObject &beside, qint64 start);
}
