#pragma once
#include <QJsonObject>
#include <QMap>
#include <QStringList>
#include <optional>

/// A request's parameters by name; a repeated key keeps all its values in order.
class Parameters
{
public:
    Parameters() = default;
    Parameters(std::initializer_list<std::pair<QString, QString>> pairs);
    /// application/x-www-form-urlencoded as PVE reads it: pairs end at '&' or ';', a value ends at the next '=' (FACTS
    /// "Parameters").
    static Parameters fromForm(const QByteArray &text);
    /// A JSON body: booleans become 1 and 0, null is not given, arrays are repeated values.
    static Parameters fromJson(const QJsonObject &object);

    void add(const QString &name, const QString &value) { m_values[name].append(value); }
    void set(const QString &name, const QString &value) { m_values[name] = {value}; }
    void remove(const QString &name) { m_values.remove(name); }
    /// Takes over what the other holds; its values win.
    void merge(const Parameters &other);

    bool has(const QString &name) const { return m_values.contains(name); }
    bool isEmpty() const { return m_values.isEmpty(); }
    /// True when a JSON body named a parameter and gave null for it: it is not given, yet something was said.
    bool hadNull() const { return m_hadNull; }
    QStringList names() const { return m_values.keys(); }
    QStringList values(const QString &name) const { return m_values.value(name); }
    /// The only or last value; `fallback` when not given.
    QString text(const QString &name, const QString &fallback = {}) const;
    std::optional<qint64> integer(const QString &name) const;
    bool flag(const QString &name, bool fallback = false) const;
    /// A "-list" parameter, split at commas, semicolons, blanks and NUL as PVE does.
    QStringList list(const QString &name) const;
    /// Names and values, for a log; the values of secrets are left out.
    QJsonObject toLog() const;

private:
    QMap<QString, QStringList> m_values;
    bool m_hadNull = false;
};
