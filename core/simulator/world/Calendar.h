#pragma once
#include <QString>
#include <optional>

/// Calendar events as PVE's jobs have them: "02:30", "mon..fri 22:00", "*/15", "daily"; times are UTC here.
namespace Calendar
{
/// Seconds since the epoch of the first event after that moment; nullopt for an event that is not understood or does
/// not come within two years.
std::optional<qint64> next(const QString &event, qint64 after);
/// The last one at or before that moment.
std::optional<qint64> previous(const QString &event, qint64 until);
} // namespace Calendar
