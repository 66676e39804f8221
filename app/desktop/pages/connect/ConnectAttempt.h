#pragma once
#include "base/Secret.h"
#include "pages/connect/PermissionWords.h"
#include "pve/CertificateProbe.h"
#include "remotes/Remote.h"
#include <QCoro/QCoroTask>
#include <QObject>
#include <stop_token>

class AuditLog;
class Connection;
class RemoteList;
class SecretStore;

/// What a server said to a sign-in that works. Text in it comes from outside.
struct ConnectFindings {
    QString version;                  ///< "9.1.6"
    QString clusterName;              ///< empty: a node of its own
    std::optional<int> nodes, online; ///< absent: not visible to this sign-in
    std::optional<bool> quorate;
    PermissionWords permissions;
};

/// The steps of connecting: look at the certificate, check the sign-in with that certificate pinned, keep both. Each
/// step is told by one signal. Nothing is stored before keep(). Owner's thread only.
class ConnectAttempt : public QObject
{
    Q_OBJECT
public:
    /// All borrowed.
    ConnectAttempt(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QObject *parent = nullptr);
    ~ConnectAttempt() override;

    /// Asks who answers at an address; no credential is sent. Told by looked().
    void look(const Address &address);
    /// Signs in and asks what this sign-in may do. The secret is held in memory only. Told by checked().
    void check(const Remote &remote, const Secret &secret);
    /// Keeps the connection, its pins and its secret, and records all three. Told by kept(); an error leaves nothing
    /// behind.
    void keep(const Remote &remote, const Secret &secret);
    /// Ends what runs; its signal does not come.
    void abandon();

Q_SIGNALS:
    void looked(const Result<ShownChain> &chain);
    void checked(const Result<ConnectFindings> &findings);
    void kept(const Result<Remote> &remote);

private:
    QCoro::Task<> runLook(Address address, std::stop_token stop);
    QCoro::Task<> runCheck(Remote remote, Secret secret, std::stop_token stop);
    QCoro::Task<> runKeep(Remote remote, Secret secret, std::stop_token stop);
    QCoro::Task<Result<ConnectFindings>> ask(Connection *trial, std::stop_token stop);

    RemoteList &m_remotes;
    SecretStore &m_secrets;
    AuditLog &m_log;
    CertificateProbe m_probe;
    std::stop_source m_stop;
};
