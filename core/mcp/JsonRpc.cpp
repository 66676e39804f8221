#include "mcp/JsonRpc.h"
#include "base/StrictJson.h"
#include "mcp/JsonMembers.h"
#include <algorithm>

namespace
{
constexpr qsizetype longestId = 1024;
constexpr qsizetype longestMessage = 1024 * 1024; ///< so that reading one never holds up the window

QByteArray escapedLine(QByteArray line)
{
    if (line.contains("\xe2\x80\xa8"))
        line.replace("\xe2\x80\xa8", "\\u2028");
    if (line.contains("\xe2\x80\xa9"))
        line.replace("\xe2\x80\xa9", "\\u2029");
    return line;
}

bool isInteger(QByteArrayView text)
{
    if (text.startsWith('-'))
        text = text.sliced(1);
    if (text.size() > 1 && text.startsWith('0'))
        return false;
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isId(QByteArrayView text)
{
    return text.size() <= longestId && (isInteger(text) || (text.size() >= 2 && text.startsWith('"')));
}

RpcFault fault(RpcError::Code code, const QString &message, const QByteArray &id = "null")
{
    return {id, {code, message}};
}

/// Well-formed text that the strict reader refused (a key given twice, too deep) still has an id to answer to.
RpcFault unreadable(const JsonMembers &members, const Error &error)
{
    if (!members.isWhole())
        return fault(RpcError::ParseError, error.message);
    const auto id = members.value("id");
    return fault(RpcError::InvalidRequest, error.message, isId(id) ? id.toByteArray() : QByteArrayLiteral("null"));
}

/// The id does not pass through numbers, so that an integer of any size is echoed exactly.
QByteArray withoutId(const QByteArray &line, QByteArrayView id)
{
    auto copy = line;
    if (!id.isNull() && isInteger(id))
        copy.replace(id.data() - line.constData(), id.size(), "0");
    return copy;
}

/// The caller's own words; where a key was written with escapes, words that say the same.
QByteArray wordsOf(QByteArrayView asWritten, const QJsonValue &value)
{
    if (value.isUndefined())
        return {};
    return asWritten.isNull() ? StrictJson::write(value) : asWritten.toByteArray();
}
} // namespace

std::variant<RpcMessage, RpcFault> JsonRpc::parse(QByteArray line)
{
    if (line.startsWith("\xef\xbb\xbf"))
        line.remove(0, 3);
    const JsonMembers members(line);
    const auto id = members.value("id");
    if (line.size() > longestMessage)
        return unreadable(members, {Error::Kind::Invalid, QStringLiteral("A message may have 1 MiB at most.")});
    const auto parsed = StrictJson::parse(withoutId(line, id), {.exactIntegers = false});
    if (!parsed)
        return unreadable(members, parsed.error());
    if (!parsed->isObject())
        return fault(RpcError::InvalidRequest, QStringLiteral("A message must be one JSON object."));
    const auto object = parsed->toObject();
    const bool hasId = object.contains(u"id");
    const auto echoed = hasId ? wordsOf(id, object[u"id"]) : QByteArrayLiteral("null");
    if (hasId && !isId(echoed))
        return fault(RpcError::InvalidRequest, QStringLiteral("The id must be text or an integer."));
    const bool isResponse = object.contains(u"result") || object.contains(u"error");
    if (object[u"jsonrpc"] != QStringLiteral("2.0") || (!isResponse && !object[u"method"].isString()))
        return fault(RpcError::InvalidRequest, QStringLiteral("This is not a JSON-RPC 2.0 request."), echoed);
    const auto params = object[u"params"];
    if (!params.isUndefined() && !params.isObject())
        return fault(RpcError::InvalidParams, QStringLiteral("\"params\" must be an object."), echoed);
    RpcMessage message{hasId ? echoed : QByteArray(), isResponse ? QString() : object[u"method"].toString(),
                       params.toObject()};
    if (message.params.contains(u"arguments") || message.params.contains(u"requestId")) {
        const JsonMembers written(members.value("params"));
        message.arguments = wordsOf(written.value("arguments"), message.params[u"arguments"]);
        message.cancels = wordsOf(written.value("requestId"), message.params[u"requestId"]);
    }
    return message;
}

bool JsonRpc::isList(const QByteArray &line)
{
    return line.trimmed().startsWith('[');
}

QByteArrayList JsonRpc::elements(const QByteArray &list)
{
    QByteArrayList all;
    if (!StrictJson::parse(list, {.exactIntegers = false}))
        return all;
    for (const auto element : JsonMembers::elements(list))
        all << element.toByteArray();
    return all;
}

QByteArray JsonRpc::result(const QByteArray &id, const QJsonObject &result)
{
    return escapedLine("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + StrictJson::write(result) + '}');
}

QByteArray JsonRpc::error(const QByteArray &id, const RpcError &error)
{
    QJsonObject body{{QStringLiteral("code"), error.code}, {QStringLiteral("message"), error.message}};
    if (!error.data.isEmpty())
        body.insert(QStringLiteral("data"), error.data);
    return escapedLine("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":" + StrictJson::write(body) + '}');
}

QByteArray JsonRpc::notification(const QString &method, const QJsonObject &params)
{
    return escapedLine(StrictJson::write(QJsonObject{{QStringLiteral("jsonrpc"), QStringLiteral("2.0")},
                                                     {QStringLiteral("method"), method},
                                                     {QStringLiteral("params"), params}}));
}

QByteArray JsonRpc::request(const QByteArray &id, const QString &method, const QJsonObject &params)
{
    return escapedLine("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":" + StrictJson::write(QJsonValue(method)) +
                       ",\"params\":" + StrictJson::write(params) + '}');
}
