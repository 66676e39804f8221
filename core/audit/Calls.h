#pragma once
#include "audit/AuditEvent.h"
#include "base/Result.h"

/// A call as it is projected from its events: the row of the timeline and what only the writer needs.
struct ProjectedCall {
    CallRow row;
    qint64 lastSeq = 0;
    bool hasActor = false; ///< an event said who acts
    bool isOpen = false;   ///< it has an intent and no known outcome, and nobody has settled it

    /// Moves the call on by one event. The rules stand at the top of Calls.cpp.
    void apply(qint64 seq, const AuditEvent &event);
    /// Conflict or NotFound (seq 0) where an undo may not be claimed.
    Result<> claimable() const;
    bool operator==(const ProjectedCall &other) const;
};

/// Adds the body of a later event to what is known of a call, by the same rules.
void mergeBody(QJsonObject &merged, const AuditEvent &event);
