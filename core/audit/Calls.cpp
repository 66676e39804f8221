// How the table of calls follows from the chain. The same rules serve the writer, CallTable::rebuild() and
// verification.
//
// event        state                               also
// asked        waiting, unless ended
// answered     running if body.allowed, else       decision and reason from the body
//              denied and ended; unless ended
// intent       running, not ended                  open until outcome or recovered
// sent         running, unless ended               upid
// outcome      body.state, else unknown; ended     closed unless unknown; hasInverse = the body has an inverse
// read         body.state, else failed if          ended
//              body.error, else done
// refused      body.state, else refused            ended, closed
// recovered    body.state, else unknown            ended, closed; hasInverse as outcome
// undo-claimed   –                                 claimedBy = body.by; only if claimable()
// undo-released  –                                 claimedBy cleared, if body.by is it or absent
// undone         –                                 undoneBy = body.by, claimedBy cleared
// note, anchored done, ended                       headline from body.text or body.why if it has none
//
// Words of the body: who, which operation, which target and what it undoes are what the first event to name them says.
// The effect only rises. Headline, reason, decision, error and upid are what the last event to name them says. The
// three undo events belong to the undone call but speak of another one, so of their bodies only "by" counts.
#include "audit/Calls.h"
#include <QCoreApplication>
#include <QJsonObject>

static const QStringList firstWins = {QStringLiteral("actor"),       QStringLiteral("operation"),
                                      QStringLiteral("remote"),      QStringLiteral("target"),
                                      QStringLiteral("targetLabel"), QStringLiteral("undoes")};

static bool isAboutUndo(AuditEvent::Kind kind)
{
    return kind == AuditEvent::Kind::UndoClaimed || kind == AuditEvent::Kind::UndoReleased ||
           kind == AuditEvent::Kind::Undone;
}

static void setFirst(QString &field, const QJsonObject &body, const char *key)
{
    if (field.isEmpty())
        field = body[QLatin1String(key)].toString();
}

static void setLast(QString &field, const QJsonObject &body, const char *key)
{
    if (const auto value = body[QLatin1String(key)]; value.isString())
        field = value.toString();
}

static void applyActor(ProjectedCall &call, const QJsonObject &body)
{
    const auto said = body[QLatin1String("actor")].toObject();
    const auto kind = actorKindFromName(said[QLatin1String("kind")].toString());
    if (call.hasActor || !kind)
        return;
    call.hasActor = true;
    call.row.actor = {.kind = *kind,
                      .id = said[QLatin1String("id")].toString(),
                      .name = said[QLatin1String("name")].toString(),
                      .session = said[QLatin1String("session")].toString(),
                      .pid = said[QLatin1String("pid")].toInteger(),
                      .program = said[QLatin1String("program")].toString()};
}

static void applyWords(ProjectedCall &call, const AuditEvent &event)
{
    auto &row = call.row;
    const auto &body = event.body;
    applyActor(call, body);
    setFirst(row.operation, body, "operation");
    setFirst(row.remote, body, "remote");
    setFirst(row.target, body, "target");
    setFirst(row.targetLabel, body, "targetLabel");
    setFirst(row.undoes, body, "undoes");
    setLast(row.headline, body, "headline");
    setLast(row.reason, body, "reason");
    setLast(row.decision, body, "decision");
    setLast(row.error, body, "error");
    setLast(row.upid, body, "upid");
    if (const auto effect = effectFromName(body[QLatin1String("effect")].toString());
        effect && (!row.effect || *effect > *row.effect))
        row.effect = effect;
    if (row.headline.isEmpty() && (event.kind == AuditEvent::Kind::Note || event.kind == AuditEvent::Kind::Anchored))
        row.headline =
            body[event.kind == AuditEvent::Kind::Note ? QLatin1String("text") : QLatin1String("why")].toString();
}

static void end(ProjectedCall &call, const AuditEvent &event, CallState otherwise)
{
    call.row.state = callStateFromName(event.body[QLatin1String("state")].toString()).value_or(otherwise);
    call.row.endedMs = event.wallMs;
    call.isOpen = false;
}

static void begin(ProjectedCall &call)
{
    call.row.state = CallState::Running;
    call.row.endedMs = 0;
    call.isOpen = true;
}

