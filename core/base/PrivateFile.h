#pragma once
#include "base/Result.h"
#include <QByteArray>

/// Files that only their owner may read. Any thread.
namespace PrivateFile
{
/// Makes the folder and what is missing above it with mode 0700, and takes away rights of others from the folder
/// itself. Unavailable: it cannot be made, is no folder, or belongs to somebody else.
Result<> makeFolder(const QString &path);
/// Replaces the file's content, all or nothing, mode 0600. Unavailable: the old file is kept.
Result<> write(const QString &path, const QByteArray &content);
}
