#include "audit/ChainCheck.h"
#include <QCoreApplication>
#include <QVariant>

static QString text(const char *source, int n = -1)
{
    return QCoreApplication::translate("audit", source, nullptr, n);
}

Result<ChainReport> ChainCheck::run(const std::stop_token &stop)
{
    auto events = Events::on(m_database);
    if (!events)
        return events.error();
    m_events.emplace(*std::move(events));
    if (auto begun = m_database.run(QStringLiteral("BEGIN")); !begun) // one state of the file throughout
        return begun.error();
    auto done = checkFile();
    if (done && !isBad())
        done = walk(stop);
    if (done && !isBad())
        done = checkEnd();
    if (done && !isBad())
        done = checkCalls();
    m_listed.finish();
    (void)m_database.run(QStringLiteral("ROLLBACK"));
    if (!done)
        return done.error();
    m_report.isWhole = !isBad();
    if (m_report.isWhole)
        m_report.finding = allIsWell();
    return m_report;
}

void ChainCheck::bad(qint64 seq, const QString &finding)
{
    m_report.firstBadSeq = seq;
    m_report.finding = finding;
}

/// Indexes too: a false one hides rows from pages.
Result<> ChainCheck::checkFile()
{
    auto answer = m_database.value(QStringLiteral("PRAGMA integrity_check(1)"));
    if (!answer)
        return answer.error();
    if (answer->toString() != QLatin1String("ok"))
        bad(0, text("The file is damaged: %1").arg(answer->toString()));
    return {};
}

Result<> ChainCheck::walk(const std::stop_token &stop)
{
    auto listed = m_database.select(QStringLiteral("SELECT %1 FROM call ORDER BY seq").arg(CallTable::columns()));
    if (!listed)
        return listed.error();
    m_listed = *std::move(listed);
    auto query =
        m_database.select(QStringLiteral("SELECT %1 FROM event ORDER BY seq").arg(QLatin1String(Events::columns)));
    if (!query)
        return query.error();
    while (!isBad() && query->next()) {
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, QStringLiteral("Cancelled")};
        const auto link = Events::linkFrom(*query);
        auto followed = follow(link);
        if (followed && !isBad())
            followed = project(link);
        if (!followed)
            return followed;
    }
    auto ended = isBad() ? Result<>() : m_database.ended(*query);
    query->finish();
    return ended;
}

Result<> ChainCheck::follow(const ChainLink &link)
{
    ++m_report.events;
    const auto expected = m_end.seq + 1;
    if (link.seq != expected) {
        bad(expected, link.seq == expected + 1 ? text("Event %1 is missing.").arg(expected)
                                               : text("Events %1 to %2 are missing.").arg(expected).arg(link.seq - 1));
        return {};
    }
    if (link.computedHash() != link.hash)
        return nameFalse(link);
    if (link.previous != m_end.hash) {
        bad(link.seq, link.seq == 1 ? text("Event 1 is not the beginning of a chain: what stood before it was removed.")
                                    : text("Event %1 does not follow event %2: one of them was exchanged or put in.")
                                          .arg(link.seq)
                                          .arg(link.seq - 1));
        return {};
    }
    m_end = {link.seq, link.hash, m_end.count + 1};
    if (m_kept && m_kept->seq == link.seq)
        m_hashAtKept = link.hash;
    if (link.event.kind == AuditEvent::Kind::Anchored)
        m_anchored.append(link.seq);
    return {};
}

/// Its hash does not fit: was it moved as a whole, or changed?
Result<> ChainCheck::nameFalse(const ChainLink &link)
{
    auto query = m_database.prepare(QStringLiteral("SELECT seq FROM event WHERE hash = ?"));
    if (!query)
        return query.error();
    query->bindValue(0, link.previous);
    if (auto ran = m_database.run(*query); !ran)
        return ran;
    auto moved = link;
    moved.seq = query->next() ? query->value(0).toLongLong() + 1 : 1;
    query->finish();
    if (moved.seq != link.seq && moved.computedHash() == link.hash)
        bad(link.seq,
            text("Event %1 stands in the wrong place: it was written as event %2. Events were put in another order.")
                .arg(link.seq)
                .arg(moved.seq));
    else
        bad(link.seq, text("Event %1 was changed after it was written.").arg(link.seq));
    return {};
}

