#pragma once
#include <QJsonValue>
#include <QString>
#include <optional>

/// Tells from /access/permissions what a sign-in may not see, since PVE leaves it out of its lists without a word.
namespace Visibility
{
/// In words; empty: everything that is polled is visible. Nullopt: the answer cannot be understood.
std::optional<QString> hidden(const QJsonValue &permissions);
}
