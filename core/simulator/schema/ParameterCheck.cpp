#include "simulator/schema/ParameterCheck.h"
#include "simulator/schema/Formats.h"
#include "simulator/schema/PropertyString.h"

using Type = ParameterShape::Type;

namespace
{
const QString missing = QStringLiteral("property is missing and it is not optional");
const QString unknown =
    QStringLiteral("property is not defined in schema and the schema does not allow additional properties");

bool isNumber(const QString &value)
{
    bool ok = false;
    value.toDouble(&ok);
    return ok;
}

QString wrongType(Type type, const QString &value)
{
    static const QRegularExpression integer(QStringLiteral("\\A[+-]?\\d+\\z"));
    static const QRegularExpression number(QStringLiteral("\\A[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?\\z"));
    const auto failed = [&value](const char *name) {
        return QStringLiteral("type check ('%1') failed - got '%2'").arg(QLatin1String(name), value);
    };
    if (type == Type::Integer && !integer.match(value).hasMatch())
        return failed("integer");
    if (type == Type::Number && !number.match(value).hasMatch())
        return failed("number");
    if (type == Type::Boolean && value != u'0' && value != u'1')
        return failed("boolean");
    return {};
}

QString plain(double bound)
{
    return bound == double(qint64(bound)) ? QString::number(qint64(bound)) : QString::number(bound);
}
} // namespace

QString ParameterCheck::conflictText()
{
    return QStringLiteral("duplicate parameter (already defined in URI) with conflicting values!");
}

QList<Violation> ParameterCheck::check(const Endpoint &endpoint, const Parameters &given) const
{
    QList<Violation> violations;
    for (const auto &name : given.names()) {
        const auto *shape = m_table.shape(endpoint, name);
        if (!shape) {
            if (!endpoint.allowsMore)
                violations.append({name, unknown});
            continue;
        }
        if (!shape->requiredToo.isEmpty() && !given.has(shape->requiredToo))
            violations.append({shape->requiredToo, QStringLiteral("missing property required by '%1'").arg(name)});
        if (const auto text = wrong(name, *shape, given.values(name)); !text.isEmpty())
            violations.append({name, text});
    }
    for (auto it = endpoint.parameters.begin(); it != endpoint.parameters.end(); ++it)
        if (!m_table.shape(it.value()).optional && !given.has(it.key()))
            violations.append({it.key(), missing});
    return violations;
}

QString ParameterCheck::wrong(const QString &name, const ParameterShape &shape, const QStringList &values) const
{
    if (shape.type != Type::Array)
        return values.size() == 1 ? wrongScalar(name, shape, values.first())
                                  : QStringLiteral("type check ('string') failed - got ARRAY");
    if (shape.items < 0)
        return {};
    for (const auto &value : values)
        if (auto text = wrongScalar(name, m_table.shape(shape.items), value); !text.isEmpty())
            return text;
    return {};
}

QString ParameterCheck::wrongScalar(const QString &name, const ParameterShape &shape, const QString &value) const
{
    if (auto text = wrongType(shape.type, value); !text.isEmpty())
        return text;
    const auto format =
        shape.keys >= 0 ? wrongPropertyString(name, shape.keys, value) : Formats::wrong(shape.format, value);
    if (!format.isEmpty())
        return QStringLiteral("invalid format - ") + format;
    return wrongLimits(shape, value);
}

QString ParameterCheck::wrongLimits(const ParameterShape &shape, const QString &value) const
{
    if (shape.pattern && !shape.pattern->match(value).hasMatch())
        return QStringLiteral("value does not match the regex pattern");
    if (shape.maxLength && value.size() > *shape.maxLength)
        return QStringLiteral("value may only be %1 characters long").arg(*shape.maxLength);
    if (shape.minLength && value.size() < *shape.minLength)
        return QStringLiteral("value must be at least %1 characters long").arg(*shape.minLength);
    if (shape.maximum && isNumber(value) && value.toDouble() > *shape.maximum)
        return QStringLiteral("value must have a maximum value of ") + plain(*shape.maximum);
    if (shape.minimum && isNumber(value) && value.toDouble() < *shape.minimum)
        return QStringLiteral("value must have a minimum value of ") + plain(*shape.minimum);
    if (!shape.choices.isEmpty() && !shape.choices.contains(value))
        return QStringLiteral("value '%1' does not have a value in the enumeration '%2'")
            .arg(value, shape.choices.join(QLatin1String(", ")));
    return {};
}

QString ParameterCheck::wrongPropertyString(const QString &name, int keys, const QString &value) const
{
    const auto &known = m_table.keys(keys);
    const auto parsed = PropertyString::parse(m_table, known, value);
    if (!parsed)
        return parsed.error().message + u'\n';
    QString errors;
    const auto note = [&errors, &name](const QString &key, const QString &text) {
        errors += name + u'.' + key + QLatin1String(": ") + text + u'\n';
    };
    for (auto it = parsed->begin(); it != parsed->end(); ++it)
        if (const auto text = wrongScalar(name + u'.' + it.key(), m_table.shape(known.value(it.key())), it.value());
            !text.isEmpty())
            note(it.key(), text);
    for (auto it = known.begin(); it != known.end(); ++it) {
        const auto &shape = m_table.shape(it.value());
        if (!shape.optional && shape.alias.isEmpty() && !parsed->contains(it.key()))
            note(it.key(), missing);
        if (parsed->contains(it.key()) && !shape.requiredToo.isEmpty() && !parsed->contains(shape.requiredToo))
            note(shape.requiredToo, QStringLiteral("missing property required by '%1'").arg(it.key()));
    }
    return errors.isEmpty() ? QString() : QStringLiteral("format error\n") + errors;
}
