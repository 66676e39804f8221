#pragma once
#include "simulator/api/Call.h"
#include <QJsonArray>

/// One change of a file that the whole cluster shares: without quorum it cannot be, and PVE says first what was tried.
class ClusterFile
{
public:
    /// `lock` as PVE names it ("file-user_cfg", "domain-ha"); `attempt` as PVE begins its errors ("create user
    /// failed"), may be empty.
    ClusterFile(const Call &call, QString lock, QString attempt = {})
        : m_call(call), m_lock(std::move(lock)), m_attempt(std::move(attempt))
    {
    }
    /// Why nothing can be written now.
    std::optional<ApiAnswer> refusal() const
    {
        if (m_call.world.quorate)
            return std::nullopt;
        return failed(QStringLiteral("cfs-lock '%1' error: no quorum!").arg(m_lock));
    }
    ApiAnswer failed(const QString &text) const
    {
        return ApiAnswer::failed(m_attempt.isEmpty() ? text : m_attempt + QLatin1String(": ") + text);
    }
    /// SHA-1 as hexadecimal, as digests of configuration files are.
    static QString digest(const QByteArray &text);
    static QString digest(const QJsonValue &content);
    /// Each row with the digest of all.
    static QJsonArray withDigest(const QList<QJsonObject> &rows);
    /// True when the caller gave a digest and it is another.
    static bool isStale(const Call &call, const QString &current)
    {
        return !call.text("digest").isEmpty() && call.text("digest") != current;
    }
    static ApiAnswer stale()
    {
        return ApiAnswer::failed("detected modified configuration - file changed by other user? Try again.");
    }

private:
    const Call &m_call;
    QString m_lock;
    QString m_attempt;
};
