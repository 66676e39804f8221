#include "operations/Parameter.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QRegularExpression>

QString Text::translated() const
{
    return QCoreApplication::translate("operation", source);
}

Limit range(qint64 minimum, qint64 maximum)
{
    return [=](Parameter &p) {
        p.minimum = minimum;
        p.maximum = maximum;
    };
}
Limit longest(qint64 characters)
{
    return [=](Parameter &p) { p.maximumLength = characters; };
}
Limit matching(const char *pattern)
{
    return [=](Parameter &p) { p.pattern = QLatin1String(pattern); };
}
Limit oneOf(QStringList choices)
{
    return [choices = std::move(choices)](Parameter &p) { p.choices = choices; };
}

static QString tr(const char *text)
{
    return QCoreApplication::translate("Parameter", text);
}

QString brokenLimit(const Parameter &p, const QJsonValue &json)
{
    if (json.isArray()) {
        for (const auto &item : json.toArray())
            if (const auto broken = brokenLimit(p, item); !broken.isEmpty())
                return broken;
        return {};
    }
    if (p.minimum && json.toDouble() < double(*p.minimum))
        return tr("must be at least %1").arg(*p.minimum);
    if (p.maximum && json.toDouble() > double(*p.maximum))
        return tr("must be at most %1").arg(*p.maximum);
    const auto text = json.toString();
    if (p.maximumLength && text.size() > p.maximumLength)
        return tr("must have at most %1 characters").arg(p.maximumLength);
    if (!p.choices.isEmpty() && !p.choices.contains(text))
        return tr("must be one of %1").arg(p.choices.join(QStringLiteral(", ")));
    if (!p.pattern.isEmpty() &&
        !QRegularExpression(QRegularExpression::anchoredPattern(p.pattern)).match(text).hasMatch())
        return tr("does not have the form %1").arg(p.pattern);
    return {};
}
