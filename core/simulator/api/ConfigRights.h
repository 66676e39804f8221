#pragma once
#include "model/GuestRef.h"
#include <QString>

/// Which privilege a line of a guest's configuration asks for, and which lines a running guest takes over at once.
namespace ConfigRights
{
/// "VM.Config.CPU" …; empty = only root@pam by ticket.
QString privilege(GuestKind kind, const QString &key, const QString &value);
bool appliesWhileRunning(GuestKind kind, const QString &key, const QString &value);
} // namespace ConfigRights