static void applyUndo(CallRow &row, const AuditEvent &event)
{
    const auto by = event.body[QLatin1String("by")].toString();
    if (event.kind == AuditEvent::Kind::UndoClaimed) {
        row.claimedBy = by;
    } else if (event.kind == AuditEvent::Kind::Undone) {
        row.undoneBy = by;
        row.claimedBy.clear();
    } else if (by.isEmpty() || by == row.claimedBy) {
        row.claimedBy.clear();
    }
}

static void applyState(ProjectedCall &call, const AuditEvent &event)
{
    using Kind = AuditEvent::Kind;
    auto &row = call.row;
    const bool hasEnded = row.endedMs != 0;
    const auto read = event.body.contains(QLatin1String("error")) ? CallState::Failed : CallState::Done;
    switch (event.kind) {
    case Kind::Asked:
    case Kind::Sent:
        if (!hasEnded)
            row.state = event.kind == Kind::Asked ? CallState::Waiting : CallState::Running;
        break;
    case Kind::Answered:
        if (hasEnded)
            break;
        row.state = CallState::Running;
        if (!event.body[QLatin1String("allowed")].toBool()) {
            row.state = CallState::Denied;
            row.endedMs = event.wallMs;
        }
        break;
    case Kind::Intent: begin(call); break;
    case Kind::Outcome:
    case Kind::Recovered:
        end(call, event, CallState::Unknown);
        call.isOpen = event.kind == Kind::Outcome && row.state == CallState::Unknown;
        row.hasInverse = !event.body[QLatin1String("inverse")].toObject().isEmpty();
        break;
    case Kind::Read: end(call, event, read); break;
    case Kind::Refused: end(call, event, CallState::Refused); break;
    case Kind::Note:
    case Kind::Anchored: end(call, event, CallState::Done); break;
    case Kind::UndoClaimed:
    case Kind::UndoReleased:
    case Kind::Undone: applyUndo(row, event); break;
    }
}

void ProjectedCall::apply(qint64 seq, const AuditEvent &event)
{
    if (row.seq == 0) {
        row.seq = seq;
        row.callId = event.callId;
        row.atMs = event.wallMs;
        row.utcOffset = event.utcOffset;
        row.actor = Actor::labhelm();
    }
    lastSeq = seq;
    if (!isAboutUndo(event.kind))
        applyWords(*this, event);
    applyState(*this, event);
}

static auto allOf(const ProjectedCall &call)
{
    const auto &row = call.row;
    const auto &actor = row.actor;
    return std::tie(call.lastSeq, call.hasActor, call.isOpen, actor.kind, actor.id, actor.name, actor.session,
                    actor.pid, actor.program, row.seq, row.callId, row.atMs, row.endedMs, row.utcOffset, row.operation,
                    row.effect, row.remote, row.target, row.targetLabel, row.headline, row.state, row.error, row.upid,
                    row.reason, row.decision, row.hasInverse, row.undoneBy, row.undoes, row.claimedBy);
}

bool ProjectedCall::operator==(const ProjectedCall &other) const
{
    return allOf(*this) == allOf(other);
}

Result<> ProjectedCall::claimable() const
{
    const auto refused = [](Error::Kind kind, const char *why) {
        return Error{kind, QCoreApplication::translate("audit", why)};
    };
    if (row.seq == 0)
        return refused(Error::Kind::NotFound, QT_TRANSLATE_NOOP("audit", "There is no such call to undo."));
    if (!row.undoneBy.isEmpty())
        return refused(Error::Kind::Conflict, QT_TRANSLATE_NOOP("audit", "This has been undone already."));
    if (!row.claimedBy.isEmpty())
        return refused(Error::Kind::Conflict, QT_TRANSLATE_NOOP("audit", "This is being undone right now."));
    if (!row.hasInverse)
        return refused(Error::Kind::Conflict, QT_TRANSLATE_NOOP("audit", "Nothing is known that undoes this."));
    return {};
}

void mergeBody(QJsonObject &merged, const AuditEvent &event)
{
    for (auto it = event.body.begin(); it != event.body.end(); ++it) {
        if (isAboutUndo(event.kind) ? it.key() == QLatin1String("by")
                                    : !firstWins.contains(it.key()) || !merged.contains(it.key()))
            merged.insert(it.key(), it.value());
    }
}