Result<> ChainCheck::project(const ChainLink &link)
{
    auto place = m_open.find(link.event.callId);
    if (place == m_open.end()) {
        // The list is in the order of first events, so its next row must be this call.
        const bool isListed = m_listed.next();
        if (auto ended = m_database.ended(m_listed); !ended)
            return ended;
        place = m_open.emplace(link.event.callId, Pair{{}, isListed ? CallTable::callFrom(m_listed) : ProjectedCall()})
                    .first;
    }
    auto &[projected, listed] = place->second;
    projected.apply(link.seq, link.event);
    if (listed.lastSeq > link.seq && listed.row.callId == link.event.callId)
        return {};
    if (listed != projected) {
        bad(link.seq,
            text("The list of calls does not show event %1 as it was written: the list was changed.").arg(link.seq));
        return {};
    }
    m_hours.count(ProjectedCall(), projected);
    m_open.erase(place);
    return {};
}

Result<> ChainCheck::checkEnd()
{
    auto tail = m_events->tail();
    if (!tail)
        return tail.error();
    compareKept(*tail);
    if (isBad() || (m_end.seq == 0 && tail->seq == 0))
        return {};
    if (tail->seq > m_end.seq)
        bad(m_end.seq + 1, text("%n event(s) were removed from the end.", int(tail->seq - m_end.seq)));
    else if (*tail != m_end)
        bad(tail->seq,
            text("The end of the chain is not the one that was noted with it: the chain was written anew, or the "
                 "note was changed."));
    return {};
}

void ChainCheck::compareKept(const ChainHead &tail)
{
    if (!m_kept)
        return;
    if (m_kept->seq > m_end.seq) {
        const auto how = tail.seq > m_end.seq ? text("Events were removed from the end.")
                                              : text("The end was cut off, or the file was replaced by an older copy.");
        bad(m_end.seq + 1, text("The keychain remembers event %1, but the log ends with event %2. %3")
                               .arg(m_kept->seq)
                               .arg(m_end.seq)
                               .arg(how));
    } else if (m_hashAtKept != m_kept->hash) {
        bad(m_kept->seq, text("Event %1 is not the one that the keychain remembers: the log was written anew, or "
                              "replaced by an older copy that has grown since.")
                             .arg(m_kept->seq));
    }
}

Result<> ChainCheck::checkCalls()
{
    if (!m_open.empty()) {
        const auto &[id, pair] = *m_open.begin();
        bad(pair.projected.row.seq,
            text("The list of calls says more about call %1 than was ever written: the list was changed.").arg(id));
        return {};
    }
    if (m_listed.next()) {
        bad(0, text("The list of calls holds calls that were never written: the list was changed."));
        return {};
    }
    auto agrees = m_hours.isIn(m_database);
    if (agrees && !*agrees)
        bad(0, text("The counts of calls by the hour do not agree with the chain: they were changed."));
    return agrees ? m_database.ended(m_listed) : agrees.error();
}

QString ChainCheck::allIsWell() const
{
    auto words = text("All %n event(s) are as they were written.", int(m_end.count));
    if (m_kept && m_kept->seq == m_end.seq)
        words += u' ' + text("The end is the one that the keychain remembers.");
    else if (m_kept)
        words += u' ' + text("The keychain remembers event %1; whether more than the newest %2 that are here followed "
                             "it cannot be told.")
                            .arg(m_kept->seq)
                            .arg(m_end.seq - m_kept->seq);
    else if (m_kept.error().kind == Error::Kind::NotFound)
        words +=
            u' ' + text("The keychain holds no end of the log, so events removed from the end would not be noticed.");
    else
        words += u' ' + text("The keychain could not be asked where the log ends, so events removed from the end would "
                             "not be noticed: %1")
                            .arg(m_kept.error().message);
    if (!m_anchored.isEmpty())
        words += u' ' + text("The chain was anchored anew at event %1.").arg(m_anchored.last());
    return words;
}
