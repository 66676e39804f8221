#pragma once
#include "secrets/SecretStore.h"
#include <QHash>

/// Keeps secrets for the life of the process: for the demo and for tests.
class MemoryStore final : public SecretStore
{
public:
    Future<Secret> read(const QString &key) override;
    Future<void> write(const QString &key, const Secret &value) override;
    Future<void> remove(const QString &key) override;

private:
    QHash<QString, Secret> m_secrets;
};
