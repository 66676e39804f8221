#pragma once
#include "inventory/InventorySnapshot.h"
#include "widgets/Mark.h"

/// How guests are called and marked everywhere. All text is safe to show.
namespace GuestWords
{
QString name(const GuestState &guest);  ///< its name, or that it is not known
QString state(const GuestState &guest); ///< "running", "stopped", "template", "unknown" …
QString kind(const GuestState &guest);  ///< "VM", "container", "VM template", "container template"
Mark mark(const GuestState &guest);
Tone tone(const GuestState &guest);
}
