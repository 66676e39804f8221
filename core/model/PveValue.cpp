#include "model/PveValue.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
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

Result<std::optional<qint64>> PveValue::given(const QJsonValue &value, const char *defaultKey)
{
    if (value.isUndefined() || value.isNull())
        return std::optional<qint64>();
    auto read = integer(value);
    if (!read && defaultKey && value.isString()) {
        const auto prefix = QLatin1String(defaultKey) + QLatin1Char('=');
        for (const auto &part : value.toString().split(u','))
            if (const auto trimmed = part.trimmed(); trimmed.startsWith(prefix))
                read = integer(QJsonValue(trimmed.mid(prefix.size())));
    }
    if (!read)
        return Error{Error::Kind::Malformed, QCoreApplication::translate("PveValue", "\"%1\" is not a whole number.")
                                                 .arg(DisplayText::visible(value.toVariant().toString().left(80)))};
    return read;
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
