#pragma once
#include "simulator/http/WebSocketPeer.h"
#include "simulator/world/Consoles.h"
#include <memory>

/// What answers on the port of a console.
namespace ConsolePeers
{
/// `listener` is marked as over when the peer goes.
std::shared_ptr<WebSocketPeer> of(std::shared_ptr<ConsoleListener> listener);
} // namespace ConsolePeers
