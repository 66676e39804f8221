#include "pve/HttpTransport.h"
#include "pve/ProxyChoice.h"
#include <QCoreApplication>

namespace
{
Error waitedTooLong()
{
    return {Error::Kind::Unreachable,
            QCoreApplication::translate("HttpTransport",
                                        "The server is busy with earlier requests; this one was not sent.")};
}

/// Copies share the parsed certificates of the system, which take long to read.
QSslConfiguration tlsFor(const QByteArray &pin)
{
    auto made = QSslConfiguration::defaultConfiguration();
    made.setProtocol(QSsl::TlsV1_2OrLater);
    made.setAllowedNextProtocols({}); // no HTTP/2: it has no reason phrase, where PVE puts its errors
    if (pin.isEmpty())
        return made;
    made.setPeerVerifyMode(QSslSocket::VerifyNone); // the pin decides, before the first byte
    made.setCaCertificates({});
    return made;
}

Result<Address> firstAddress(const Remote &remote)
{
    if (remote.addresses.isEmpty())
        return Error{Error::Kind::Invalid,
                     QCoreApplication::translate("HttpTransport", "This connection has no address.")};
    return Address::from(remote.addresses.first());
}
}

HttpTransport::HttpTransport(const Remote &remote, const HttpLimits &limits)
    : m_limits(limits), m_address(firstAddress(remote))
{
    trust(remote.pins);
}

HttpTransport::~HttpTransport()
{
    m_closing = true;
    auto jobs = std::exchange(m_jobs, {});
    for (auto &[id, job] : jobs) {
        Deadlines::ofThisThread().cancel(job->deadline);
        job->exchange.reset();
        job->lane.reset();
    }
    m_idle.clear();
    jobs.clear(); // every promise answers Cancelled; who is resumed finds a transport that is closing
}

Future<HttpAnswer> HttpTransport::send(const HttpRequest &request)
{
    if (!m_address)
        return ready<HttpAnswer>(m_address.error());
    if (m_closing || request.stop.stop_requested())
        return ready<HttpAnswer>(Error{Error::Kind::Cancelled, QStringLiteral("Cancelled")});
    choosePeer();
    if (!m_proxy) {
        m_isProxyKnown = false;
        return ready<HttpAnswer>(m_proxy.error());
    }
    const auto id = ++m_lastId;
    auto job = std::make_unique<Job>();
    job->request = request;
    auto future = job->promise.future();
    if (request.stop.stop_possible())
        job->onStop.emplace(request.stop, [this, id] {
            QMetaObject::invokeMethod(
                &m_home, [this, id] { abandon(id); }, Qt::QueuedConnection);
        });
    job->deadline = Deadlines::ofThisThread().start(m_limits.queue, [this, id] { giveUpWaiting(id); });
    m_jobs.emplace(id, std::move(job));
    (request.method == Method::Get ? m_waitingReads : m_waitingWrites).push_back(id);
    startWaiting();
    return future;
}

void HttpTransport::trust(const QHash<QString, QByteArray> &pins)
{
    if (m_address) {
        const auto pin = pins.value(m_address->key());
        m_peer = {*m_address, pin, tlsFor(pin), m_peer.proxy};
    }
    ++m_trust;
    m_idle.clear();
}

void HttpTransport::choosePeer()
{
    if (!m_address || std::exchange(m_isProxyKnown, true))
        return;
    m_proxy = ProxyChoice::to(*m_address);
    m_peer.proxy = m_proxy ? ProxyChoice::text(*m_proxy) : QString();
}

void HttpTransport::startWaiting()
{
    startNext(m_waitingReads, m_limits.reads, m_runningReads);
    startNext(m_waitingWrites, m_limits.writes, m_runningWrites);
}

void HttpTransport::startNext(std::deque<quint64> &queue, int most, int &running)
{
    while (!queue.empty() && running < most) {
        const auto id = queue.front();
        queue.pop_front();
        const auto found = m_jobs.find(id);
        if (found == m_jobs.end() || found->second->request.stop.stop_requested())
            continue; // answered already, or abandon() is on its way
        ++running;
        startJob(id, *found->second);
    }
}

void HttpTransport::startJob(quint64 id, Job &job)
{
    Deadlines::ofThisThread().cancel(std::exchange(job.deadline, 0));
    job.lane = laneFor(job.request);
    const bool fresh = std::exchange(job.lane->fresh, false);
    job.exchange = std::make_unique<HttpExchange>(job.lane->manager, fresh, job.request, m_peer, m_limits);
    job.exchange->start([this, id] { later(id); });
}

std::unique_ptr<HttpTransport::Lane> HttpTransport::laneFor(const HttpRequest &request)
{
    if (request.method == Method::Get && !m_idle.empty()) {
        auto lane = std::move(m_idle.back());
        m_idle.pop_back();
        return lane;
    }
    auto lane = std::make_unique<Lane>();
    lane->trust = m_trust;
    lane->manager.setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
    lane->manager.setProxy(*m_proxy);
    return lane;
}

void HttpTransport::keep(std::unique_ptr<Lane> lane)
{
    if (lane->trust == m_trust && m_idle.size() < static_cast<size_t>(m_limits.idleConnections))
        m_idle.push_back(std::move(lane));
}

void HttpTransport::later(quint64 id)
{
    QMetaObject::invokeMethod(
        &m_home, [this, id] { deliver(id); }, Qt::QueuedConnection);
}

void HttpTransport::deliver(quint64 id)
{
    auto node = m_jobs.extract(id);
    if (!node)
        return;
    const auto job = std::move(node.mapped());
    --(job->request.method == Method::Get ? m_runningReads : m_runningWrites);
    const bool intact = job->exchange->isIntact();
    auto result = job->exchange->takeResult();
    if (!result && result.error().kind == Error::Kind::Unreachable)
        m_isProxyKnown = false;
    job->exchange.reset();
    if (intact)
        keep(std::move(job->lane));
    job->lane.reset();
    startWaiting();
    job->promise.finish(std::move(result)); // last: this transport may be gone afterwards
}

void HttpTransport::abandon(quint64 id)
{
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end())
        return;
    const Error cancelled{Error::Kind::Cancelled, QStringLiteral("Cancelled")};
    auto &job = *found->second;
    if (!job.exchange) {
        Deadlines::ofThisThread().cancel(std::exchange(job.deadline, 0));
        m_jobs.extract(id).mapped()->promise.finish(cancelled);
    } else if (job.request.method == Method::Get) {
        job.exchange->stop(cancelled);
    }
}

void HttpTransport::giveUpWaiting(quint64 id)
{
    if (auto node = m_jobs.extract(id))
        node.mapped()->promise.finish(waitedTooLong());
}
