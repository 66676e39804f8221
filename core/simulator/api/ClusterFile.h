#pragma once
#include "simulator/api/Call.h"

/// One change of a file that the whole cluster shares: without quorum it cannot be, and PVE says first what was tried.
class ClusterFile
{
public:
    /// `file` as the lock is named ("user_cfg"); `attempt` as PVE begins its errors ("create user failed"), may be
    /// empty.
    ClusterFile(const Call &call, QString file, QString attempt)
        : m_call(call), m_file(std::move(file)), m_attempt(std::move(attempt))
    {
    }
    /// Why nothing can be written now.
    std::optional<ApiAnswer> refusal() const
    {
        if (m_call.world.quorate)
            return std::nullopt;
        return failed(QStringLiteral("cfs-lock 'file-%1' error: no quorum!").arg(m_file));
    }
    ApiAnswer failed(const QString &text) const
    {
        return ApiAnswer::failed(m_attempt.isEmpty() ? text : m_attempt + QLatin1String(": ") + text);
    }
    /// SHA-1 as hexadecimal, as digests of configuration files are.
    static QString digest(const QByteArray &text);
    static QString digest(const QJsonValue &content);

private:
    const Call &m_call;
    QString m_file;
    QString m_attempt;
};
