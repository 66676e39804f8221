#pragma once
#include "base/Promise.h"
#include <QCoro/QCoroTask>
#include <QDBusMessage>
#include <QObject>
#include <stop_token>

/// Asks the desktop's Secret Service over D-Bus what QtKeychain cannot tell: whether there is one, and whether it is
/// locked. Owner's thread only; every question is asynchronous and answered within the patience given.
class SecretService : public QObject
{
    Q_OBJECT
public:
    enum class State {
        Open,      ///< secrets can be read, and what is not found is not there
        Locked,    ///< the collection for new secrets is locked: QtKeychain would say "not found"
        NoBus,     ///< no D-Bus session to ask in
        NoService, ///< nobody offers org.freedesktop.secrets and nobody can be started for it
        Silent     ///< somebody offers it and does not answer as the specification says
    };
    explicit SecretService(std::chrono::milliseconds patience) : m_patience(patience) {}

    /// Silent when stopped.
    QCoro::Task<State> state(std::stop_token stop);
    /// Locked if a secret of QtKeychain with this service and key lies in some locked collection, else as state().
    QCoro::Task<State> stateOf(QString service, QString key, std::stop_token stop);
    /// Has the desktop ask the person for the keyring's password and waits for the answer. Denied: the person closed
    /// it.
    QCoro::Task<Result<void>> unlock(std::stop_token stop);

Q_SIGNALS:
    void prompted(bool dismissed);

private Q_SLOTS:
    void promptCompleted(bool dismissed) { Q_EMIT prompted(dismissed); }

private:
    /// Unavailable; `detail` is the name of the D-Bus error.
    Future<QDBusMessage> call(const QDBusMessage &message);
    QCoro::Task<bool> hasKWallet(std::stop_token stop);
    QCoro::Task<Result<QString>> defaultCollection(std::stop_token stop);
    QCoro::Task<State> lockOf(QString collection, std::stop_token stop);
    QCoro::Task<Result<void>> prompt(QString path, std::stop_token stop);

    std::chrono::milliseconds m_patience;
};
