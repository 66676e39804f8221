#pragma once
#include <QString>
#include <optional>

/// Numbers as people read them, in the local language. An absent number is "unknown", which is never 0.
namespace Quantity
{
QString bytes(qint64 bytes); ///< "62.05 GiB", "512 MiB", as PVE shows sizes
QString bytes(std::optional<qint64> bytes);
QString bytesOf(qint64 used, qint64 whole);     ///< "9.1 of 16 GiB"
QString rate(double bytesPerSecond);            ///< "14.2 MB/s"
QString share(double part);                     ///< 0 … 1 as "23 %"
QString duration(qint64 seconds);               ///< "18 days", "3 h 12 min", "40 s"
QString ago(qint64 wallMs, qint64 nowMs);       ///< "just now", "6 min ago", "2 days ago"
QString moment(qint64 wallMs);                  ///< local date and time, to the second
QString timeOfDay(qint64 wallMs, qint64 nowMs); ///< "09:41" today, otherwise with the date
QString unknown();
}
