#pragma once
#include <QString>

/// The named formats of the API ("pve-vmid", "dns-name" …).
namespace Formats
{
/// What is wrong with a value, in PVE's words and with its line break; empty when right or when the format is not one
/// we know.
QString wrong(const QString &format, const QString &value);
} // namespace Formats
