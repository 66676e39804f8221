#pragma once
#include "simulator/access/Access.h"
#include "simulator/world/Task.h"
#include <QJsonObject>

/// Tasks as the three calls that show them do.
namespace TaskRows
{
bool belongsTo(const Task &task, const Identity &who);
QJsonObject forCluster(const Task &task);
QJsonObject forNode(const Task &task);
QJsonObject status(const Task &task);
} // namespace TaskRows
