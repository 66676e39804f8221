#include "policy/Limits.h"
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QJsonArray>
#include <algorithm>

static constexpr qint64 minuteMs = 60'000, hourMs = 60 * minuteMs, dayMs = 24 * hourMs;

static QString tr(const char *text)
{
    return QCoreApplication::translate("Limits", text);
}

static int countSince(const std::deque<qint64> &times, qint64 since)
{
    return int(std::count_if(times.begin(), times.end(), [since](qint64 at) { return at > since; }));
}

static void forget(std::deque<qint64> &times, qint64 until)
{
    while (!times.empty() && times.front() <= until)
        times.pop_front();
}

static Error limited(const QString &why)
{
    return {Error::Kind::Limited, why};
}

Error Limits::pause(Use &use, const QString &why) const
{
    use.paused = why;
    return limited(tr("%1 A person can let this program go on.").arg(why));
}

Result<> Limits::checkRepetition(Use &use, const QString &operation, const QByteArray &arguments) const
{
    const auto now = m_clock.monotonicMs();
    for (auto it = use.repeated.begin(); it != use.repeated.end();) {
        forget(*it, now - Allowance::identicalSpanMs);
        it = it->empty() ? use.repeated.erase(it) : std::next(it);
    }
    auto &same =
        use.repeated[QCryptographicHash::hash(operation.toUtf8() + '\0' + arguments, QCryptographicHash::Sha256)];
    if (int(same.size()) >= allowance.identicalCalls)
        return limited(tr("The same call came %1 times in two minutes. Its answer does not change by asking again; "
                          "task.wait waits for a task.")
                           .arg(allowance.identicalCalls));
    same.push_back(now);
    return {};
}

Result<> Limits::admit(const Actor &actor, const QString &operation, const QByteArray &arguments, bool waitsOnly)
{
    if (!actor.isProgram())
        return {};
    auto &use = m_uses[actor.id];
    const auto now = m_clock.monotonicMs();
    if (use.day == m_clock.wallMs() / dayMs && use.bytes > allowance.answerBytesPerDay && use.paused.isEmpty())
        use.paused = tr("It was answered more than %1 MiB today.").arg(allowance.answerBytesPerDay / 1024 / 1024);
    if (!use.paused.isEmpty())
        return pause(use, use.paused);
    forget(use.calls, now - minuteMs);
    if (int(use.calls.size()) >= allowance.callsPerMinute)
        return limited(tr("More than %1 calls in one minute. Wait a little, then go on more slowly.")
                           .arg(allowance.callsPerMinute));
    use.calls.push_back(now);
    return waitsOnly ? Result<>() : checkRepetition(use, operation, arguments);
}

Result<> Limits::admitChange(const Actor &actor, int underWay)
{
    if (!actor.isProgram())
        return {};
    auto &use = m_uses[actor.id];
    if (underWay >= allowance.tasksAtOnce)
        return limited(tr("%1 changes are under way. Wait until one of them has ended.").arg(underWay));
    const auto now = m_clock.monotonicMs();
    forget(use.changes, now - hourMs);
    if (int(use.changes.size()) >= allowance.changesPerHour)
        return pause(use, tr("It made %1 changes in one hour.").arg(use.changes.size()));
    use.changes.push_back(now);
    return {};
}

void Limits::noteAnswer(const Actor &actor, qint64 bytes)
{
    if (!actor.isProgram())
        return;
    auto &use = m_uses[actor.id];
    const auto today = m_clock.wallMs() / dayMs;
    if (std::exchange(use.day, today) != today)
        use.bytes = 0;
    use.bytes += bytes;
}

QString Limits::pausedBecause(const QString &actorId) const
{
    return m_uses.value(actorId).paused;
}

void Limits::resume(const QString &actorId)
{
    auto &use = m_uses[actorId];
    use.paused.clear();
    use.changes.clear();
    use.bytes = 0;
}

int Limits::callsThisMinute(const QString &actorId) const
{
    const auto found = m_uses.constFind(actorId);
    return found == m_uses.cend() ? 0 : countSince(found->calls, m_clock.monotonicMs() - minuteMs);
}

int Limits::changesThisHour(const QString &actorId) const
{
    const auto found = m_uses.constFind(actorId);
    return found == m_uses.cend() ? 0 : countSince(found->changes, m_clock.monotonicMs() - hourMs);
}

/// Kept as wall times: the monotonic clock begins anew with the machine.
static QJsonArray timesJson(const std::deque<qint64> &times, const Clock &clock)
{
    QJsonArray all;
    for (const auto at : times)
        all.append(clock.wallMs() - (clock.monotonicMs() - at));
    return all;
}

/// What lies in the future, since the clock was set back, counts as now.
static std::deque<qint64> timesFrom(const QJsonValue &json, const Clock &clock)
{
    std::deque<qint64> times;
    for (const auto &at : json.toArray())
        times.push_back(clock.monotonicMs() - std::max<qint64>(0, clock.wallMs() - at.toInteger()));
    std::sort(times.begin(), times.end());
    return times;
}

QJsonObject Limits::json() const
{
    QJsonObject all;
    for (auto use = m_uses.begin(); use != m_uses.end(); ++use) {
        QJsonObject repeated;
        for (auto same = use->repeated.begin(); same != use->repeated.end(); ++same)
            if (countSince(*same, m_clock.monotonicMs() - Allowance::identicalSpanMs))
                repeated.insert(QString::fromLatin1(same.key().toHex()), timesJson(*same, m_clock));
        all.insert(use.key(), QJsonObject{{QStringLiteral("calls"), timesJson(use->calls, m_clock)},
                                          {QStringLiteral("changes"), timesJson(use->changes, m_clock)},
                                          {QStringLiteral("repeated"), repeated},
                                          {QStringLiteral("day"), use->day},
                                          {QStringLiteral("bytes"), use->bytes},
                                          {QStringLiteral("paused"), use->paused}});
    }
    return all;
}

void Limits::restore(const QJsonObject &kept)
{
    for (auto it = kept.begin(); it != kept.end(); ++it) {
        auto &use = m_uses[it.key()];
        use.calls = timesFrom(it->toObject()[QStringLiteral("calls")], m_clock);
        use.changes = timesFrom(it->toObject()[QStringLiteral("changes")], m_clock);
        const auto repeated = it->toObject()[QStringLiteral("repeated")].toObject();
        for (auto same = repeated.begin(); same != repeated.end(); ++same)
            use.repeated[QByteArray::fromHex(same.key().toLatin1())] = timesFrom(*same, m_clock);
        use.day = it->toObject()[QStringLiteral("day")].toInteger();
        use.bytes = it->toObject()[QStringLiteral("bytes")].toInteger();
        use.paused = it->toObject()[QStringLiteral("paused")].toString();
    }
}
