#pragma once
#include "bridge/Options.h"

/// Why there is no connection to the desktop.
struct Absence {
    int code = 0;             ///< of the JSON-RPC error; outside the reserved range
    const char *reason = "";  ///< for programs
    const char *message = ""; ///< for people
};

/// The way to the desktop: reaching the socket and the handshake.
class Connection
{
public:
    static const Absence notRunning;
    /// Blocks for at most 10 s; much less if the client has gone. The socket on success, else -1 with the reason.
    static int open(const Options &options, const Absence *&absence);
};
