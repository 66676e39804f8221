#pragma once
#include "audit/AuditEvent.h"
#include "widgets/Tones.h"

/// How the timeline puts a row into words. All text is safe to show as plain text.
namespace TimelineWords
{
/// "09:44:12" today, otherwise "29 Nov 09:44"; local time.
QString time(qint64 atMs);
/// "09:43:58.112" today, otherwise with the date; local time.
QString fullTime(qint64 atMs);
/// With date, milliseconds and the offset that the clock had then.
QString exactTime(qint64 atMs, int utcOffset);
/// "Changed memory 4096 → 6144 MiB"; for what never ran, what was asked for.
QString what(const CallRow &row);
/// "done", "undone", "denied", "failed" …
QString outcome(const CallRow &row);
Tone tone(const CallRow &row);
/// "212 ms", "4.2 s", "3 min"; empty while it has not ended.
QString took(const CallRow &row);
}
