#pragma once
#include "audit/Events.h"
#include "base/Promise.h"
#include <QCoro/QCoroTask>
#include <QObject>
#include <QTimer>

class SecretStore;

/// Keeps the end of the chain outside the database, in the keychain, so that a cut end or an older copy is noticed.
/// It is written at most once a second: the window in which events at the end can vanish unnoticed. All on the owner's
/// thread.
class ChainAnchor : public QObject
{
    Q_OBJECT
public:
    enum class State {
        Unread,      ///< not compared yet; nothing is written
        Kept,        ///< the chain holds what the keychain knows; its end is kept from now on
        Unavailable, ///< the keychain does not answer; finding() says why
        Broken       ///< the chain does not hold what the keychain knows; that is left in the keychain as evidence
    };
    static constexpr std::chrono::milliseconds interval{1000};
    static constexpr std::chrono::milliseconds retry{30'000}; ///< after the keychain did not answer

    explicit ChainAnchor(SecretStore &secrets);
    ~ChainAnchor() override;

    State state() const { return m_state; }
    /// In words for people; empty while nothing is wrong.
    const QString &finding() const { return m_finding; }

    /// What the keychain knows. NotFound: nothing is kept. Malformed: it is not of ours.
    Future<ChainHead> read();
    /// The end of the chain that is on disk. Written when the state is Kept, at once or when the interval is over.
    void offer(const ChainHead &head);
    /// Writes what was offered last without waiting for the interval. Resolves once it is kept; else Unavailable.
    Future<void> store();
    /// What comparing the chain with the keychain found. Only after Kept anything is written.
    void settle(State state, const QString &finding = {});

Q_SIGNALS:
    void changed();

private:
    QCoro::Task<> readInto(Promise<ChainHead> promise);
    QCoro::Task<> writeDue();
    void setState(State state, const QString &finding);
    void answerStoring(const Result<> &result);

    SecretStore &m_secrets;
    State m_state = State::Unread;
    QString m_finding;
    ChainHead m_offered, m_stored;
    bool m_isCompared = false; ///< the chain was found to hold what the keychain knows
    bool m_isWriting = false;
    std::vector<Promise<void>> m_storing;
    QTimer m_interval;
    std::stop_source m_stop;
};
