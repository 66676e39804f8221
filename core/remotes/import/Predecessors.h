#pragma once
#include "remotes/import/Import.h"
#include <QJsonObject>

/// The settings of the three programs whose work Labhelm takes over, each as it writes them.
namespace Predecessors
{
/// ProxmoxMCP-Plus: {"proxmox": {host, port, verify_ssl, service}, "auth": {user, token_name, token_value}, …}.
Import plusJson(const QJsonObject &json);
/// The same from its variables PROXMOX_HOST, PROXMOX_USER, PROXMOX_TOKEN_NAME, PROXMOX_TOKEN_VALUE …
Import plusEnvironment(const QMap<QString, QString> &env);
/// Proxmox-AIops: "targets", a list of {name, host, user, auth_kind, port, verify_ssl}; secrets by the target's name.
Import aiops(const QJsonObject &yaml, const QMap<QString, Secret> &secrets, const QMap<QString, QString> &env);
/// mcp-proxmox: PROXMOX_API_URL, PROXMOX_TOKEN_ID, PROXMOX_TOKEN_SECRET, PROXMOX_VERIFY; or PROXMOX_CLUSTERS=a,b and
/// PROXMOX_CLUSTER_a_API_URL …
Import mcpProxmox(const QMap<QString, QString> &env);
} // namespace Predecessors
