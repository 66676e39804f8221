#pragma once
#include "audit/AuditEvent.h"
#include "operations/Plan.h"
#include "widgets/Tones.h"

/// The words and tones by which people know effects, outcomes and actors; the same on every page. All text is safe to
/// show as plain text.
namespace Wording
{
QString effect(Effect effect); ///< "reads", "changes", "disrupts", "executes", "destroys"
Tone tone(Effect effect);
QString state(CallState state); ///< "waiting for you", "done", "denied" …
Tone tone(CallState state);
/// "You", the agent's name, "Terminal", "Labhelm", or the user who acted outside.
QString actor(const Actor &actor);
Tone tone(const Actor &actor);
/// Process and session of a program: "pid 48121 · session 7f3a"; empty for people.
QString process(const Actor &actor);
/// What can be done about it afterwards: "Can be undone.", "This cannot be undone." …, then the plan's own text.
QString undo(const Plan &plan);
Tone tone(Undo undo);
/// "12 s", "2 min", "3 h", "4 days".
QString duration(qint64 milliseconds);
/// A value as the diff shows it, perhaps of several lines.
QString value(const QJsonValue &value);
}
