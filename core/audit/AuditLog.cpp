#include "audit/AuditLog.h"
#include "audit/ChainAnchor.h"
#include "audit/ChainWriter.h"
#include "secrets/SecretStore.h"
#include <QCoreApplication>
#include <QTimer>
#include <QUuid>

static QString text(const char *source, int n = -1)
{
    return QCoreApplication::translate("audit", source, nullptr, n);
}

/// The owner's side of the writer thread: who waits for which answer, and the anchor.
struct AuditLog::Writer {
    Writer(AuditLog &owner, const QString &folder, SecretStore &secrets, const Clock &wall)
        : log(owner), file(folder + QStringLiteral("/audit.sqlite")), clock(wall), anchor(secrets),
          writer(file, [this] {
              QMetaObject::invokeMethod(
                  &log, [this] { collect(); }, Qt::QueuedConnection);
          })
    {
        settleAgain.setSingleShot(true);
        settleAgain.setInterval(ChainAnchor::retry);
        QObject::connect(&settleAgain, &QTimer::timeout, &log, [this] { settleAnchor(); });
    }

    Future<qint64> append(AuditEvent event);
    void collect();
    void setTrouble(const QString &why);
    void opened(const ChainWriter::Opening &opening);
    QCoro::Task<> settleAnchor();
    Future<bool> holds(const ChainHead &kept);
    /// Adds an event of the log itself; nobody waits for it.
    void say(AuditEvent::Kind kind, const QString &words);

    AuditLog &log;
    const QString file;
    const Clock &clock;
    ChainAnchor anchor;
    QTimer settleAgain;
    QString trouble;
    bool isClosed = false;
    bool isFresh = false; ///< the chain was empty when it was opened
    struct Waiting {
        Promise<qint64> promise;
        bool anchorsAnew = false;
    };
    std::deque<Waiting> waiting;         ///< in the order of the queue
    std::deque<Result<qint64>> answered; ///< the answers to the first of them
    std::optional<Promise<bool>> comparing;
    std::stop_source stop;
    ChainWriter writer; ///< last: its thread ends first
};

static Result<> validate(const AuditEvent &event)
{
    const auto isPlain = [](QChar c) { return c > u' ' && c < u'\x7f'; };
    const auto &id = event.callId;
    if (id.isEmpty() || id.size() > 128 || !std::all_of(id.begin(), id.end(), isPlain))
        return Error{Error::Kind::Invalid, QStringLiteral("An event needs the id of its call."), id.left(200)};
    if (event.kind == AuditEvent::Kind::UndoClaimed && event.body[QLatin1String("by")].toString().isEmpty())
        return Error{Error::Kind::Invalid, QStringLiteral("A claim needs the call that undoes."), id};
    return {};
}

Future<qint64> AuditLog::Writer::append(AuditEvent event)
{
    if (auto valid = validate(event); !valid)
        return ready<qint64>(valid.error());
    if (isClosed)
        return ready<qint64>(Error{Error::Kind::Unavailable, text("The audit log is closed.")});
    if (event.wallMs == 0)
        event.wallMs = clock.wallMs();
    if (event.utcOffset == 0)
        event.utcOffset = QDateTime::fromMSecsSinceEpoch(event.wallMs).offsetFromUtc();
    const bool anchorsAnew = event.kind == AuditEvent::Kind::Anchored;
    if (!writer.append(std::move(event)))
        return ready<qint64>(Error{Error::Kind::Unavailable, text("Too much waits to be recorded.")});
    auto &place = waiting.emplace_back();
    place.anchorsAnew = anchorsAnew;
    return place.promise.future();
}

void AuditLog::Writer::collect()
{
    QStringList touched;
    for (auto &group : writer.take()) {
        const auto failed = std::find_if(group.answers.begin(), group.answers.end(), [](const auto &answer) {
            return !answer && answer.error().kind == Error::Kind::Unavailable;
        });
        setTrouble(failed == group.answers.end() ? QString() : failed->error().message);
        std::move(group.answers.begin(), group.answers.end(), std::back_inserter(answered));
        touched += group.callIds;
        if (group.synced)
            anchor.offer(*group.synced);
    }
    while (!answered.empty()) { // each may append, or collect again through close()
        auto answer = std::move(answered.front());
        auto place = std::move(waiting.front());
        answered.pop_front();
        waiting.pop_front();
        if (answer && place.anchorsAnew)
            anchor.settle(ChainAnchor::State::Kept);
        place.promise.finish(std::move(answer));
    }
    touched.removeDuplicates();
    if (!touched.isEmpty())
        Q_EMIT log.committed(touched);
}

