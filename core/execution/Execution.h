#pragma once
#include "audit/AuditEvent.h"
#include "base/Result.h"
#include "operations/Operation.h"

/// How a call ended.
struct CallResult {
    QString callId;
    CallState state = CallState::Refused;
    Result<Outcome> outcome;
    std::shared_ptr<const Plan> plan; ///< null for reads and for what never got that far
};

/// What pages see of one call, live.
struct ExecutionInfo {
    QString callId;
    Actor actor;
    QString operation;
    QString headline; ///< "Change memory 4096 → 6144 MiB", or the operation's title until a plan exists
    Target target;
    Effect effect = Effect::Reads;
    bool isPreview = false; ///< ends after the plan; nothing is sent
    CallState state = CallState::Running;
    Progress progress;
    QString upid; ///< empty until PVE named a task
    QString error;
    QByteArray arguments;              ///< as they came; text from outside
    qint64 startedMs = 0, endedMs = 0; ///< wall time; 0 = not yet
};
