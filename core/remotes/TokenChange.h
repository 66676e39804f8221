#pragma once
#include "remotes/Remote.h"

/// A token that is being made for a connection, perhaps in place of an older one. It is kept in the file of connections
/// from before the server hears of it until nothing of it is left open, so that a crash leaves no token unknown.
struct TokenChange {
    enum class Step {
        Making,  ///< next.user may exist at the server; the connection does not use it yet
        Revoking ///< the connection uses next.user; oldUser may still exist at the server
    };
    Remote next;            ///< the connection as it will be; its id is the one of the connection
    QString oldUser = {};   ///< the token to revoke after the swap; empty: there is none
    QString oldSecret = {}; ///< the key of the secret to forget after the swap; empty: there is none
    Step step = Step::Making;

    bool operator==(const TokenChange &) const = default;
};
