#pragma once
#include "base/Result.h"
#include <QJsonObject>
#include <QString>
#include <optional>

/// Reads values as PVE sends them: a number may come as a string, a boolean as 1 or "1", and absent differs from 0.
namespace PveValue
{
/// 64-bit; from a number without fraction or a decimal string; otherwise nullopt.
std::optional<qint64> integer(const QJsonValue &value);
std::optional<double> number(const QJsonValue &value);
/// A whole number of a configuration. Nullopt: not set (absent or null); Malformed: set, but not to a whole number.
/// `defaultKey` is that of a property string: "current=2048" and "2048" are the same with "current".
Result<std::optional<qint64>> given(const QJsonValue &value, const char *defaultKey = nullptr);
/// 1, "1", true / 0, "0", false; otherwise nullopt.
std::optional<bool> boolean(const QJsonValue &value);
/// A string, or a number written as PVE would.
std::optional<QString> text(const QJsonValue &value);

inline std::optional<qint64> integer(const QJsonObject &object, const char *key)
{
    return integer(object[QLatin1String(key)]);
}
inline std::optional<double> number(const QJsonObject &object, const char *key)
{
    return number(object[QLatin1String(key)]);
}
inline std::optional<bool> boolean(const QJsonObject &object, const char *key)
{
    return boolean(object[QLatin1String(key)]);
}
inline std::optional<QString> text(const QJsonObject &object, const char *key)
{
    return text(object[QLatin1String(key)]);
}
}
