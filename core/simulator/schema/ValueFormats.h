#pragma once
#include <QHash>
#include <QString>
#include <functional>

/// What is wrong with a value, in PVE's words and with its line break; empty when nothing is.
using FormatCheck = std::function<QString(const QString &)>;

/// Formats of addresses, sizes, times and the like, by name.
namespace ValueFormats
{
const QHash<QString, FormatCheck> &checks();
/// A check by a pattern that must match all of the value; "%1" in the refusal stands for the value.
FormatCheck matches(const char *pattern, const char *refusal);
/// A check for an IP address of the allowed kinds.
FormatCheck address(bool v4, bool v6, const char *refusal);
} // namespace ValueFormats
