#include "audit/AuditQuery.h"
#include "audit/AuditLog.h"
#include "audit/CallSearch.h"
#include "audit/ChainAnchor.h"
#include "audit/ChainCheck.h"
#include "store/ReadThread.h"

struct AuditQuery::Reader {
    explicit Reader(AuditLog &owner)
        : log(owner), pages(owner.file(), QStringLiteral(":/migrations/audit")),
          checks(owner.file(), QStringLiteral(":/migrations/audit"))
    {
    }
    QCoro::Task<> verify(Promise<ChainReport> promise);

    AuditLog &log;
    ReadThread pages;
    ReadThread checks; ///< apart, so that a long check does not hold up pages
    std::stop_source stop;
};

AuditQuery::AuditQuery(AuditLog &log) : m_reader(std::make_unique<Reader>(log)) {}

AuditQuery::~AuditQuery()
{
    m_reader->stop.request_stop();
}

Future<QList<CallRow>> AuditQuery::page(CallFilter filter, qint64 beforeSeq, int limit)
{
    return m_reader->pages.ask<QList<CallRow>>([=](Database &database, const std::stop_token &stop) {
        return CallSearch::page(database, filter, beforeSeq, limit, stop);
    });
}

Future<CallDetail> AuditQuery::detail(QString callId)
{
    return m_reader->pages.ask<CallDetail>(
        [=](Database &database, const std::stop_token &) { return CallSearch::detail(database, callId); });
}

Future<QList<HistogramBucket>> AuditQuery::histogram(CallFilter filter, int buckets)
{
    return m_reader->pages.ask<QList<HistogramBucket>>(
        [=](Database &database, const std::stop_token &) { return CallSearch::histogram(database, filter, buckets); });
}

Future<QList<CallDetail>> AuditQuery::unsettled()
{
    return m_reader->pages.ask<QList<CallDetail>>(
        [](Database &database, const std::stop_token &) { return CallSearch::unsettled(database); });
}

Future<QList<CallRow>> AuditQuery::claimed()
{
    return m_reader->pages.ask<QList<CallRow>>(
        [](Database &database, const std::stop_token &) { return CallSearch::claimed(database); });
}

Future<ChainReport> AuditQuery::verify()
{
    Promise<ChainReport> promise;
    auto future = promise.future();
    m_reader->verify(std::move(promise));
    return future;
}

QCoro::Task<> AuditQuery::Reader::verify(Promise<ChainReport> promise)
{
    const auto token = stop.get_token();
    const auto kept = co_await log.anchor().read().until(token);
    if (token.stop_requested())
        co_return;
    auto asked = checks.ask<ChainReport>([kept](Database &database, const std::stop_token &stopping) {
        return ChainCheck(database, kept).run(stopping);
    });
    auto report = co_await std::move(asked).until(token);
    promise.finish(std::move(report));
}
