#include "notes/AuditNote.h"
#include <QUuid>

AuditEvent AuditNote::of(const Actor &actor, const QString &text, const QString &target)
{
    AuditEvent event;
    event.callId = QStringLiteral("note-") + QUuid::createUuid().toString(QUuid::Id128);
    event.kind = AuditEvent::Kind::Note;
    event.body = {{QStringLiteral("text"), text},
                  {QStringLiteral("actor"), QJsonObject{{QStringLiteral("kind"), actorKindName(actor.kind)},
                                                        {QStringLiteral("id"), actor.id},
                                                        {QStringLiteral("name"), actor.name}}}};
    if (!target.isEmpty())
        event.body.insert(QStringLiteral("targetLabel"), target);
    return event;
}
