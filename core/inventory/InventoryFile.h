#pragma once
#include "base/Result.h"
#include "inventory/InventorySnapshot.h"
#include <QByteArray>

/// The text in which the last state of one remote is kept on disk: JSON of version 2, a row per guest, null for "not
/// known". Any thread.
namespace InventoryFile
{
/// Tasks that still run are left out: nobody knows how they ended.
QByteArray write(const InventorySnapshot &snapshot);
/// Reach is Cached. Malformed: not of this version, or anything in it that is not as write() makes it.
Result<InventorySnapshot> parse(const QByteArray &text);
}
