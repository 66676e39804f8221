#pragma once
#include "inventory/InventorySnapshot.h"
#include "widgets/Tones.h"

/// What a task of Proxmox VE does and how it ended, in words. All text is safe to show.
namespace TaskWords
{
QString what(const Upid &upid);       ///< "Start guest", "Back up guest"; PVE's own word if it is not known
QString state(const TaskState &task); ///< "running", "done", "warnings: 1", "failed"
Tone tone(const TaskState &task);
QString detail(const TaskState &task); ///< the error in PVE's own words; empty when it went well
}
