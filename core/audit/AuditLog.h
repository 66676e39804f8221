#pragma once
#include "audit/AuditEvent.h"
#include "base/Clock.h"
#include "base/Promise.h"
#include <QObject>
#include <memory>

class SecretStore;

/// The append-only chain of events and its projection, written by one thread that commits in groups.
/// All calls on the owner's thread; promises are answered there, in the order of the calls.
class AuditLog : public QObject
{
    Q_OBJECT
public:
    /// `folder` is made with mode 0700. `secrets` holds the head of the chain; both borrowed things must outlive the log.
    AuditLog(QString folder, SecretStore &secrets, const Clock &clock = Clock::system());
    /// Writes what is queued, answers everyone, stores the head.
    ~AuditLog() override;

    /// Opens or makes the database. Unavailable: locked, read-only, newer schema, corrupt; then every append is refused.
    Result<> open();
    /// Resolves with the event's seq once it is committed (durable events: after fsync). Unavailable = not written.
    /// wallMs and utcOffset are filled in when 0.
    Future<qint64> append(AuditEvent event);
    QString file() const;

Q_SIGNALS:
    /// After a commit, with the calls it touched.
    void committed(const QStringList &callIds);

private:
    struct Writer;
    std::unique_ptr<Writer> m_writer;
};
