#include "simulator/schema/Parameters.h"
#include <QJsonArray>
#include <QRegularExpression>

namespace
{
QString decoded(QByteArray text)
{
    text.replace('+', ' ');
    return QString::fromUtf8(QByteArray::fromPercentEncoding(text));
}

QString scalarText(const QJsonValue &value)
{
    if (value.isBool())
        return value.toBool() ? QStringLiteral("1") : QStringLiteral("0");
    if (value.isDouble())
        return value.toVariant().toString();
    return value.toString();
}
} // namespace

Parameters::Parameters(std::initializer_list<std::pair<QString, QString>> pairs)
{
    for (const auto &[name, value] : pairs)
        add(name, value);
}

Parameters Parameters::fromForm(const QByteArray &text)
{
    Parameters parameters;
    qsizetype from = 0;
    while (from < text.size()) {
        qsizetype end = from;
        while (end < text.size() && text[end] != '&' && text[end] != ';')
            ++end;
        const auto parts = text.mid(from, end - from).split('=');
        if (parts.size() > 1 && !parts[0].isEmpty())
            parameters.add(decoded(parts[0]), decoded(parts[1]));
        from = end + 1;
    }
    return parameters;
}

Parameters Parameters::fromJson(const QJsonObject &object)
{
    Parameters parameters;
    for (auto it = object.begin(); it != object.end(); ++it) {
        parameters.m_hadNull = parameters.m_hadNull || it->isNull();
        if (it->isNull())
            continue;
        if (!it->isArray()) {
            parameters.add(it.key(), scalarText(*it));
            continue;
        }
        parameters.m_values.insert(it.key(), {});
        for (const auto &element : it->toArray())
            parameters.add(it.key(), scalarText(element));
    }
    return parameters;
}

void Parameters::merge(const Parameters &other)
{
    for (auto it = other.m_values.begin(); it != other.m_values.end(); ++it)
        m_values[it.key()] = it.value();
}

QString Parameters::text(const QString &name, const QString &fallback) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() || found->isEmpty() ? fallback : found->last();
}

std::optional<qint64> Parameters::integer(const QString &name) const
{
    bool ok = false;
    const auto number = text(name).toLongLong(&ok);
    return ok ? std::optional(number) : std::nullopt;
}

bool Parameters::flag(const QString &name, bool fallback) const
{
    return has(name) ? text(name) == u'1' : fallback;
}

QStringList Parameters::list(const QString &name) const
{
    static const QRegularExpression separators(QStringLiteral("[,;\\s\\x{0}]+"));
    return text(name).split(separators, Qt::SkipEmptyParts);
}

QJsonObject Parameters::toLog() const
{
    static const QStringList secrets{QStringLiteral("password"),      QStringLiteral("cipassword"),
                                     QStringLiteral("tfa-challenge"), QStringLiteral("confirmation-password"),
                                     QStringLiteral("otp"),           QStringLiteral("vncticket")};
    QJsonObject object;
    for (auto it = m_values.begin(); it != m_values.end(); ++it) {
        if (secrets.contains(it.key()))
            object.insert(it.key(), QStringLiteral("(left out)"));
        else if (it->size() == 1)
            object.insert(it.key(), it->first());
        else
            object.insert(it.key(), QJsonArray::fromStringList(*it));
    }
    return object;
}
