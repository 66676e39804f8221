#pragma once
#include "base/Clock.h"
#include "base/Promise.h"
#include "operations/Plan.h"
#include <QCoro/QCoroTask>
#include <QJsonObject>
#include <stop_token>

class Connections;
class Inventory;

/// What operations may ask of the audit log, which lives above them.
class AuditPort
{
public:
    virtual ~AuditPort() = default;
    /// {entries: [...], next: cursor}. A program sees its own rows only.
    virtual QCoro::Task<Result<QJsonObject>> search(QJsonObject filter, Actor actor, std::stop_token stop) = 0;
    /// {whole, events, finding, first_bad}
    virtual QCoro::Task<Result<QJsonObject>> verify(std::stop_token stop) = 0;
};

/// The call that takes a row back, and what that row had changed.
struct UndoBasis {
    Call inverse;
    std::vector<PlanChange> changes;
};

/// What operations may ask of the undo log.
class UndoPort
{
public:
    virtual ~UndoPort() = default;
    /// {entries: [{entry, what, target, undo}]}; a program sees its own rows only.
    virtual QCoro::Task<Result<QJsonObject>> list(qint64 limit, Actor actor, std::stop_token stop) = 0;
    /// NotFound, Conflict (undone already, or never reversible) or Denied (not the actor's own).
    virtual QCoro::Task<Result<UndoBasis>> basis(QString callId, Actor actor, std::stop_token stop) = 0;
    /// The call of a row that has failed, to be run again. NotFound, Conflict (it did not fail for sure, or was run
    /// again already) or Denied (not the actor's own).
    virtual QCoro::Task<Result<Call>> failedCall(QString callId, Actor actor, std::stop_token stop) = 0;
};

/// What every operation may use; built once by the composition root and outlives all executions.
struct Services {
    Connections &connections;
    Inventory &inventory;
    AuditPort &audit;
    UndoPort &undo;
    const Clock &clock;
};
