#pragma once
#include "execution/Executor.h"
#include <QSet>

/// One call on its way through the pipeline. Private to execution/.
struct Executor::Live {
    Call call;
    const Operation *operation = nullptr;
    Arguments args;
    std::shared_ptr<const Plan> plan;
    Decision decision;
    ExecutionInfo info;
    std::stop_source stop;
    std::vector<PlanChange> undone; ///< what the row that this call takes back had changed
    qint64 startedMonotonic = 0;
    bool isSent = false;         ///< the intent is recorded: the call can no longer be stopped
    bool hasHeader = false;      ///< who, what and where stand in the log already
    bool holdsClaim = false;     ///< on the row in call.undoes
    bool isAllowed = false;      ///< by a person
    QByteArray allowed;          ///< the shape of this call that a person allowed as a step of a plan; empty = none
    QSet<int> leftOut;           ///< steps of its plan that the person did not allow
    std::optional<Call> inverse; ///< told while performing
    QString inverseText;

    /// Every call of a program, and every change of anyone.
    bool isRecorded() const
    {
        return call.actor.isProgram() || (operation && !operation->isRead() && !call.previewOnly);
    }
};
