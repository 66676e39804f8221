#pragma once
#include "model/Actor.h"
#include "model/Effect.h"
#include <QJsonObject>
#include <QList>
#include <optional>

/// One link of the chain: something that happened to one call. Bodies hold references and hashes, never secrets.
struct AuditEvent {
    enum class Kind {
        Asked,        ///< a person was asked; body: plan
        Answered,     ///< body: allowed (bool), reason
        Intent,       ///< about to send; body: plan, before, requests. Durable before the first byte leaves.
        Sent,         ///< PVE took it and named a task; body: upid
        Outcome,      ///< body: state, error, warnings, changes, inverse
        Read,         ///< a read that ended, whole in one event
        Refused,      ///< nothing was sent: bad arguments, limits, policy, drift; body: error
        UndoClaimed,  ///< body: by (call id); at most one claim of a call is live
        UndoReleased, ///< the undo did not run after all
        Undone,       ///< body: by (call id)
        Recovered,    ///< settled at start; body: state, how
        Note,         ///< pairing, pin, rule, secret and connection changes; body: text
        Anchored      ///< the chain starts again from here; body: why
    };
    QString callId = {}; ///< groups the events of one call; made by the executor, sortable by time
    Kind kind = Kind::Note;
    qint64 wallMs = 0;
    int utcOffset = 0; ///< seconds
    /// Known keys, all optional, from which the table of calls is projected: actor{kind,id,name,session,pid,program},
    /// operation, effect, remote, target, targetLabel, headline, arguments, reason, decision, state, errorKind, error,
    /// warnings, upid, plan, requests, before, changes, inverse{operation,arguments}, undoes, by, durationMs, isDemo.
    QJsonObject body = {};

    /// Whether the event must be on disk (FULL) before it is acknowledged.
    bool isDurable() const { return kind != Kind::Read && kind != Kind::Refused; }
};

/// "asked", "undo-claimed" …: the word that is kept and hashed.
QString auditKindName(AuditEvent::Kind kind);
std::optional<AuditEvent::Kind> auditKindFromName(const QString &name);

/// How a call stands; the word kept in the projection.
enum class CallState { Waiting, Running, Done, Warnings, Failed, Denied, Refused, Cancelled, Unknown };
QString callStateName(CallState state);
std::optional<CallState> callStateFromName(const QString &name);

/// One row of the timeline.
struct CallRow {
    qint64 seq = 0; ///< of its first event; orders the timeline
    QString callId;
    qint64 atMs = 0, endedMs = 0; ///< endedMs 0 = not ended
    int utcOffset = 0;
    Actor actor;
    QString operation;
    std::optional<Effect> effect; ///< absent for notes
    QString remote, target, targetLabel, headline;
    CallState state = CallState::Running;
    QString error;
    QString upid;
    QString reason, decision;
    bool hasInverse = false;
    QString undoneBy, undoes; ///< call ids; empty = not
    QString claimedBy;        ///< the undo that is on its way; empty = none
};

/// A row with everything that is kept about it.
struct CallDetail {
    CallRow row;
    QJsonObject merged;       ///< the bodies of its events, later keys over earlier, by the rules in Calls.cpp
    QList<AuditEvent> events; ///< all of them, in order
    QByteArray firstHash, lastHash, previousHash;
    /// Whether anything may have been sent.
    bool hasIntent() const;
    /// It has no outcome, or one that is not known and that nobody has settled yet.
    bool isUnsettled() const;
};

/// What a page or an agent looks for. Empty = any.
struct CallFilter {
    std::optional<qint64> fromMs = {}, toMs = {}; ///< wall time, from inclusive, to exclusive
    std::optional<Actor::Kind> actorKind = {};
    QString actorId = {};
    std::optional<Effect> effect = {};
    std::optional<CallState> state = {};
    QString target = {}; ///< exact key, "remote:101"
    QString text = {};   ///< words in headline, target, operation, error
    bool onlyUndoable = false;
};
