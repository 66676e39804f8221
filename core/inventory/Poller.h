#pragma once
#include "base/Background.h"
#include "base/Clock.h"
#include "inventory/Inventory.h"
#include "inventory/PollAnswers.h"
#include "inventory/PollRhythm.h"
#include <QCoro/QCoroTask>
#include <QJsonValue>
#include <stop_token>

class Client;
class Connection;

/// Keeps the inventory's state of one cluster fresh: one round of questions at a time, each published as a whole.
/// Owner's thread only; reading the answers and comparing them with the last state happens on another.
class Poller : public QObject
{
    Q_OBJECT
public:
    /// All are borrowed. The first round begins when the loop handles its next event.
    Poller(Connection &connection, Inventory &inventory, const Clock &clock = Clock::system(),
           const PollPace &pace = PollPace());
    Poller(Client &client, QString remoteId, QString remoteName, Inventory &inventory, const Clock &clock,
           const PollPace &pace);
    /// Ends the round that runs; what waits for refresh() is Cancelled.
    ~Poller() override;

    /// Asks again now, as after a change. Resolves when a round that began after this call has been published, or with
    /// the error why it failed. Calls while a round runs share the next one.
    Future<void> refresh();
    /// Somebody looks at this cluster: ask more often.
    void setActive(bool active);
    /// Rounds begun so far.
    int rounds() const { return m_rounds; }

private:
    QCoro::Task<void> run(std::stop_token stop);
    QCoro::Task<Result<void>> round(std::stop_token stop);
    QCoro::Task<Result<void>> ask(std::shared_ptr<PollAnswers> answers, std::stop_token stop);
    QCoro::Task<Result<void>> askTheRest(std::shared_ptr<PollAnswers> answers, std::stop_token stop);
    QCoro::Task<Result<QJsonValue>> get(QStringList segments, std::stop_token stop);
    /// What one round brought, with what is to be told of it.
    struct News {
        InventoryPtr state, before;
        InventoryDiff diff;
    };
    Future<News> read(std::shared_ptr<const PollAnswers> answers);
    void publish(News news, const std::stop_token &stop);
    void publishFailure(const Error &error);
    bool wantsPermissions() const;
    std::chrono::milliseconds pauseAfterRound(qint64 beganMs) const;

    Client &m_client;
    const QString m_remoteId, m_remoteName;
    Inventory &m_inventory;
    const Clock &m_clock;
    const PollPace m_pace;
    Background m_background;
    std::stop_source m_stop;
    Promise<void> m_wake;
    std::vector<Promise<void>> m_waiting;
    qint64 m_permissionsAtMs = -1, m_eventAtMs = 0; ///< monotonic
    bool m_isActive = true;
    int m_failures = 0, m_rounds = 0;
};
