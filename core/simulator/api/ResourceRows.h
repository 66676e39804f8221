#pragma once
#include "simulator/world/World.h"
#include <QJsonObject>

/// Guests and nodes as lists over the whole cluster show them.
namespace ResourceRows
{
enum class Caller { Resources, Nodes };
QJsonObject guest(const World &world, const Guest &guest);
QJsonObject node(const World &world, const ClusterNode &node, bool withNumbers, Caller caller);
QJsonObject storage(const World &world, const StorageDefinition &storage, const ClusterNode &node);
} // namespace ResourceRows
