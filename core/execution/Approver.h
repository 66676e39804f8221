#pragma once
#include "base/Promise.h"
#include "operations/Operation.h"
#include <QSet>

/// What a person is asked.
struct ApprovalRequest {
    QString callId;
    Actor actor;
    const Operation *operation = nullptr; ///< lives as long as the catalogue
    QJsonObject arguments;                ///< parsed and resolved
    Target target;
    Effect effect = Effect::Destroys; ///< after the plan raised it
    std::shared_ptr<const Plan> plan; ///< null for a sensitive read
    QString reason;                   ///< the caller's words; text from outside
    QString undoes;                   ///< the entry this takes back; empty = none
    qint64 askedAtMs = 0;             ///< wall time
};

/// A person's answer.
struct Approval {
    bool allowed = false;
    QByteArray planHash = {}; ///< of the plan that was shown; must equal the plan's own
    QString reason = {};      ///< for the caller, when denied
    QSet<int> leftOut = {};   ///< indexes of a plan's steps that may not run
};

/// Asks a person. Owner's thread only. Dropping the promise is a no.
class Approver
{
public:
    virtual ~Approver() = default;
    virtual void ask(ApprovalRequest request, Promise<Approval> answer) = 0;
    /// The question is moot: the call ended otherwise. Its promise may have been dropped already.
    virtual void withdraw(const QString &callId) = 0;
};
