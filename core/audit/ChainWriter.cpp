#include "audit/ChainWriter.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QVariant>
#include <future>

static QString text(const char *source)
{
    return QCoreApplication::translate("audit", source);
}

static constexpr size_t largestGroup = 1000;

ChainWriter::ChainWriter(QString file, std::function<void()> wake)
    : m_file(std::move(file)), m_wakeOwner(std::move(wake)),
      m_thread([this](const std::stop_token &stop) { work(stop); })
{
}

ChainWriter::~ChainWriter()
{
    close();
}

void ChainWriter::close()
{
    if (!m_thread.joinable())
        return;
    m_thread.request_stop();
    m_thread.join();
}

Result<ChainWriter::Opening> ChainWriter::open()
{
    std::promise<Result<Opening>> opened;
    auto answer = opened.get_future();
    {
        const std::lock_guard lock(m_mutex);
        m_errands.push_back([this, &opened] {
            m_session.reset();
            auto found = openSession();
            if (found && QFileInfo(m_file).size() <= checkedAtOnce)
                if (auto checked = ready(); !checked)
                    found = checked.error();
            opened.set_value(std::move(found));
        });
    }
    m_wake.notify_one();
    return answer.get();
}

bool ChainWriter::append(AuditEvent event)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting.size() >= mostWaiting)
            return false;
        m_waiting.push_back(std::move(event));
    }
    m_wake.notify_one();
    return true;
}

std::vector<ChainWriter::Group> ChainWriter::take()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_finished, {});
}

void ChainWriter::compare(ChainHead kept, std::function<void(Result<bool>)> then)
{
    {
        const std::lock_guard lock(m_mutex);
        m_errands.push_back([this, kept = std::move(kept), then = std::move(then)] { then(holds(kept)); });
    }
    m_wake.notify_one();
}

void ChainWriter::work(const std::stop_token &stop)
{
    for (;;) {
        std::vector<AuditEvent> events;
        std::vector<std::function<void()>> errands;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return !m_waiting.empty() || !m_errands.empty(); });
            errands.swap(m_errands);
            const auto count = std::min(m_waiting.size(), largestGroup);
            const auto end = m_waiting.begin() + qsizetype(count);
            events.assign(std::make_move_iterator(m_waiting.begin()), std::make_move_iterator(end));
            m_waiting.erase(m_waiting.begin(), end);
        }
        if (events.empty() && errands.empty())
            break; // stopped, and nothing left to write
        for (const auto &errand : errands)
            errand();
        if (!events.empty())
            finish(write(events));
    }
    settleEnd();
    m_session.reset();
}

void ChainWriter::finish(Group group)
{
    bool isFirst = false;
    {
        const std::lock_guard lock(m_mutex);
        isFirst = m_finished.empty();
        m_finished.push_back(std::move(group));
    }
    if (isFirst)
        m_wakeOwner();
}

ChainWriter::Group ChainWriter::write(const std::vector<AuditEvent> &events)
{
    Group group;
    ChainHead head;
    const bool isDurable =
        std::any_of(events.begin(), events.end(), [](const auto &event) { return event.isDurable(); });
    auto done = ready();
    if (done)
        done = setDurable(isDurable);
    if (done)
        done = m_session->database->transact([&] { return writeAll(events, group, head); });
    if (!done) {
        group = {};
        group.answers.assign(events.size(), Result<qint64>(done.error()));
        return group;
    }
    m_last = head;
    group.callIds.removeDuplicates();
    if (isDurable)
        group.synced = m_synced = head;
    return group;
}

Result<ChainWriter::Opening> ChainWriter::openSession()
{
    m_isChecked = false;
    auto database = Database::open(m_file, QStringLiteral(":/migrations/audit"), Database::Access::Write);
    if (!database)
        return database.error();
    auto events = Events::on(**database);
    if (!events)
        return events.error();
    auto calls = CallTable::on(**database);
    if (!calls)
        return calls.error();
    auto tail = events->tail();
    auto end = events->end();
    if (!tail || !end)
        return !tail ? tail.error() : end.error();
    if (!m_last)
        m_last = *end;
    m_session.emplace(Session{*std::move(database), *std::move(events), *std::move(calls)});
    if (auto set = m_session->database->run(QStringLiteral("PRAGMA synchronous=FULL")); !set)
        return set.error();
    return Opening{*end, std::max<qint64>(0, tail->seq - end->seq)};
}

