#pragma once
#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <variant>

/// An error of the protocol itself; what an operation refuses is an answer, not one of these.
struct RpcError {
    enum Code {
        ParseError = -32700,
        InvalidRequest = -32600,
        MethodNotFound = -32601,
        InvalidParams = -32602,
        InternalError = -32603,
        UnsupportedVersion = -32022
    };
    int code = InternalError;
    QString message;
    QJsonObject data = {};
};

/// One message of a program: a request, a notification (no id) or a response.
struct RpcMessage {
    QByteArray id;  ///< the JSON text of the id, exactly as it came; empty = none
    QString method; ///< empty = a response
    QJsonObject params = {};
    QByteArray arguments = {}; ///< the JSON text of params.arguments, exactly as it came; empty = none
    QByteArray cancels = {};   ///< the JSON text of params.requestId, likewise
    bool isNotification() const { return id.isEmpty() && !method.isEmpty(); }
};

/// What is wrong with a message, and the id to answer to ("null" if it cannot be known).
struct RpcFault {
    QByteArray id;
    RpcError error;
};

/// Messages of JSON-RPC 2.0 as MCP uses it. Ids are never decoded: "1", 1 and 1152921504606846976 come back as they
/// came.
namespace JsonRpc
{
/// Refuses broken text, more than 1 MiB, duplicate keys, nesting beyond 64, invalid UTF-8, and ids that are neither text
/// nor integer.
std::variant<RpcMessage, RpcFault> parse(QByteArray line);
/// Whether the line holds a list, as a batch does.
bool isList(const QByteArray &line);
/// The elements of a batch in their own words; empty if it is broken or an empty list.
QByteArrayList elements(const QByteArray &list);

// Whole lines without their end, UTF-8, with U+2028 and U+2029 escaped: some clients split lines there.
QByteArray result(const QByteArray &id, const QJsonObject &result);
QByteArray error(const QByteArray &id, const RpcError &error);
QByteArray notification(const QString &method, const QJsonObject &params);
QByteArray request(const QByteArray &id, const QString &method, const QJsonObject &params);
}
