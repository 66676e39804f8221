#include "audit/AuditEvent.h"
#include <algorithm>
#include <iterator>

// In the order of the enumerations. The words are kept in the database and hashed: they never change.
static constexpr const char *kinds[] = {"asked",     "answered", "intent",       "sent",          "outcome",
                                        "read",      "refused",  "undo-claimed", "undo-released", "undone",
                                        "recovered", "note",     "anchored"};
static constexpr const char *states[] = {"waiting", "running", "done",      "warnings", "failed",
                                         "denied",  "refused", "cancelled", "unknown"};

static_assert(std::size(kinds) == size_t(AuditEvent::Kind::Anchored) + 1);
static_assert(std::size(states) == size_t(CallState::Unknown) + 1);

template <class Enum, size_t count>
static std::optional<Enum> fromName(const char *const (&names)[count], const QString &name)
{
    for (size_t i = 0; i < count; ++i)
        if (name == QLatin1String(names[i]))
            return Enum(i);
    return std::nullopt;
}

QString auditKindName(AuditEvent::Kind kind)
{
    return QLatin1String(kinds[size_t(kind)]);
}

std::optional<AuditEvent::Kind> auditKindFromName(const QString &name)
{
    return fromName<AuditEvent::Kind>(kinds, name);
}

QString callStateName(CallState state)
{
    return QLatin1String(states[size_t(state)]);
}

std::optional<CallState> callStateFromName(const QString &name)
{
    return fromName<CallState>(states, name);
}

static bool has(const CallDetail &call, AuditEvent::Kind kind)
{
    return std::any_of(call.events.begin(), call.events.end(),
                       [kind](const AuditEvent &event) { return event.kind == kind; });
}

bool CallDetail::hasIntent() const
{
    return has(*this, AuditEvent::Kind::Intent);
}

bool CallDetail::isUnsettled() const
{
    return row.endedMs == 0 || (row.state == CallState::Unknown && !has(*this, AuditEvent::Kind::Recovered));
}
