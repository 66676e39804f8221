#include "operations/JsonField.h"
#include <QCoreApplication>
#include <QJsonArray>

namespace
{
Error wrongType(const char *wanted)
{
    return {Error::Kind::Invalid, QCoreApplication::translate("JsonField", wanted)};
}

Result<QString> name(const QJsonValue &json)
{
    if (!json.isString() || json.toString().isEmpty())
        return wrongType(QT_TRANSLATE_NOOP("JsonField", "must be text that is not empty"));
    return json.toString();
}
} // namespace

Result<QString> JsonField<QString>::read(const QJsonValue &json)
{
    if (!json.isString())
        return wrongType(QT_TRANSLATE_NOOP("JsonField", "must be text"));
    return json.toString();
}

Result<bool> JsonField<bool>::read(const QJsonValue &json)
{
    if (!json.isBool())
        return wrongType(QT_TRANSLATE_NOOP("JsonField", "must be true or false"));
    return json.toBool();
}

Result<qint64> JsonField<qint64>::read(const QJsonValue &json)
{
    constexpr auto odd = std::numeric_limits<qint64>::min();
    const auto number = json.isDouble() ? json.toInteger(odd) : odd;
    if (number == odd)
        return wrongType(QT_TRANSLATE_NOOP("JsonField", "must be a whole number"));
    return number;
}

Result<double> JsonField<double>::read(const QJsonValue &json)
{
    if (!json.isDouble())
        return wrongType(QT_TRANSLATE_NOOP("JsonField", "must be a number"));
    return json.toDouble();
}

Result<QStringList> JsonField<QStringList>::read(const QJsonValue &json)
{
    if (!json.isArray())
        return wrongType(QT_TRANSLATE_NOOP("JsonField", "must be a list of texts"));
    QStringList all;
    for (const auto &item : json.toArray()) {
        if (!item.isString())
            return wrongType(QT_TRANSLATE_NOOP("JsonField", "must be a list of texts"));
        all << item.toString();
    }
    return all;
}

QJsonValue JsonField<QStringList>::json(const QStringList &value)
{
    return QJsonArray::fromStringList(value);
}

Result<QList<qint64>> JsonField<QList<qint64>>::read(const QJsonValue &json)
{
    const auto refusal = wrongType(QT_TRANSLATE_NOOP("JsonField", "must be a list of whole numbers"));
    if (!json.isArray())
        return refusal;
    QList<qint64> all;
    for (const auto &item : json.toArray()) {
        bool isNumber = item.isDouble();
        const auto number = isNumber ? JsonField<qint64>::read(item) : item.toString().trimmed().toLongLong(&isNumber);
        if (!isNumber || !number)
            return refusal;
        all << *number;
    }
    return all;
}

QJsonValue JsonField<QList<qint64>>::json(const QList<qint64> &value)
{
    QJsonArray all;
    for (const auto number : value)
        all.append(number);
    return all;
}

Result<GuestRef> JsonField<GuestRef>::read(const QJsonValue &json)
{
    GuestRef guest;
    if (json.isDouble()) {
        const auto id = Vmid::from(json.toInteger(-1));
        if (!id)
            return id.error();
        guest.asked = id->text();
        return guest;
    }
    const auto text = name(json);
    if (!text)
        return text.error();
    guest.asked = *text;
    return guest;
}

QJsonValue JsonField<GuestRef>::json(const GuestRef &value)
{
    return value.isResolved() ? value.key() : value.asked;
}

Result<NodeRef> JsonField<NodeRef>::read(const QJsonValue &json)
{
    const auto text = name(json);
    if (!text)
        return text.error();
    NodeRef node;
    node.asked = *text;
    return node;
}

QJsonValue JsonField<NodeRef>::json(const NodeRef &value)
{
    return value.isResolved() ? value.remote + u':' + value.node.text() : value.asked;
}

Result<RemoteRef> JsonField<RemoteRef>::read(const QJsonValue &json)
{
    const auto text = name(json);
    if (!text)
        return text.error();
    return RemoteRef{*text};
}

QJsonValue JsonField<RemoteRef>::json(const RemoteRef &value)
{
    return value.remote.isEmpty() ? value.asked : value.remote;
}

Result<TaskRef> JsonField<TaskRef>::read(const QJsonValue &json)
{
    auto upid = Upid::from(json.toString());
    if (!upid)
        return upid.error();
    return TaskRef{*upid};
}

Result<SnapshotName> JsonField<SnapshotName>::read(const QJsonValue &json)
{
    if (!json.isString())
        return wrongType(QT_TRANSLATE_NOOP("JsonField", "must be text"));
    return SnapshotName::from(json.toString());
}

Result<std::vector<StepCall>> JsonField<std::vector<StepCall>>::read(const QJsonValue &json)
{
    constexpr int most = 20;
    const auto steps = json.toArray();
    if (steps.isEmpty() || steps.size() > most)
        return wrongType(QT_TRANSLATE_NOOP("JsonField", "must be a list of 1 to 20 steps"));
    std::vector<StepCall> all;
    for (const auto &item : steps) {
        const auto step = item.toObject();
        const auto operation = step[QLatin1String("operation")], arguments = step[QLatin1String("arguments")];
        if (step.size() != 2 || !operation.isString() || !arguments.isObject())
            return wrongType(QT_TRANSLATE_NOOP(
                "JsonField", "must be a list of steps, each with \"operation\" and \"arguments\" and nothing else"));
        all.push_back({operation.toString(), arguments.toObject()});
    }
    return all;
}

QJsonValue JsonField<std::vector<StepCall>>::json(const std::vector<StepCall> &value)
{
    QJsonArray all;
    for (const auto &step : value)
        all.append(
            QJsonObject{{QStringLiteral("operation"), step.operation}, {QStringLiteral("arguments"), step.arguments}});
    return all;
}
