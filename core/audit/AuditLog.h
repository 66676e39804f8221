#pragma once
#include "audit/AuditEvent.h"
#include "base/Clock.h"
#include "base/Promise.h"
#include <QObject>
#include <memory>

class ChainAnchor;
class SecretStore;

/// The append-only chain of events and its projection, written by one thread that commits in groups.
/// All calls on the owner's thread; promises are answered there, in the order of the calls. core/audit/README.md says
/// what the chain proves.
class AuditLog : public QObject
{
    Q_OBJECT
public:
    /// `folder` is made with mode 0700. `secrets` holds the head of the chain; both borrowed things must outlive the
    /// log.
    AuditLog(QString folder, SecretStore &secrets, const Clock &clock = Clock::system());
    /// Writes what is queued, answers everyone, asks the keychain to store the head. Not from an answer or signal of
    /// the log.
    ~AuditLog() override;

    /// Opens or makes the database. Unavailable: locked, read-only, newer schema, corrupt; then every append tries
    /// again and is refused while the reason lasts. Waits at most 2 s for a lock.
    Result<> open();
    /// Resolves with the event's seq once it is committed (durable events: after fsync). Unavailable = not written.
    /// Invalid: no call id of 1 to 128 printable ASCII characters, a claim without "by", a body over 8 MiB; Conflict: a
    /// claim of what is claimed, undone or has no inverse. wallMs and utcOffset are filled in when 0.
    Future<qint64> append(AuditEvent event);
    QString file() const;

    /// Writes what is queued and stores the head in the keychain: what a program awaits before it ends, with a
    /// deadline. Appends are refused from here on.
    Future<void> close();
    /// Takes the chain as it stands for the truth again, after a restored copy or a lost keyring: adds an Anchored
    /// event.
    Future<qint64> anchorAnew(QString why);
    ChainAnchor &anchor();
    /// Why nothing can be recorded at the moment; empty while all is well.
    QString trouble() const;

Q_SIGNALS:
    /// After a commit, with the calls it touched.
    void committed(const QStringList &callIds);
    /// trouble() is another.
    void troubleChanged();

private:
    struct Writer;
    std::unique_ptr<Writer> m_writer;
};
