#pragma once
#include "base/Secret.h"
#include "pages/connect/PermissionWords.h"
#include "pve/CertificateProbe.h"
#include "pve/Realm.h"
#include "pve/SecondFactor.h"
#include "pve/TokenSwap.h"
#include "remotes/Remote.h"
#include "secrets/MemoryStore.h"
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

/// The steps of connecting: look at the certificates, ask for realms, check the sign-in with those certificates pinned,
/// keep it, perhaps with a token in place of the password. Each step is told by one signal. Nothing is stored before
/// one of the steps that keep. Owner's thread only.
class ConnectAttempt : public QObject
{
    Q_OBJECT
public:
    /// All borrowed.
    ConnectAttempt(RemoteList &remotes, SecretStore &secrets, AuditLog &log, QObject *parent = nullptr);
    ~ConnectAttempt() override;

    /// Asks who answers at each address; no credential is sent. Told by looked().
    void look(const QList<Address> &addresses);
    /// Where users can be looked up; no credential is sent. Told by realmsKnown().
    void askRealms(const Remote &remote);
    /// Signs in and asks what this sign-in may do. A secret is held in memory only; without one that of the keychain is
    /// used. Told by checked(), or by codeAsked() if there is a second factor.
    void check(const Remote &remote, const std::optional<Secret> &secret);
    /// The code of a second factor. Told by checked(), or by codeRefused() if it may be typed again.
    void answer(SecondFactor::Kind kind, const Secret &code);
    /// What a token could be given; after checked(). Told by choicesKnown().
    void askChoices();

    /// Keeps the connection, its pins and its secret, and records all three. Told by kept(); an error leaves nothing
    /// behind.
    void keep(const Remote &remote, const Secret &secret);
    /// The same with a token that the checked sign-in makes; the password is forgotten. Told by kept().
    void keepWithToken(const Remote &remote, const TokenGrant &grant);
    /// Replaces the kept connection of this id. With a secret that becomes its own; without one the old one stays. Told
    /// by kept().
    void change(const Remote &remote, const std::optional<Secret> &secret);
    /// Gives a kept connection a new token of `owner`, made by the checked sign-in, with this right or else with those
    /// of the old token. Told by kept().
    void replaceToken(const Remote &remote, const QString &owner, const std::optional<TokenGrant> &grant);
    /// Revokes what an unfinished token change has left, with the checked sign-in. Told by settled().
    void settle(const QString &remoteId);
    /// Takes a kept connection away, and its secret. A token stays valid at the server. Told by removed().
    void remove(const Remote &remote);
    /// Writes down how a test went.
    void recordTest(const Remote &remote, const Result<ConnectFindings> &findings);
    /// Ends what runs; its signal does not come. What has begun to change the server goes on.
    void abandon();

Q_SIGNALS:
    void looked(const Result<std::vector<ShownChain>> &chains);
    void realmsKnown(const Result<std::vector<Realm>> &realms);
    void codeAsked(const SecondFactor &factor);
    void codeRefused(const Error &error);
    void checked(const Result<ConnectFindings> &findings);
    void choicesKnown(const Result<TokenChoices> &choices);
    void kept(const Result<Remote> &remote);
    void settled(const Result<> &result);
    void removed(const Result<> &result);

private:
    /// A connection that is only tried.
    struct Trial;
    QCoro::Task<> runLook(QList<Address> addresses, std::stop_token stop);
    QCoro::Task<> runRealms(std::shared_ptr<Trial> trial, std::stop_token stop);
    QCoro::Task<> runCheck(std::shared_ptr<Trial> trial, std::optional<Secret> secret, std::stop_token stop);
    QCoro::Task<> runAnswer(std::shared_ptr<Trial> trial, SecondFactor::Kind kind, Secret code, std::stop_token stop);
    QCoro::Task<> runChoices(std::shared_ptr<Trial> trial, std::stop_token stop);
    QCoro::Task<> runKeep(Remote remote, Secret secret, std::stop_token stop);
    QCoro::Task<> runChange(Remote remote, std::optional<Secret> secret, std::stop_token stop);
    QCoro::Task<> runSwap(std::shared_ptr<Trial> trial, TokenChange change, std::vector<TokenGrant> grants,
                          std::stop_token stop);
    QCoro::Task<> runReplace(std::shared_ptr<Trial> trial, Remote remote, QString owner, std::stop_token stop);
    QCoro::Task<> runRemove(Remote remote, std::stop_token stop);
    QCoro::Task<> runSettle(std::shared_ptr<Trial> trial, QString remoteId, std::stop_token stop);
    QCoro::Task<Result<ConnectFindings>> ask(std::shared_ptr<Trial> trial, std::stop_token stop);
    TokenSwapParts swapParts();

    RemoteList &m_remotes;
    SecretStore &m_secrets;
    AuditLog &m_log;
    CertificateProbe m_probe;
    std::shared_ptr<Trial> m_trial; ///< the sign-in that is checked now
    std::stop_source m_stop;
    std::stop_source m_end; ///< for what must not be abandoned half done
};
