#pragma once
#include "base/Clock.h"
#include "pve/Transport.h"
#include <QCoro/QCoroTask>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

/// The ways to a cluster that has several addresses. A read that can't reach one goes to the next. A write is sent
/// once, to an address that has just answered a read, and is never moved (core/README.md, decision 10).
class FailoverTransport final : public Transport
{
public:
    using Make = std::function<std::unique_ptr<Transport>(const QString &address)>;
    /// An address that answered a read less than so long ago takes a write without being asked again.
    static constexpr qint64 provenForMs = 10'000;
    /// An address that failed is tried after the others for 0.5 s, then 1 s … 30 s, each time a little off, so that
    /// many do not come back at once.
    static constexpr qint64 firstRestMs = 500, longestRestMs = 30'000;

    /// `clock` is borrowed. Without an address everything is Invalid.
    FailoverTransport(const QStringList &addresses, const Make &make, const Clock &clock = Clock::system());
    ~FailoverTransport() override;
    /// Errors as Transport tells them. Untrusted is not hidden by asking elsewhere.
    Future<HttpAnswer> send(const HttpRequest &request) override;
    /// The address that is used now.
    QString current() const;

private:
    struct Way {
        QString address;
        std::unique_ptr<Transport> transport;
        int failures = 0;
        qint64 restsUntilMs = 0;
        std::optional<qint64> answeredMs; ///< empty: not since it last failed
    };
    QCoro::Task<void> read(HttpRequest request, Promise<HttpAnswer> promise);
    QCoro::Task<void> write(HttpRequest request, Promise<HttpAnswer> promise);
    QCoro::Task<Result<HttpAnswer>> ask(HttpRequest request);
    std::vector<size_t> order() const;
    bool isProven() const;
    void note(size_t way, const Result<HttpAnswer> &answer);

    const Clock &m_clock;
    std::vector<Way> m_ways;
    size_t m_current = 0;
    std::stop_source m_stop;
};
