#include "simulator/api/ConfigValues.h"

static const Endpoint &setter(const ApiTable &table, GuestKind kind)
{
    return *table.find(QStringLiteral("PUT"), QStringLiteral("/nodes/x/%1/100/config").arg(guestKindName(kind)))
                ->endpoint;
}

ConfigValues::ConfigValues(const ApiTable &table, GuestKind kind) : m_table(table), m_setter(setter(table, kind)) {}

QJsonValue ConfigValues::value(const QString &key, const QString &text) const
{
    using Type = ParameterShape::Type;
    const auto *shape = m_table.shape(m_setter, key);
    const bool number =
        key == QLatin1String("snaptime") ||
        (shape && (shape->type == Type::Integer || shape->type == Type::Number || shape->type == Type::Boolean));
    bool ok = false;
    if (!number)
        return text;
    if (const auto whole = text.toLongLong(&ok); ok)
        return whole;
    const auto real = text.toDouble(&ok);
    return ok ? QJsonValue(real) : QJsonValue(text);
}

QJsonObject ConfigValues::object(const GuestConfig &config) const
{
    QJsonObject object;
    for (auto it = config.begin(); it != config.end(); ++it)
        object.insert(it.key(), value(it.key(), it.value()));
    return object;
}

bool ConfigValues::knows(const QString &key) const
{
    static const QStringList notLines{QStringLiteral("node"),   QStringLiteral("vmid"),
                                      QStringLiteral("digest"), QStringLiteral("delete"),
                                      QStringLiteral("revert"), QStringLiteral("skiplock"),
                                      QStringLiteral("force"),  QStringLiteral("background_delay")};
    return !notLines.contains(key) && m_table.shape(m_setter, key);
}
