#pragma once
#include "pve/HttpExchange.h"
#include "pve/HttpLimits.h"
#include "pve/Transport.h"
#include "remotes/Remote.h"
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <deque>
#include <map>

/// Speaks HTTPS to a node through QNetworkAccessManager, one request per connection at a time.
/// Each connection has a manager of its own, a "lane", whose certificate is checked before the first byte; a write
/// always takes a new one, so that it never meets a stale socket and is never sent twice. A proxy is used where this
/// computer is set to one (ProxyChoice); the node's certificate is checked through it all the same.
class HttpTransport final : public Transport
{
public:
    explicit HttpTransport(const Remote &remote, const HttpLimits &limits = {});
    ~HttpTransport() override;
    Future<HttpAnswer> send(const HttpRequest &request) override;
    /// Other pins from now on. Kept connections are dropped, since a reused one is not checked again; what runs goes
    /// on.
    void trust(const QHash<QString, QByteArray> &pins);
    /// Requests that were not answered yet.
    size_t pending() const { return m_jobs.size(); }

private:
    /// A manager and whether what it holds open may be used again.
    struct Lane {
        QNetworkAccessManager manager;
        quint64 trust = 0;
        bool fresh = true;
    };
    struct Job {
        HttpRequest request;
        Promise<HttpAnswer> promise;
        std::optional<std::stop_callback<std::function<void()>>> onStop;
        int deadline = 0;
        std::unique_ptr<Lane> lane;
        std::unique_ptr<HttpExchange> exchange; ///< null while it waits
    };
    void choosePeer();
    void startWaiting();
    void startNext(std::deque<quint64> &queue, int most, int &running);
    void startJob(quint64 id, Job &job);
    std::unique_ptr<Lane> laneFor(const HttpRequest &request);
    void keep(std::unique_ptr<Lane> lane);
    void later(quint64 id);
    void deliver(quint64 id);
    void abandon(quint64 id);
    void giveUpWaiting(quint64 id);

    const HttpLimits m_limits;
    Result<Address> m_address;
    HttpPeer m_peer;
    Result<QNetworkProxy> m_proxy{QNetworkProxy(QNetworkProxy::NoProxy)};
    bool m_isProxyKnown = false; ///< false: ask again before the next connection, as after a change of networks
    std::vector<std::unique_ptr<Lane>> m_idle;
    std::map<quint64, std::unique_ptr<Job>> m_jobs;
    std::deque<quint64> m_waitingReads, m_waitingWrites;
    int m_runningReads = 0, m_runningWrites = 0;
    quint64 m_lastId = 0, m_trust = 0;
    bool m_closing = false;
    QObject m_home; ///< receives what must run on a clean stack
};
