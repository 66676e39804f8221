#pragma once
#include "base/Clock.h"
#include "base/Promise.h"
#include "base/Secret.h"
#include "pve/ApiRequest.h"
#include "pve/SecondFactor.h"
#include "remotes/Remote.h"
#include <QByteArray>
#include <QCoro/QCoroTask>
#include <QObject>
#include <optional>
#include <stop_token>
#include <vector>

class SecretStore;
class Transport;
struct HttpAnswer;

/// Signs requests to one remote: with an API token, or with a ticket that the password buys and that is renewed before
/// it ages, also while nothing is asked. Owner's thread only. Secrets are read from the store when they are needed and
/// never leave in a message.
class Session : public QObject
{
    Q_OBJECT
public:
    enum class State {
        Trying,            ///< signs in as soon as something is asked, or has signed in
        NeedsSecondFactor, ///< the password was right; answer() goes on. Nothing else is sent meanwhile
        Halted             ///< refused too often; only retry() goes on
    };
    /// What makes a request ours. `generation` names the credential it was made with.
    struct Signature {
        QList<std::pair<QByteArray, QByteArray>> headers;
        quint64 generation = 0;
    };
    /// A ticket is good for 2 h (FACTS 771, 773); it is renewed with itself at 100 min, and bought anew after 2 h.
    static constexpr qint64 renewAfterMs = 100 * 60 * 1000;
    static constexpr qint64 ticketLifeMs = 120 * 60 * 1000;
    /// After so many refusals in a row nothing is tried until retry(): each costs PVE 3 s and may lock an account.
    static constexpr int mostRefusals = 3;
    struct Lives {
        qint64 renewAfterMs = Session::renewAfterMs, ticketMs = Session::ticketLifeMs;
    };

    /// `transport`, `secrets` and `clock` are borrowed.
    Session(const Remote &remote, Transport &transport, SecretStore &secrets, const Clock &clock = Clock::system());
    Session(const Remote &remote, Transport &transport, SecretStore &secrets, const Clock &clock, const Lives &lives);
    ~Session() override;

    /// Signs in first if needed; however many ask at once, one sign-in is made. Errors: Unauthorized, those of
    /// SecretStore and of Transport (never Unknown: signing in changes nothing).
    QCoro::Task<Result<Signature>> sign(Method method, std::stop_token stop);
    /// The server took it: refusals are forgotten.
    void accepted(quint64 generation);
    /// The server answered 401. True if signing in anew may mend it.
    bool refused(quint64 generation);
    /// A person has changed or confirmed the credential: forget it and what was refused, and try again.
    void retry();
    /// Why nothing is tried any more; empty while it is. Also set while a second factor is waited for.
    const std::optional<Error> &halted() const { return m_halted; }
    State state() const { return m_factor ? State::NeedsSecondFactor : m_halted ? State::Halted : State::Trying; }
    /// What is asked for in the state NeedsSecondFactor.
    const std::optional<SecondFactor> &secondFactor() const { return m_factor; }
    /// The code that a person typed. Unauthorized: it is not right, and may be tried again while the state is
    /// NeedsSecondFactor. Conflict: nothing was asked.
    QCoro::Task<Result<void>> answer(SecondFactor::Kind kind, Secret code);

Q_SIGNALS:
    /// From within what changed it: do not delete the session there.
    void stateChanged();

private:
    bool isReady() const;
    qint64 ticketAgeMs() const;
    Future<void> obtain();
    QCoro::Task<void> signIn();
    QCoro::Task<Result<void>> fetch();
    QCoro::Task<Result<void>> fetchToken();
    QCoro::Task<Result<void>> buyTicket(Secret password, bool isRenewal);
    QCoro::Task<Result<HttpAnswer>> post(QByteArray form);
    Result<void> takeTicket(const QByteArray &body);
    Result<void> takeChallenge(const QString &ticket);
    Error refuseCode();
    void watchAge();
    void renewIfAged();
    Result<void> refuse(const QString &why);
    void halt(QString message);
    void forget();
    Signature signature(Method method) const;

    const Remote m_remote;
    Transport &m_transport;
    SecretStore &m_secrets;
    const Clock &m_clock;
    const Lives m_lives;
    Secret m_credential; ///< the token's header, or the ticket
    Secret m_csrf;
    quint64 m_generation = 0;
    qint64 m_boughtMonotonicMs = 0, m_boughtWallMs = 0;
    bool m_isProven = false; ///< the server has accepted this credential
    int m_refusals = 0;
    std::optional<Error> m_halted;
    std::optional<SecondFactor> m_factor;
    int m_wrongCodes = 0, m_ageDeadline = 0;
    std::vector<Promise<void>> m_waiting;
    bool m_isSigningIn = false;
    std::stop_source m_stop;
};
