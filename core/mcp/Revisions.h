#pragma once
#include "mcp/JsonRpc.h"
#include <QStringList>

/// The two ways of MCP: a connection that begins with "initialize" (legacy), and requests that each say their revision
/// in _meta (modern). One connection may carry both; what a request says goes first.
struct Revision {
    QString name; ///< "2026-07-28"
    bool isModern = false;
};

namespace Revisions
{
QStringList modern(); ///< newest first
QStringList legacy(); ///< newest first
QStringList all();
/// Whether the request says its revision itself.
bool isStated(const QJsonObject &params);
/// The stated revision; an error if it is unknown (-32022) or what must stand beside it is missing (-32602).
std::variant<Revision, RpcError> stated(const QJsonObject &params);
/// What "initialize" is answered with: the wanted one, else our newest.
Revision agreed(const QString &wanted);
/// The result as the revision wants it: modern ones say that they are complete and who answers.
QJsonObject dressed(QJsonObject result, const Revision &revision, const QJsonObject &serverInfo);
/// What clients may keep, and for how long; nothing for legacy ones.
QJsonObject cacheable(QJsonObject result, const Revision &revision);
}
