#pragma once
#include "simulator/schema/Release.h"
#include <QJsonValue>

/// Fields of answers that came with release 9.
namespace LaterFields
{
/// The answer as the release gives it: what it does not know yet is taken away.
QJsonValue without(const Release &release, const Endpoint &endpoint, const QJsonValue &data);
} // namespace LaterFields
