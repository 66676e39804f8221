#pragma once
#include "base/Clock.h"
#include "base/Promise.h"
#include "secrets/SecretStore.h"
#include <QCoro/QCoroTask>
#include <QObject>
#include <QSet>
#include <optional>
#include <stop_token>
#include <vector>

/// A program that a person let in. Name and program are hints; the key is the proof.
struct PairedAgent {
    QString id = {};   ///< lower-case letters, digits and hyphens; stable; names the key file
    QString name = {}; ///< as the person called it; text from outside
    qint64 pairedAtMs = 0;
    qint64 lastSeenMs = 0; ///< of its last real request; 0 = never
    QString program = {};  ///< path of the program last seen behind the bridge; empty = never seen
    bool operator==(const PairedAgent &) const = default;
};

/// What a fresh pairing gives: the agent and the file that its bridge proves itself with.
struct Pairing {
    PairedAgent agent;
    QString keyFile; ///< 0600; holds the key as 64 hexadecimal digits
};

/// The paired programs: a list in one file, each key in the secret store and in a 0600 file. Owner's thread only.
class PairedAgents : public QObject
{
    Q_OBJECT
public:
    /// The id of labhelm-cli, an agent like any other. Its key is made anew at each start and not kept in the store.
    static const QString terminalId;

    /// `file` holds the list, `keyFolder` the key files; both folders are made with mode 0700. `secrets` and `clock`
    /// must outlive this.
    PairedAgents(QString file, QString keyFolder, SecretStore &secrets, const Clock &clock = Clock::system());
    ~PairedAgents() override;

    /// Reads the list; no file = none. Malformed: nobody is paired, the file stays as it is and pairing is refused.
    Result<> load();
    /// In the order of pairing; without the terminal.
    const std::vector<PairedAgent> &all() const { return m_agents; }
    std::optional<PairedAgent> find(const QString &id) const;

    /// Makes an agent with a random key. Invalid: a name without a letter or digit, or longer than 60; Unavailable: the
    /// store or the disk said no; nothing is kept then.
    Future<Pairing> pair(const QString &name);
    /// At once: the agent is gone and its sessions end before this returns; then its key is removed everywhere.
    /// Unavailable: the store could not remove its copy, which opens nothing any more. NotFound: no such agent.
    Future<void> revoke(const QString &id);
    /// Makes the terminal's key file, replacing that of an earlier start.
    Result<QString> openTerminal();

    /// The key to prove with. NotFound: nobody of this id is paired. Unavailable: the keyring is locked or missing.
    Future<Secret> key(const QString &id);
    /// Notes a real request. A path that differs from the last one is told by programChanged().
    void noteSeen(const QString &id, const QString &program);
    QString keyFile(const QString &id) const;

Q_SIGNALS:
    /// The list or something in it changed.
    void changed();
    /// This agent may no longer act; whoever holds a session of it ends it now.
    void revoked(const QString &id);
    void programChanged(const PairedAgent &agent, const QString &before);

private:
    Result<> save();
    Result<> writeKeyFile(const QString &id, const Secret &key);
    QCoro::Task<> finishPairing(PairedAgent agent, Promise<Pairing> promise, std::stop_token stop);
    QString freeId(const QString &name) const;
    PairedAgent *locate(const QString &id);

    QString m_file, m_keyFolder;
    SecretStore &m_secrets;
    const Clock &m_clock;
    std::vector<PairedAgent> m_agents;
    Secret m_terminalKey;
    QSet<QString> m_reserved; ///< ids of pairings under way
    bool m_isUnreadable = false;
    std::stop_source m_stop;
};