Result<> ChainWriter::ready()
{
    if (m_session && !m_session->database->isInPlace()) {
        m_session.reset();
        return Error{Error::Kind::Unavailable,
                     text("The audit log %1 was moved or replaced while it was in use.").arg(m_file)};
    }
    if (!m_session)
        if (auto opened = openSession(); !opened)
            return opened.error();
    if (!m_isChecked)
        if (auto sound = m_session->database->check(); !sound)
            return sound;
    m_isChecked = true;
    return {};
}

// SQLite does not change it inside a transaction.
Result<> ChainWriter::setDurable(bool isDurable)
{
    if (m_session->isFull == isDurable)
        return {};
    auto set = m_session->database->run(isDurable ? QStringLiteral("PRAGMA synchronous=FULL")
                                                  : QStringLiteral("PRAGMA synchronous=NORMAL"));
    if (set)
        m_session->isFull = isDurable;
    return set;
}

Result<> ChainWriter::writeAll(const std::vector<AuditEvent> &events, Group &group, ChainHead &head)
{
    auto end = m_session->events.end();
    if (!end)
        return end.error();
    if (auto same = continues(*end); !same)
        return same;
    head = *end;
    CallHours hours;
    for (const auto &event : events)
        if (auto written = writeOne(event, group, head, hours); !written)
            return written;
    if (auto counted = hours.addTo(*m_session->database); !counted)
        return counted;
    return m_session->events.keepTail(head);
}

/// An error ends the group; a refusal of this event alone is its answer.
Result<> ChainWriter::writeOne(const AuditEvent &event, Group &group, ChainHead &head, CallHours &hours)
{
    const auto body = Events::canonical(event.body);
    if (body.size() > Events::largestBody) {
        group.answers.push_back(Error{Error::Kind::Invalid, text("This is too large to be recorded.")});
        return {};
    }
    auto call = m_session->calls.find(event.callId);
    if (!call)
        return call.error();
    if (event.kind == AuditEvent::Kind::UndoClaimed)
        if (auto may = call->claimable(); !may) {
            group.answers.push_back(may.error());
            return {};
        }
    if (auto added = m_session->events.append(event, body, head); !added)
        return added;
    const auto before = *call;
    call->apply(head.seq, event);
    hours.count(before, *call);
    if (auto saved = m_session->calls.save(*call, before.row.seq == 0); !saved)
        return saved;
    group.answers.push_back(head.seq);
    group.callIds.append(event.callId);
    return {};
}

/// What this writer has acknowledged must still be there, whoever touched the file.
Result<> ChainWriter::continues(const ChainHead &end)
{
    if (!m_last || end.hash == m_last->hash)
        return {};
    auto held = holds(*m_last);
    if (!held)
        return held.error();
    if (*held)
        return {};
    return Error{
        Error::Kind::Unavailable,
        text("The audit log %1 was changed from outside while it was in use. Nothing more is recorded until Labhelm is "
             "started again.")
            .arg(m_file),
        QStringLiteral("event %1 is gone or another").arg(m_last->seq)};
}

Result<bool> ChainWriter::holds(const ChainHead &kept)
{
    if (!m_session)
        if (auto opened = openSession(); !opened)
            return opened.error();
    if (kept.seq == 0)
        return true;
    auto hash = m_session->events.hashAt(kept.seq);
    if (!hash && hash.error().kind != Error::Kind::NotFound)
        return hash.error();
    return hash && *hash == kept.hash;
}

/// Brings what was written without fsync to the disk too.
void ChainWriter::settleEnd()
{
    if (!m_session || !m_last)
        return;
    if (const auto busy = m_session->database->value(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
        busy && busy->toInt() == 0)
        m_synced = *m_last;
}
