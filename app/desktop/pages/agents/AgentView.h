#pragma once
#include "policy/Policy.h"
#include <QString>

/// One paired program as the page shows it. All text is safe to show as plain text.
struct AgentView {
    QString id;
    QString name;
    QString program; ///< last seen behind the bridge; empty = never
    qint64 pid = 0;  ///< of its newest session; 0 = unknown
    int sessions = 0;
    qint64 lastSeenMs = 0; ///< wall time; 0 = never
    int callsThisMinute = 0, callsPerMinute = 0;
    QString paused;      ///< why, in words; empty = it is not
    bool isHeld = false; ///< may only look until a person chooses again
    std::optional<Preset> preset;
    bool isTerminal = false;
    bool operator==(const AgentView &) const = default;
};
