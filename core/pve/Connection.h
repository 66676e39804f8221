#pragma once
#include "remotes/Remote.h"
#include <QObject>
#include <memory>
#include <vector>

class Client;
class SecretStore;
class Session;
class TaskWatcher;
class Transport;

/// Everything that speaks to one remote.
class Connection
{
public:
    /// `secrets` is borrowed.
    Connection(Remote remote, SecretStore &secrets);
    ~Connection();
    const Remote &remote() const { return m_remote; }
    Client &client() { return *m_client; }
    Transport &transport() { return *m_transport; }
    TaskWatcher &tasks() { return *m_tasks; }
    /// For "try again" after a refused sign-in, and for the code of a second factor.
    Session &session() { return *m_session; }

private:
    Remote m_remote;
    std::unique_ptr<Transport> m_transport;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Client> m_client;
    std::unique_ptr<TaskWatcher> m_tasks;
};

/// The connections that are open now, by remote id. Owner's thread only.
class Connections : public QObject
{
    Q_OBJECT
public:
    explicit Connections(SecretStore &secrets);
    ~Connections() override;
    Connection &open(const Remote &remote);
    void close(const QString &remoteId);
    /// Null if not open.
    Connection *find(const QString &remoteId) const;
    std::vector<Connection *> all() const;

Q_SIGNALS:
    void opened(const QString &remoteId);
    /// A code is asked for, or no longer; the sign-in was given up, or is tried anew. Do not close it from there.
    void sessionChanged(const QString &remoteId);
    /// Emitted before the connection goes away: end what uses it.
    void closing(const QString &remoteId);

private:
    SecretStore &m_secrets;
    std::vector<std::unique_ptr<Connection>> m_open;
};
