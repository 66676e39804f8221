#pragma once
#include "simulator/world/World.h"

/// Fills a world with the cluster "homelab": three nodes of which one is off, forty-one guests of every kind and state.
namespace Homelab
{
void build(World &world, int guests = 0);

/// Accounts of the cluster, made up and the same everywhere: they open nothing but a simulator.
inline const auto rootPassword = QStringLiteral("homelab");
inline const auto operatorPassword = QStringLiteral("operator");
/// labhelm@pve!desktop may do everything; auditor@pve!view only looks; media@pve!pool sees the pool "media";
/// labhelm@pve!bare has privilege separation and no rights of its own; root@pam!ci is root's.
QString tokenSecret(const QString &fullTokenId);
/// The value of an Authorization header for one of these tokens.
QByteArray authorization(const QString &fullTokenId);
} // namespace Homelab
