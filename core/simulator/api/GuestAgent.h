#pragma once
#include "simulator/api/Call.h"

/// What all calls to a guest's agent have in common.
namespace GuestAgent
{
/// Why the agent cannot be asked.
std::optional<ApiAnswer> unreachable(const Guest &guest);
/// The answer of the agent as PVE wraps it.
ApiAnswer result(const QJsonValue &value);
ApiAnswer failed(const QString &why);
/// Looks for the guest and its agent, then asks.
ApiAnswer ask(Call &call, ApiAnswer (*question)(Call &, Guest &));
} // namespace GuestAgent
