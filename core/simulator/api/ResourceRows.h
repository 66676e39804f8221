#pragma once
#include "simulator/world/World.h"
#include <QJsonObject>

/// Guests and nodes as lists over the whole cluster show them.
namespace ResourceRows
{
enum class Caller { Resources, Nodes };
QJsonObject guest(const World &world, const Guest &guest);
QJsonObject node(const World &world, const ClusterNode &node, bool withNumbers, Caller caller);
} // namespace ResourceRows
