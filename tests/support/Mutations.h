#pragma once
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <functional>
#include <vector>

/// What a bad server, a bad proxy or a bad line might make of an answer: one fault in one place each.
namespace Mutations
{
/// One faulty body.
struct Mutation {
    QString what;
    QByteArray body;
};
using Give = std::function<void(const QString &what, const QJsonValue &now)>;

constexpr auto twice = "~again~"; ///< taken out of the text, it makes a key stand twice

inline QJsonArray with(QJsonArray array, qsizetype at, const QJsonValue &now)
{
    array[at] = now;
    return array;
}
inline QJsonObject with(QJsonObject object, const QString &key, const QJsonValue &now)
{
    object[key] = now;
    return object;
}

/// Values that PVE does not send in this place, and none of which is 0, false, "stopped" or success.
inline void replacements(const QJsonValue &was, const Give &give)
{
    give(QStringLiteral("null"), QJsonValue(QJsonValue::Null));
    give(QStringLiteral("word"), QStringLiteral("unreadable"));
    give(QStringLiteral("number"), 77.5);
    give(QStringLiteral("negative"), -3);
    give(QStringLiteral("huge"), 1e300);
    give(QStringLiteral("nested list"), QJsonArray{was, QJsonArray{was}});
    give(QStringLiteral("nested object"), QJsonObject{{QStringLiteral("x"), was}});
    if (was.isDouble())
        give(QStringLiteral("string for number"), was.toVariant().toString());
}

/// Every fault in every place at or below `value`.
inline void walk(const QString &path, const QJsonValue &value, const Give &give)
{
    replacements(value, [&](const QString &what, const QJsonValue &now) { give(path + u' ' + what, now); });
    if (value.isObject()) {
        const auto object = value.toObject();
        for (const auto &key : object.keys()) {
            const auto below = path + u'/' + key;
            auto dropped = object;
            dropped.remove(key);
            give(below + QStringLiteral(" dropped"), dropped);
            give(below + QStringLiteral(" twice"), with(object, key + QLatin1String(twice), 1));
            walk(below, object[key],
                 [&](const QString &what, const QJsonValue &now) { give(what, with(object, key, now)); });
        }
    }
    if (value.isArray()) {
        const auto array = value.toArray();
        for (qsizetype at = 0; at < array.size(); ++at)
            walk(path + u'/' + QString::number(at), array[at],
                 [&](const QString &what, const QJsonValue &now) { give(what, with(array, at, now)); });
    }
}

/// Whole bodies. `beside` stands beside "data".
inline std::vector<Mutation> of(const QJsonValue &data, QJsonObject beside = {})
{
    std::vector<Mutation> all;
    const auto add = [&](const QString &what, const QJsonValue &now) {
        auto text = QJsonDocument(with(beside, QStringLiteral("data"), now)).toJson(QJsonDocument::Compact);
        all.push_back({what, text.replace(twice, "")});
    };
    walk(QString(), data, add);
    return all;
}
}
