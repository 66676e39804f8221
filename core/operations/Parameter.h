#pragma once
#include "operations/JsonField.h"
#include <functional>
#include <type_traits>

/// A translatable literal; written {QT_TRANSLATE_NOOP("operation", "…")}.
struct Text {
    const char *source = "";
    QString translated() const;
};

/// What the form, the schema and the documentation know about one parameter.
struct Parameter {
    const char *name = "";
    Text help = {};
    const char *type = "string";
    bool required = true;
    std::optional<qint64> minimum = {};
    std::optional<qint64> maximum = {};
    qint64 maximumLength = 0; ///< characters; 0 = no limit
    QString pattern = {};     ///< whole value
    QStringList choices = {};
    QByteArray items = {}; ///< JSON Schema of a list's items; empty = texts
};

using Limit = std::function<void(Parameter &)>;
Limit range(qint64 minimum, qint64 maximum);
Limit longest(qint64 characters);
Limit matching(const char *pattern);
Limit oneOf(QStringList choices);

/// Why a value breaks a limit of its parameter; empty = it does not.
QString brokenLimit(const Parameter &parameter, const QJsonValue &json);

/// A Parameter bound to a member of Args.
template <class Args>
struct Field {
    Parameter about = {};
    std::function<Result<>(const QJsonValue &, Args &)> read = {};
    std::function<QJsonValue(const Args &)> json = {}; ///< Undefined = absent
};

namespace fields
{
template <class T>
Parameter parameter(const char *name, Text help, bool isRequired, std::initializer_list<Limit> limits)
{
    Parameter about{.name = name, .help = help, .type = JsonField<T>::type, .required = isRequired};
    if constexpr (requires { JsonField<T>::pattern; })
        about.pattern = QLatin1String(JsonField<T>::pattern);
    if constexpr (requires { JsonField<T>::items; })
        about.items = JsonField<T>::items;
    for (const auto &limit : limits)
        limit(about);
    return about;
}
} // namespace fields

/// A parameter that must be given.
template <class Args, class T>
Field<Args> required(T Args::*member, const char *name, Text help, std::initializer_list<Limit> limits = {})
{
    return {fields::parameter<T>(name, help, true, limits),
            [member](const QJsonValue &json, Args &out) -> Result<> {
                auto value = JsonField<T>::read(json);
                if (!value)
                    return value.error();
                out.*member = *std::move(value);
                return {};
            },
            [member](const Args &args) { return JsonField<T>::json(args.*member); }};
}

/// A parameter with a default: absent leaves the member's own value in place.
template <class Args, class T>
Field<Args> optional(T Args::*member, const char *name, Text help, std::initializer_list<Limit> limits = {})
{
    auto field = required(member, name, help, limits);
    field.about.required = false;
    return field;
}

/// A parameter that may be absent, which differs from empty and from 0.
template <class Args, class T>
Field<Args> optional(std::optional<T> Args::*member, const char *name, Text help,
                     std::initializer_list<Limit> limits = {})
{
    return {fields::parameter<T>(name, help, false, limits),
            [member](const QJsonValue &json, Args &out) -> Result<> {
                auto value = JsonField<T>::read(json);
                if (!value)
                    return value.error();
                out.*member = *std::move(value);
                return {};
            },
            [member](const Args &args) {
                return args.*member ? JsonField<T>::json(*(args.*member)) : QJsonValue(QJsonValue::Undefined);
            }};
}
