#include "pve/FailoverTransport.h"
#include <QCoreApplication>
#include <QRandomGenerator>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(FailoverTransport)
};

/// The address itself is at fault, and another may do better.
bool isLost(const Result<HttpAnswer> &answer)
{
    return !answer && (answer.error().kind == Error::Kind::Unreachable || answer.error().kind == Error::Kind::TimedOut);
}

/// What shows that an address serves, with the same credential if there is one: a sign-in has none yet.
HttpRequest proofFor(const HttpRequest &write)
{
    HttpRequest proof;
    proof.path = write.headers.isEmpty() ? "/access/domains" : "/version";
    for (const auto &header : write.headers)
        if (header.first == "Cookie" || header.first == "Authorization")
            proof.headers.append(header);
    proof.stop = write.stop;
    return proof;
}

Error nobodyAnswers(const QStringList &why, const Error &last)
{
    return {Error::Kind::Unreachable,
            Text::tr("None of the %n addresses of this cluster answers.", nullptr, static_cast<int>(why.size())) +
                u'\n' + why.join(u'\n'),
            last.detail};
}
}

FailoverTransport::FailoverTransport(const QStringList &addresses, const Make &make, const Clock &clock)
    : m_clock(clock)
{
    for (const auto &address : addresses) {
        Way way;
        way.address = address;
        way.transport = make(address);
        m_ways.push_back(std::move(way));
    }
}

FailoverTransport::~FailoverTransport()
{
    m_stop.request_stop();
}

QString FailoverTransport::current() const
{
    return m_ways.empty() ? QString() : m_ways[m_current].address;
}

Future<HttpAnswer> FailoverTransport::send(const HttpRequest &request)
{
    if (m_ways.empty())
        return ready<HttpAnswer>(Error{Error::Kind::Invalid, Text::tr("This connection has no address.")});
    if (m_ways.size() == 1)
        return m_ways.front().transport->send(request);
    Promise<HttpAnswer> promise;
    auto future = promise.future();
    if (request.method == Method::Get)
        read(request, std::move(promise)); // both run on by themselves; m_stop ends them
    else
        write(request, std::move(promise));
    return future;
}

QCoro::Task<void> FailoverTransport::read(HttpRequest request, Promise<HttpAnswer> promise)
{
    auto answer = co_await ask(request);
    promise.finish(std::move(answer)); // last: this transport may be gone afterwards
}

/// Asks one address after the other until one answers.
QCoro::Task<Result<HttpAnswer>> FailoverTransport::ask(HttpRequest request)
{
    QStringList why;
    Error last;
    const auto stop = m_stop.get_token();
    const auto ways = order();
    for (const auto way : ways) {
        auto answer = co_await m_ways[way].transport->send(request).until(stop);
        if (stop.stop_requested())
            co_return Error{Error::Kind::Cancelled, QStringLiteral("Cancelled")};
        note(way, answer);
        if (!isLost(answer))
            co_return answer;
        last = answer.error();
        why << last.message;
        if (request.stop.stop_requested())
            break;
    }
    co_return nobodyAnswers(why, last);
}

QCoro::Task<void> FailoverTransport::write(HttpRequest request, Promise<HttpAnswer> promise)
{
    const auto stop = m_stop.get_token();
    if (!isProven()) {
        const auto proof = proofFor(request);
        auto proven = co_await ask(proof);
        if (!proven || stop.stop_requested()) {
            promise.finish(proven ? Error{Error::Kind::Cancelled, QStringLiteral("Cancelled")} : proven.error());
            co_return;
        }
    }
    const auto way = m_current;
    auto answer = co_await m_ways[way].transport->send(request).until(stop);
    if (!stop.stop_requested())
        note(way, answer);
    promise.finish(std::move(answer));
}

/// The current one first, then the others in the order in which they were given; those that rest come last.
std::vector<size_t> FailoverTransport::order() const
{
    std::vector<size_t> ways{m_current};
    for (size_t way = 0; way < m_ways.size(); ++way)
        if (way != m_current)
            ways.push_back(way);
    const auto now = m_clock.monotonicMs();
    std::stable_partition(ways.begin(), ways.end(), [&](size_t way) { return m_ways[way].restsUntilMs <= now; });
    return ways;
}

bool FailoverTransport::isProven() const
{
    const auto answered = m_ways[m_current].answeredMs;
    return answered && m_clock.monotonicMs() - *answered < provenForMs;
}

void FailoverTransport::note(size_t index, const Result<HttpAnswer> &answer)
{
    auto &way = m_ways[index];
    const auto now = m_clock.monotonicMs();
    if (answer) {
        way.failures = 0;
        way.restsUntilMs = 0;
        way.answeredMs = now;
        m_current = index;
    } else if (answer.error().kind != Error::Kind::Cancelled) {
        way.answeredMs.reset();
        const auto rest = qMin(firstRestMs << qMin(way.failures++, 6), longestRestMs);
        way.restsUntilMs = now + rest * 3 / 4 + QRandomGenerator::global()->bounded(rest / 2 + 1);
    }
}
