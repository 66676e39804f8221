#pragma once
#include "simulator/world/Guest.h"

/// Network lines of guests as PVE writes them down.
namespace GuestNics
{
bool isNic(const QString &key);
/// A new address with the prefix that PVE uses, the same for the same guest and key.
QString newMac(const Guest &guest, const QString &key);
/// The line as it is written: the model carries the address, a container's has hwaddr and type.
QString completed(const Guest &guest, const QString &key, const QString &line);
/// The line with another address, for a clone.
QString readdressed(const Guest &guest, const QString &key, const QString &line);
} // namespace GuestNics
