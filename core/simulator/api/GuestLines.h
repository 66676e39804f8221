#pragma once
#include "simulator/api/Call.h"

/// Lines of a guest's configuration that PVE refuses for more than their shape.
namespace GuestLines
{
/// nullopt = the caller may write it, and what it names can be.
std::optional<ApiAnswer> refused(const Call &call, GuestKind kind, const QString &key, const QString &value);
} // namespace GuestLines
