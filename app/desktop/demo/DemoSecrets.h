#pragma once
#include "secrets/KeychainStore.h"
#include "secrets/MemoryStore.h"
#include <QCoro/QCoroTask>

/// Secrets of the demo: in the keyring under a heading of their own, so that paired agents outlive a restart; where there
/// is no open keyring, for this run only. They guard nothing but a made-up cluster.
class DemoSecrets final : public SecretStore
{
public:
    DemoSecrets();
    Future<Secret> read(const QString &key) override;
    Future<void> write(const QString &key, const Secret &value) override;
    Future<void> remove(const QString &key) override;

private:
    QCoro::Task<void> readNow(QString key, Promise<Secret> promise);
    QCoro::Task<void> writeNow(QString key, Secret value, Promise<void> promise);
    KeychainStore m_keyring;
    MemoryStore m_memory;
};
