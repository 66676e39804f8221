#pragma once
#include "base/Result.h"
#include <QByteArray>
#include <QJsonObject>
#include <QJsonValue>

/// JSON from outside, checked at the boundary. QJsonDocument alone accepts too much: the last of duplicate keys wins,
/// lone surrogates become "?", big integers become doubles.
namespace StrictJson
{
/// What a text may hold.
struct Limits {
    int depth = 64;                     ///< deepest nesting accepted
    qsizetype bytes = 16 * 1024 * 1024; ///< longest text accepted
    bool exactIntegers = true;          ///< refuse integers outside ±(2^53 − 1) and integers written as 1e2 or 1.0
};
/// Refuses broken or truncated text, duplicate keys (Invalid, naming the key), nesting beyond the limit, invalid UTF-8
/// and lone surrogates. Any thread.
Result<QJsonValue> parse(const QByteArray &text, const Limits &limits = {});
/// The same, and the text must be one object.
Result<QJsonObject> parseObject(const QByteArray &text, const Limits &limits = {});
/// Compact UTF-8 with keys in order; equal values give equal bytes.
QByteArray write(const QJsonValue &value);
}
