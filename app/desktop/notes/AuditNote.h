#pragma once
#include "audit/AuditEvent.h"

/// Something a person did to Labhelm itself, as a row of the timeline: a pairing, a pin, a secret, a connection.
namespace AuditNote
{
/// `text` is a whole sentence, as the timeline shows it; `target` names what it is about and may be empty. Neither may
/// hold a secret.
AuditEvent of(const Actor &actor, const QString &text, const QString &target = {});
}
