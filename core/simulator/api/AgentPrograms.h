#pragma once
#include "simulator/world/Guest.h"
#include <optional>

/// The few programs that a simulated virtual machine has: enough to see arguments, output, errors and time.
namespace AgentPrograms
{
/// What the program does; nullopt when the guest has no such program. `nowMs` is when it starts.
std::optional<GuestInside::Process> run(const Guest &guest, const QStringList &command, const QString &input,
                                        qint64 nowMs);
} // namespace AgentPrograms
