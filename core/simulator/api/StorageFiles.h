#pragma once
#include "simulator/api/Call.h"

/// Images, templates and the like that are put on storages as files.
namespace StorageFiles
{
/// "a b.iso" becomes "a_b.iso", as PVE names what it is given.
QString safeName(const QString &name);
/// Whether a file of that name can be such content.
bool fits(const QString &content, const QString &name);
/// "iso", "tzst" …: the format that lists show.
QString format(const QString &name);
/// Puts the file there, in the place of one of the same name.
void put(World &world, const QString &storage, const QString &node, const QString &content, const QString &name,
         qint64 size);
/// Hex digest by "sha256" and the like; empty for an algorithm that is not known.
QString digest(const QByteArray &bytes, const QString &algorithm);
} // namespace StorageFiles
