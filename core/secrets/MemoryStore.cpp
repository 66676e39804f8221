#include "secrets/MemoryStore.h"

Future<Secret> MemoryStore::read(const QString &key)
{
    const auto found = m_secrets.constFind(key);
    if (found == m_secrets.cend())
        return ready<Secret>(Error{Error::Kind::NotFound, QStringLiteral("No secret is stored under this name."), key});
    return ready<Secret>(*found);
}

Future<void> MemoryStore::write(const QString &key, const Secret &value)
{
    m_secrets.insert(key, value);
    return ready<void>({});
}

Future<void> MemoryStore::remove(const QString &key)
{
    m_secrets.remove(key);
    return ready<void>({});
}
