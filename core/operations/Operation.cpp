#include "operations/Operation.h"
#include "base/DisplayText.h"
#include "base/StrictJson.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

QString Operation::mcpName() const
{
    return QString(id).replace(u'.', u'_');
}

static QJsonObject propertySchema(const Parameter &p)
{
    QJsonObject property{{QStringLiteral("type"), QLatin1String(p.type)},
                         {QStringLiteral("description"), QString::fromUtf8(p.help.source)}};
    if (p.minimum)
        property[QStringLiteral("minimum")] = *p.minimum;
    if (p.maximum)
        property[QStringLiteral("maximum")] = *p.maximum;
    if (p.maximumLength)
        property[QStringLiteral("maxLength")] = p.maximumLength;
    if (!p.pattern.isEmpty())
        property[QStringLiteral("pattern")] = QString(u'^' + p.pattern + u'$');
    if (!p.choices.isEmpty())
        property[QStringLiteral("enum")] = QJsonArray::fromStringList(p.choices);
    if (qstrcmp(p.type, "array") == 0) {
        auto items = p.items.isEmpty() ? QJsonObject{{QStringLiteral("type"), QStringLiteral("string")}}
                                       : QJsonDocument::fromJson(p.items).object();
        if (property.contains(QStringLiteral("enum")))
            items[QStringLiteral("enum")] = property.take(QStringLiteral("enum"));
        property[QStringLiteral("items")] = items;
    }
    return property;
}

QJsonObject Operation::schema() const
{
    QJsonObject properties;
    QJsonArray needed;
    for (const auto &p : parameters) {
        properties[QLatin1String(p.name)] = propertySchema(p);
        if (p.required)
            needed.append(QLatin1String(p.name));
    }
    QJsonObject schema{{QStringLiteral("type"), QStringLiteral("object")},
                       {QStringLiteral("additionalProperties"), false}};
    if (!properties.isEmpty())
        schema[QStringLiteral("properties")] = properties;
    if (!needed.isEmpty())
        schema[QStringLiteral("required")] = needed;
    return schema;
}

Result<Arguments> Operation::parse(const QByteArray &text) const
{
    const auto invalid = [](const QString &message) { return Error{Error::Kind::Invalid, message}; };
    auto given = StrictJson::parseObject(text.isEmpty() ? QByteArrayLiteral("{}") : text);
    if (!given)
        return given.error();
    auto args = blank();
    for (size_t i = 0; i < parameters.size(); ++i) {
        const auto &p = parameters[i];
        const auto name = QLatin1String(p.name);
        const auto value = given->take(name);
        if (value.isUndefined() && p.required)
            return invalid(
                QCoreApplication::translate("Operation", "\"%1\" is missing: %2").arg(name, p.help.translated()));
        if (value.isUndefined())
            continue;
        if (auto read = readField(i, value, args.get()); !read)
            return invalid(QCoreApplication::translate("Operation", "\"%1\": %2").arg(name, read.error().message));
        if (const auto broken = brokenLimit(p, value); !broken.isEmpty())
            return invalid(QCoreApplication::translate("Operation", "\"%1\" %2.").arg(name, broken));
    }
    if (!given->isEmpty()) {
        QStringList known;
        for (const auto &p : parameters)
            known << QLatin1String(p.name);
        return invalid(
            QCoreApplication::translate("Operation", "%1 does not take \"%2\". It takes: %3.")
                .arg(id, DisplayText::visible(given->keys().first().left(80)), known.join(QStringLiteral(", "))));
    }
    return Arguments(std::move(args));
}