void AuditLog::Writer::setTrouble(const QString &why)
{
    if (std::exchange(trouble, why) != why)
        Q_EMIT log.troubleChanged();
}

void AuditLog::Writer::opened(const ChainWriter::Opening &opening)
{
    isFresh = opening.end.seq == 0;
    if (opening.missing > 0)
        say(AuditEvent::Kind::Note,
            text("%n event(s) had been removed from the end of the audit log when it was opened.",
                 int(opening.missing)));
    settleAnchor();
}

void AuditLog::Writer::say(AuditEvent::Kind kind, const QString &words)
{
    const auto key = kind == AuditEvent::Kind::Anchored ? QStringLiteral("why") : QStringLiteral("text");
    (void)append({.callId = QStringLiteral("log-%1").arg(QUuid::createUuid().toString(QUuid::Id128)),
                  .kind = kind,
                  .body = {{key, words}}});
}

QCoro::Task<> AuditLog::Writer::settleAnchor()
{
    using State = ChainAnchor::State;
    const auto token = stop.get_token();
    auto kept = co_await anchor.read().until(token);
    if (token.stop_requested())
        co_return;
    if (!kept && kept.error().kind == Error::Kind::NotFound) {
        if (isFresh)
            anchor.settle(State::Kept);
        else // settled once this event is there
            say(AuditEvent::Kind::Anchored,
                text("The keychain held no end of the audit log. Whether events were removed from its end "
                     "before this point cannot be told."));
        co_return;
    }
    if (!kept) {
        const bool isBroken = kept.error().kind == Error::Kind::Malformed;
        anchor.settle(isBroken ? State::Broken : State::Unavailable, kept.error().message);
        if (!isBroken)
            settleAgain.start();
        co_return;
    }
    auto held = co_await holds(*kept).until(token);
    if (token.stop_requested())
        co_return;
    if (!held) {
        anchor.settle(State::Unavailable, held.error().message);
        settleAgain.start();
    } else if (*held) {
        anchor.settle(State::Kept);
    } else {
        anchor.settle(State::Broken,
                      text("The audit log does not hold event %1 as the keychain remembers it: its end was cut off, or "
                           "it was replaced by another or an older copy.")
                          .arg(kept->seq));
    }
}

Future<bool> AuditLog::Writer::holds(const ChainHead &kept)
{
    auto future = comparing.emplace().future();
    writer.compare(kept, [this](Result<bool> answer) {
        QMetaObject::invokeMethod(
            &log,
            [this, answer] {
                if (auto asked = std::exchange(comparing, std::nullopt))
                    asked->finish(answer);
            },
            Qt::QueuedConnection);
    });
    return future;
}

AuditLog::AuditLog(QString folder, SecretStore &secrets, const Clock &clock)
    : m_writer(std::make_unique<Writer>(*this, folder, secrets, clock))
{
}

AuditLog::~AuditLog()
{
    auto &own = *m_writer;
    own.isClosed = true;
    own.stop.request_stop();
    own.writer.close();
    blockSignals(true);
    own.collect();
    own.anchor.offer(own.writer.synced());
    (void)own.anchor.store(); // where nobody awaited close(): as good as it gets without waiting
}

Result<> AuditLog::open()
{
    if (m_writer->isClosed)
        return Error{Error::Kind::Unavailable, text("The audit log is closed.")};
    auto opening = m_writer->writer.open();
    m_writer->setTrouble(opening ? QString() : opening.error().message);
    if (!opening)
        return opening.error();
    m_writer->opened(*opening);
    return {};
}

Future<qint64> AuditLog::append(AuditEvent event)
{
    return m_writer->append(std::move(event));
}

QString AuditLog::file() const
{
    return m_writer->file;
}

Future<void> AuditLog::close()
{
    auto &own = *m_writer;
    own.isClosed = true;
    own.writer.close();
    own.collect();
    if (own.writer.synced().seq > 0)
        own.anchor.offer(own.writer.synced());
    return own.anchor.store();
}

Future<qint64> AuditLog::anchorAnew(QString why)
{
    return append({.callId = QStringLiteral("log-%1").arg(QUuid::createUuid().toString(QUuid::Id128)),
                   .kind = AuditEvent::Kind::Anchored,
                   .body = {{QStringLiteral("why"), why}}});
}

ChainAnchor &AuditLog::anchor()
{
    return m_writer->anchor;
}

QString AuditLog::trouble() const
{
    return m_writer->trouble;
}
