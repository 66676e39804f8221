#pragma once
#include "simulator/schema/ValueFormats.h"

/// Formats of what rules of the firewall name: networks, sets, aliases and ports.
namespace FirewallFormats
{
QHash<QString, FormatCheck> checks();
} // namespace FirewallFormats
