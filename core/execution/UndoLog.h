#pragma once
#include "audit/AuditQuery.h"
#include "operations/Ports.h"

/// Reads from the audit log what can be taken back, and answers searches. A program sees its own rows only.
class UndoLog final : public UndoPort, public AuditPort
{
public:
    /// Borrowed; must outlive the log.
    explicit UndoLog(AuditQuery &query) : m_query(query) {}
    QCoro::Task<Result<QJsonObject>> list(qint64 limit, Actor actor, std::stop_token stop) override;
    QCoro::Task<Result<UndoBasis>> basis(QString callId, Actor actor, std::stop_token stop) override;
    QCoro::Task<Result<Call>> failedCall(QString callId, Actor actor, std::stop_token stop) override;
    QCoro::Task<Result<QJsonObject>> search(QJsonObject filter, Actor actor, std::stop_token stop) override;
    QCoro::Task<Result<QJsonObject>> verify(std::stop_token stop) override;

private:
    QCoro::Task<Result<>> wasRunAgain(CallRow failed, std::stop_token stop);

    AuditQuery &m_query;
};
