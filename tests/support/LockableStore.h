#pragma once
#include "secrets/MemoryStore.h"

/// A keyring that is locked until it is opened.
class LockableStore final : public SecretStore
{
public:
    Future<Secret> read(const QString &key) override { return m_store.read(key); }
    Future<void> write(const QString &key, const Secret &value) override
    {
        if (isLocked)
            return ready<void>(
                Error{Error::Kind::Unavailable, QStringLiteral("The keyring is locked. Unlock it and try again.")});
        return m_store.write(key, value);
    }
    Future<void> remove(const QString &key) override { return m_store.remove(key); }
    bool isLocked = false;

private:
    MemoryStore m_store;
};
