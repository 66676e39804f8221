#include "model/PveValue.h"
#include <QLocale>

std::optional<qint64> PveValue::integer(const QJsonValue &value)
{
    if (value.isString()) {
        bool ok = false;
        const auto number = value.toString().toLongLong(&ok);
        return ok ? std::optional(number) : std::nullopt;
    }
    if (!value.isDouble())
        return std::nullopt;
    constexpr qint64 odd = std::numeric_limits<qint64>::min();
    const auto whole = value.toInteger(odd);
    return whole == odd ? std::nullopt : std::optional(whole);
}

std::optional<double> PveValue::number(const QJsonValue &value)
{
    if (value.isDouble())
        return value.toDouble();
    bool ok = false;
    const auto number = value.toString().toDouble(&ok);
    return value.isString() && ok && qIsFinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<bool> PveValue::boolean(const QJsonValue &value)
{
    if (value.isBool())
        return value.toBool();
    const auto whole = integer(value);
    if (!whole || (*whole != 0 && *whole != 1))
        return std::nullopt;
    return *whole == 1;
}

std::optional<QString> PveValue::text(const QJsonValue &value)
{
    if (value.isString())
        return value.toString();
    if (const auto whole = integer(value))
        return QString::number(*whole);
    return value.isDouble() ? std::optional(QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest))
                            : std::nullopt;
}
