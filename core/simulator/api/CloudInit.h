#pragma once
#include "simulator/world/Guest.h"

/// What PVE puts on a guest's cloud-init drive, and what has changed since it was made.
namespace CloudInit
{
bool hasDrive(const Guest &guest);
/// Lines of the configuration that the drive is made from.
GuestConfig settings(const Guest &guest);
/// Keeps what the drive was made from, before the configuration changes.
void remember(Guest &guest);
/// The "user", "network" or "meta" file.
QString file(const Guest &guest, const QString &type);
} // namespace CloudInit
