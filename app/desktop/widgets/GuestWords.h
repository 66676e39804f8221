#pragma once
#include "inventory/InventorySnapshot.h"
#include "widgets/Mark.h"

/// How guests are called and marked everywhere. All text is safe to show.
namespace GuestWords
{
QString name(const GuestState &guest);  ///< its name, or that it is not known
QString state(const GuestState &guest); ///< "running", "stopped", "template", "unknown" …
QString kind(const GuestState &guest);  ///< "VM", "container", "VM template", "container template"
/// "8 GiB of 32 GiB"; only the size where the use is not reported, as PVE says 0 of a virtual machine's.
QString disk(const GuestState &guest);
std::optional<double> diskShare(const GuestState &guest); ///< 0 … 1; nullopt where there is nothing to draw
Mark mark(const GuestState &guest);
Tone tone(const GuestState &guest);
}
