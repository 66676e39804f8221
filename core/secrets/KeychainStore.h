#pragma once
#include "secrets/SecretService.h"
#include "secrets/SecretStore.h"

/// Keeps secrets in the desktop's keyring through QtKeychain, and says plainly when it is locked or missing.
class KeychainStore final : public SecretStore
{
public:
    /// `service` is the heading of the entries: "Labhelm", or "Labhelm demo". After `patience` a keyring that says
    /// nothing is Unavailable.
    explicit KeychainStore(QString service, std::chrono::milliseconds patience = std::chrono::seconds(60));
    /// Everything pending ends with Cancelled; what the keyring was already told to write or remove may still happen.
    ~KeychainStore() override;

    Future<Secret> read(const QString &key) override;
    Future<void> write(const QString &key, const Secret &value) override;
    Future<void> remove(const QString &key) override;

    /// Has the desktop ask for the keyring's password. Done at once if it is open; Denied if the person closed the
    /// question.
    Future<void> unlock();

private:
    QCoro::Task<void> readNow(QString key, Promise<Secret> promise, std::stop_token stop);
    QCoro::Task<void> writeNow(QString key, Secret value, Promise<void> promise, std::stop_token stop);
    QCoro::Task<void> removeNow(QString key, Promise<void> promise, std::stop_token stop);
    QCoro::Task<void> unlockNow(Promise<void> promise, std::stop_token stop);

    const QString m_name;
    const std::chrono::milliseconds m_patience;
    SecretService m_service;
    std::stop_source m_stop;
};
