#pragma once
#include "base/Clock.h"
#include "base/Result.h"
#include "model/Actor.h"
#include <QHash>
#include <QJsonObject>
#include <deque>

/// What a program may use up. Over a rate a call is refused; over a budget the program is paused until a person lets it
/// go on.
struct Allowance {
    int callsPerMinute = 600;
    int identicalCalls = 25; ///< in `identicalSpanMs`, of one operation with the same arguments
    int changesPerHour = 120;
    int tasksAtOnce = 8;                             ///< changes that are under way
    qint64 answerBytesPerDay = 1024ll * 1024 * 1024; ///< the day is UTC's
    static constexpr qint64 identicalSpanMs = 120'000;
};

/// Counts what each program uses, over all its sessions. Owner's thread only. A wall clock that jumps changes nothing
/// but the day of the answered bytes.
class Limits
{
public:
    explicit Limits(const Clock &clock) : m_clock(clock) {}

    /// Counts one call. Limited: too many in a minute, the same one again and again, or the program is paused. People
    /// are not limited. `waitsOnly`: it may be repeated.
    Result<> admit(const Actor &actor, const QString &operation, const QByteArray &arguments, bool waitsOnly = false);
    /// Counts one change that is about to be sent, while `underWay` others of the program are. Limited as above; over
    /// the budget of an hour the program is paused.
    Result<> admitChange(const Actor &actor, int underWay);
    /// Counts what was answered; over the budget of a day the program is paused from its next call on.
    void noteAnswer(const Actor &actor, qint64 bytes);

    /// Why this program is paused, in words; empty = it is not.
    QString pausedBecause(const QString &actorId) const;
    /// Lets a paused program go on, with fresh budgets.
    void resume(const QString &actorId);
    int callsThisMinute(const QString &actorId) const;
    int changesThisHour(const QString &actorId) const;

    /// What must survive a restart, and taking it back; what cannot be read counts as nothing.
    QJsonObject json() const;
    void restore(const QJsonObject &kept);

    Allowance allowance;

private:
    struct Use {
        std::deque<qint64> calls, changes;              ///< monotonic ms, oldest first
        QHash<QByteArray, std::deque<qint64>> repeated; ///< by hash of operation and arguments
        qint64 day = 0, bytes = 0;                      ///< answered on this day since 1970
        QString paused;
    };
    Result<> checkRepetition(Use &use, const QString &operation, const QByteArray &arguments) const;
    Error pause(Use &use, const QString &why) const;
    const Clock &m_clock;
    QHash<QString, Use> m_uses; ///< by actor id
};
