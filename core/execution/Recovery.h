#pragma once
#include "audit/AuditQuery.h"
#include "operations/Ports.h"
#include <QCoro/QCoroTask>

class AuditLog;

/// Settles, at start, the changes that were sent and never got an outcome: by their task's end, or left unknown and
/// said so.
class Recovery
{
public:
    /// All borrowed; must outlive a run.
    Recovery(AuditLog &log, AuditQuery &query, const Services &services)
        : m_log(log), m_query(query), m_services(services)
    {
    }
    /// Returns how many were settled or explained. A remote that does not answer leaves its calls for the next run.
    QCoro::Task<Result<int>> run(std::stop_token stop);

private:
    QCoro::Task<Result<>> settle(CallDetail call, std::stop_token stop);
    AuditLog &m_log;
    AuditQuery &m_query;
    const Services &m_services;
};
