#include "mcp/Revisions.h"
#include <QJsonArray>

namespace
{
constexpr qint64 cacheMs = 60'000;
const QString prefix = QStringLiteral("io.modelcontextprotocol/");

QString versionKey()
{
    return prefix + QStringLiteral("protocolVersion");
}
} // namespace

QStringList Revisions::modern()
{
    return {QStringLiteral("2026-07-28")};
}

QStringList Revisions::legacy()
{
    return {QStringLiteral("2025-11-25"), QStringLiteral("2025-06-18"), QStringLiteral("2025-03-26"),
            QStringLiteral("2024-11-05")};
}

QStringList Revisions::all()
{
    return modern() + legacy();
}

bool Revisions::isStated(const QJsonObject &params)
{
    return params[u"_meta"].toObject().contains(versionKey());
}

std::variant<Revision, RpcError> Revisions::stated(const QJsonObject &params)
{
    const auto meta = params[u"_meta"].toObject();
    const auto version = meta[versionKey()];
    if (!version.isString() || !meta[QString(prefix + QStringLiteral("clientCapabilities"))].isObject())
        return RpcError{
            RpcError::InvalidParams,
            QStringLiteral("_meta must hold %1protocolVersion (text) and %1clientCapabilities (object).").arg(prefix)};
    if (!modern().contains(version.toString()))
        return RpcError{
            RpcError::UnsupportedVersion,
            QStringLiteral("Unsupported protocol version"),
            {{QStringLiteral("supported"), QJsonArray::fromStringList(all())}, {QStringLiteral("requested"), version}}};
    return Revision{version.toString(), true};
}

Revision Revisions::agreed(const QString &wanted)
{
    return {legacy().contains(wanted) ? wanted : legacy().first(), false};
}

QJsonObject Revisions::dressed(QJsonObject result, const Revision &revision, const QJsonObject &serverInfo)
{
    if (!revision.isModern)
        return result;
    auto meta = result[u"_meta"].toObject();
    meta.insert(prefix + QStringLiteral("serverInfo"), serverInfo);
    result.insert(QStringLiteral("_meta"), meta);
    result.insert(QStringLiteral("resultType"), QStringLiteral("complete"));
    return result;
}

QJsonObject Revisions::cacheable(QJsonObject result, const Revision &revision)
{
    if (revision.isModern) {
        result.insert(QStringLiteral("ttlMs"), cacheMs);
        result.insert(QStringLiteral("cacheScope"), QStringLiteral("private"));
    }
    return result;
}
