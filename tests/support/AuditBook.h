#pragma once
#include "audit/AuditLog.h"
#include "audit/AuditQuery.h"
#include "audit/ChainAnchor.h"
#include "secrets/MemoryStore.h"
#include "support/Await.h"
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

/// A log and its reader in a folder of their own, and events to fill them with.
class AuditBook
{
public:
    AuditBook() : m_path(m_folder.filePath(QStringLiteral("data"))) { makeLog(); }

    QString path() const { return m_path; }
    QString file() const { return m_path + QStringLiteral("/audit.sqlite"); }
    AuditLog &log() { return *m_log; }
    AuditQuery &query() { return *m_query; }
    MemoryStore &secrets() { return m_secrets; }

    /// Opens the log and waits until it was compared with the keychain.
    Result<> open()
    {
        auto opened = m_log->open();
        if (opened && !QTest::qWaitFor([this] { return m_log->anchor().state() != ChainAnchor::State::Unread; }))
            return Error{Error::Kind::TimedOut, QStringLiteral("The anchor was never settled.")};
        return opened;
    }
    /// Ends the log as a program does, so that the keychain knows the end.
    void close()
    {
        m_query.reset();
        if (m_log)
            (void)await(m_log->close());
        m_log.reset();
    }
    /// Ends the log and makes another that is not opened yet: reading works.
    void shut()
    {
        close();
        makeLog();
    }
    Result<> reopen()
    {
        shut();
        return open();
    }
    Result<qint64> append(AuditEvent event) { return await(m_log->append(std::move(event))); }
    /// Appends a whole change: intent, sent, outcome with an inverse.
    Result<qint64> change(const QString &id)
    {
        (void)m_log->append(intent(id));
        (void)m_log->append({.callId = id, .kind = AuditEvent::Kind::Sent, .body = {{QStringLiteral("upid"), upid()}}});
        return append(outcome(id));
    }
    QList<CallRow> page(const CallFilter &filter = {}, qint64 before = 0, int limit = 100)
    {
        return await(m_query->page(filter, before, limit)).valueOr({});
    }
    CallRow row(const QString &id)
    {
        auto detail = await(m_query->detail(id));
        return detail ? detail->row : CallRow();
    }

    static QString upid() { return QStringLiteral("UPID:pve1:0000C0DE:00112233:66B2C3D4:qmconfig:101:root@pam:"); }
    static QJsonObject agent(const QString &id)
    {
        return {{QStringLiteral("kind"), actorKindName(Actor::Kind::Agent)},
                {QStringLiteral("id"), id},
                {QStringLiteral("name"), QStringLiteral("Agent ") + id}};
    }
    static AuditEvent intent(const QString &id)
    {
        return {.callId = id,
                .kind = AuditEvent::Kind::Intent,
                .body = {{QStringLiteral("actor"), agent(QStringLiteral("a1"))},
                         {QStringLiteral("operation"), QStringLiteral("guest.config.set")},
                         {QStringLiteral("effect"), effectName(Effect::Changes)},
                         {QStringLiteral("remote"), QStringLiteral("homelab")},
                         {QStringLiteral("target"), QStringLiteral("homelab:101")},
                         {QStringLiteral("targetLabel"), QStringLiteral("web 101")},
                         {QStringLiteral("headline"), QStringLiteral("Change memory 4096 to 6144 MiB")}}};
    }
    static AuditEvent outcome(const QString &id, CallState state = CallState::Done)
    {
        return {.callId = id,
                .kind = AuditEvent::Kind::Outcome,
                .body = {{QStringLiteral("state"), callStateName(state)},
                         {QStringLiteral("inverse"),
                          QJsonObject{{QStringLiteral("operation"), QStringLiteral("guest.config.set")}}}}};
    }
    static AuditEvent read(const QString &id)
    {
        return {.callId = id,
                .kind = AuditEvent::Kind::Read,
                .body = {{QStringLiteral("actor"), agent(QStringLiteral("a1"))},
                         {QStringLiteral("operation"), QStringLiteral("guest.get")},
                         {QStringLiteral("effect"), effectName(Effect::Reads)},
                         {QStringLiteral("headline"), QStringLiteral("Look at web 101")}}};
    }
    static AuditEvent undo(AuditEvent::Kind kind, const QString &id, const QString &by)
    {
        return {.callId = id, .kind = kind, .body = {{QStringLiteral("by"), by}}};
    }

private:
    void makeLog()
    {
        m_log = std::make_unique<AuditLog>(m_path, m_secrets);
        m_query = std::make_unique<AuditQuery>(*m_log);
    }
    QTemporaryDir m_folder;
    QString m_path;
    MemoryStore m_secrets;
    std::unique_ptr<AuditLog> m_log;
    std::unique_ptr<AuditQuery> m_query;
};
