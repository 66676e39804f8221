#pragma once
#include "inventory/InventorySnapshot.h"
#include <QJsonObject>

/// Reads the rows of /cluster/resources and /cluster/tasks one by one. Nullopt: the row does not say what it is about.
namespace ResourceRow
{
enum class Type { Guest, Node, Storage, Pool, Other, Unreadable };
/// By "type", or by the start of "id" where "type" is missing.
Type typeOf(const QJsonObject &row);

std::optional<GuestState> guest(const QJsonObject &row);
std::optional<NodeState> node(const QJsonObject &row);
std::optional<StorageState> storage(const QJsonObject &row);
std::optional<TaskState> task(const QJsonObject &row);
/// Empty: unreadable.
QString pool(const QJsonObject &row);
/// The template flag where the row tells it.
std::optional<bool> isTemplate(const QJsonObject &row);

/// Nobody can say how a guest on a node that is away fares: only what its configuration says is kept.
void forgetRuntime(GuestState &guest);
}
