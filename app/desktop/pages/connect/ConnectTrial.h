#pragma once
#include "pages/connect/ConnectAttempt.h"
#include "pve/Connection.h"
#include "secrets/MemoryStore.h"

/// Signs in with a secret in memory, or with that of the keychain.
struct ConnectAttempt::Trial {
    MemoryStore memory;
    Connection connection;

    Trial(const Remote &remote, SecretStore *keychain) : connection(remote, keychain ? *keychain : memory) {}
};
