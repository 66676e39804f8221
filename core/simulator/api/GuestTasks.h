#pragma once
#include "simulator/api/Call.h"

/// What calls that start a task on a guest share.
namespace GuestTasks
{
/// A task on this guest by this caller, with the type that its kind has.
TaskPlan plan(const Call &call, const Guest &guest, const char *qemuType, const char *lxcType,
              std::chrono::milliseconds duration);
/// Starts it and answers its UPID.
ApiAnswer run(Call &call, TaskPlan plan);
/// Something done to a guest when its time comes, if the guest is still there.
std::function<QString()> later(World &world, qint64 vmid, std::function<QString(Guest &)> what);
/// The lock that a task leaves when it is stopped in the middle goes away.
std::function<void()> unlocking(World &world, qint64 vmid);
/// Why a guest does not start now; empty when it would.
QString startProblem(const World &world, const Guest &guest);
/// "VM is locked (backup)"; empty when it is not.
QString lockedText(const Guest &guest);
} // namespace GuestTasks
