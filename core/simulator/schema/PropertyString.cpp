#include "simulator/schema/PropertyString.h"

namespace
{
Error refusal(const QString &text)
{
    return {Error::Kind::Invalid, text, {}};
}

QString defaultKey(const ApiTable &table, const QMap<QString, int> &keys)
{
    for (auto it = keys.begin(); it != keys.end(); ++it)
        if (table.shape(it.value()).isDefaultKey)
            return it.key();
    return {};
}

QString booleanWord(const QString &value)
{
    const auto word = value.toLower();
    if (word == u'1' || word == QLatin1String("on") || word == QLatin1String("yes") || word == QLatin1String("true"))
        return QStringLiteral("1");
    if (word == u'0' || word == QLatin1String("off") || word == QLatin1String("no") || word == QLatin1String("false"))
        return QStringLiteral("0");
    return value;
}
} // namespace

Result<QMap<QString, QString>> PropertyString::parse(const ApiTable &table, const QMap<QString, int> &keys,
                                                     const QString &text)
{
    QMap<QString, QString> result;
    const auto fallback = defaultKey(table, keys);
    for (const auto &part : text.split(u',')) {
        if (part.trimmed().isEmpty())
            continue;
        const auto equals = part.indexOf(u'=');
        auto key = equals > 0 ? part.left(equals) : fallback;
        auto value = part.mid(equals + 1);
        if (equals >= 0 && (equals == 0 || value.isEmpty()))
            return refusal(QStringLiteral("missing key in comma-separated list property"));
        if (key.isEmpty())
            return refusal(QStringLiteral("value without key, but schema does not define a default key"));
        if (result.contains(key))
            return refusal(QStringLiteral("duplicate key in comma-separated list property: ") + key);
        if (!keys.contains(key))
            return refusal(QStringLiteral("invalid key in comma-separated list property: ") + key);
        const auto *shape = &table.shape(keys.value(key));
        if (!shape->alias.isEmpty()) {
            if (!shape->keyAlias.isEmpty()) {
                if (result.contains(shape->keyAlias))
                    return refusal(QStringLiteral("key alias '%1' is already defined").arg(shape->keyAlias));
                result.insert(shape->keyAlias, key);
            }
            key = shape->alias;
            shape = &table.shape(keys.value(key));
        }
        result.insert(key, shape->type == ParameterShape::Type::Boolean ? booleanWord(value) : value);
    }
    return result;
}

QString PropertyString::value(const QString &text, const QString &key)
{
    for (const auto &part : text.split(u','))
        if (part.startsWith(key + u'='))
            return part.mid(key.size() + 1);
    return {};
}

QString PropertyString::first(const QString &text)
{
    const auto part = text.section(u',', 0, 0);
    return part.contains(u'=') && !part.startsWith(QLatin1String("file=")) && !part.startsWith(QLatin1String("volume="))
               ? QString()
               : part.mid(part.indexOf(u'=') + 1);
}

QString PropertyString::with(const QString &text, const QString &key, const QString &value)
{
    QStringList parts;
    bool done = false;
    for (const auto &part : text.split(u',', Qt::SkipEmptyParts)) {
        if (!part.startsWith(key + u'=')) {
            parts.append(part);
        } else if (!value.isEmpty() && !done) {
            parts.append(key + u'=' + value);
            done = true;
        }
    }
    if (!done && !value.isEmpty())
        parts.append(key + u'=' + value);
    return parts.join(u',');
}
