#pragma once
#include <QJsonValue>
#include <QStringList>
#include <optional>

/// Tells from /access/permissions what a sign-in may not see, since PVE leaves it out of its lists without a word.
namespace Visibility
{
/// In words; empty: everything that is polled is visible. Nullopt: the answer cannot be understood.
std::optional<QString> hidden(const QJsonValue &permissions);
/// Whether one of these privileges holds for everything below `root` ("/pool"), so that a list of it is whole.
bool seesAll(const QJsonValue &permissions, const QString &root, const QStringList &privileges);
}
