#pragma once
#include "base/Result.h"
#include "model/GuestRef.h"
#include "model/Ids.h"
#include "model/Upid.h"
#include <QJsonObject>
#include <QStringList>
#include <optional>

/// A task as a caller names it, and the remote that runs it once resolved.
struct TaskRef {
    Upid upid;
    QString remote = {};
};

/// A connection as a caller names it; resolved to its id.
struct RemoteRef {
    QString asked;
    QString remote = {};
};

/// One call that a plan holds, as it came.
struct StepCall {
    QString operation;
    QJsonObject arguments;
};

/// How one C++ type travels as JSON: `type` for the schema, an optional `pattern`, read() and json(). Specialise once
/// per type.
template <class T>
struct JsonField;

template <>
struct JsonField<QString> {
    static constexpr auto type = "string";
    static Result<QString> read(const QJsonValue &json);
    static QJsonValue json(const QString &value) { return value; }
};
template <>
struct JsonField<bool> {
    static constexpr auto type = "boolean";
    static Result<bool> read(const QJsonValue &json);
    static QJsonValue json(bool value) { return value; }
};
template <>
struct JsonField<qint64> {
    static constexpr auto type = "integer";
    static Result<qint64> read(const QJsonValue &json);
    static QJsonValue json(qint64 value) { return value; }
};
template <>
struct JsonField<double> {
    static constexpr auto type = "number";
    static Result<double> read(const QJsonValue &json);
    static QJsonValue json(double value) { return value; }
};
template <>
struct JsonField<QStringList> {
    static constexpr auto type = "array"; ///< of strings
    static Result<QStringList> read(const QJsonValue &json);
    static QJsonValue json(const QStringList &value);
};
template <>
struct JsonField<QList<qint64>> {
    static constexpr auto type = "array";
    static constexpr auto items = "{\"type\":\"integer\"}";
    /// Digits as text are accepted too: a form splits a line of text.
    static Result<QList<qint64>> read(const QJsonValue &json);
    static QJsonValue json(const QList<qint64> &value);
};
template <>
struct JsonField<GuestRef> {
    static constexpr auto type = "string";
    /// A JSON integer is accepted too: agents write 101 as often as "101".
    static Result<GuestRef> read(const QJsonValue &json);
    static QJsonValue json(const GuestRef &value);
};
template <>
struct JsonField<NodeRef> {
    static constexpr auto type = "string";
    static Result<NodeRef> read(const QJsonValue &json);
    static QJsonValue json(const NodeRef &value);
};
template <>
struct JsonField<RemoteRef> {
    static constexpr auto type = "string";
    static Result<RemoteRef> read(const QJsonValue &json);
    static QJsonValue json(const RemoteRef &value);
};
template <>
struct JsonField<TaskRef> {
    static constexpr auto type = "string";
    static Result<TaskRef> read(const QJsonValue &json);
    static QJsonValue json(const TaskRef &value) { return value.upid.text; }
};
template <>
struct JsonField<SnapshotName> {
    static constexpr auto type = "string";
    static constexpr auto pattern = "[a-zA-Z][a-zA-Z0-9_-]{1,39}";
    static Result<SnapshotName> read(const QJsonValue &json);
    static QJsonValue json(const SnapshotName &value) { return value.text(); }
};
template <>
struct JsonField<std::vector<StepCall>> {
    static constexpr auto type = "array"; ///< of {operation, arguments}
    static constexpr auto items = "{\"type\":\"object\",\"properties\":{\"operation\":{\"type\":\"string\"},"
                                  "\"arguments\":{\"type\":\"object\"}},\"required\":[\"operation\",\"arguments\"],"
                                  "\"additionalProperties\":false}";
    static Result<std::vector<StepCall>> read(const QJsonValue &json);
    static QJsonValue json(const std::vector<StepCall> &value);
};
