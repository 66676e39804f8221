#pragma once
#include "pve/HttpLimits.h"
#include "pve/Transport.h"
#include "remotes/Address.h"
#include <QNetworkReply>
#include <QObject>
#include <QSslConfiguration>
#include <QSslError>
#include <functional>
#include <memory>

class QNetworkAccessManager;

/// Whom a connection must reach.
struct HttpPeer {
    Address address;
    QByteArray pin; ///< SHA-256 of the leaf certificate; empty: the chain must be one the system trusts
    QSslConfiguration tls;
    QString proxy = {}; ///< "proxy.lan:3128", for people; empty: none is used
};

/// One request on its way: watches certificate, time and size, and says in the end what became of it.
/// It has the connection for itself: QNetworkAccessManager opens connections ahead of need, pairs them with requests
/// later and then emits no `encrypted` for them; with one request at a time every handshake is seen (core/README.md,
/// decision 6).
class HttpExchange : public QObject
{
public:
    /// `fresh`: nothing was ever sent through `lane`. `lane` must outlive this.
    HttpExchange(QNetworkAccessManager &lane, bool fresh, const HttpRequest &request, const HttpPeer &peer,
                 const HttpLimits &limits);
    ~HttpExchange() override;
    /// `ended` is called once, and may delete neither this nor the lane: it is called from within a signal of the
    /// network.
    void start(std::function<void()> ended);
    /// Ends it now with this error.
    void stop(Error error);
    /// After `ended`.
    Result<HttpAnswer> takeResult() { return std::move(*m_result); }
    /// True if the answer came whole, so that the connection may serve another request.
    bool isIntact() const { return m_result && *m_result; }

private:
    enum class Phase { Connecting, Waiting, Reading };
    void listen();
    void checkCertificate();
    void takeBytes();
    void conclude();
    void settle(Result<HttpAnswer> result);
    void enter(Phase phase);
    void watchTime();
    qint64 dueAt() const;
    Error lost(const QString &why) const;
    Error late() const;
    Error tooLong() const;
    Error distrusted(const QByteArray &shown) const;
    Error failure(QNetworkReply::NetworkError code) const;
    QString words(QNetworkReply::NetworkError code) const;
    HttpAnswer answer() const;

    QNetworkAccessManager &m_lane;
    const HttpRequest m_request;
    const HttpPeer m_peer;
    const HttpLimits m_limits;
    std::unique_ptr<QIODevice> m_upload;
    std::unique_ptr<QNetworkReply> m_reply;
    std::function<void()> m_ended;
    std::optional<Result<HttpAnswer>> m_result;
    QByteArray m_body;
    QStringList m_doubts; ///< what is wrong with the certificate, by the system's rules
    QByteArray m_shown;   ///< SHA-256 of the certificate that was shown
    Phase m_phase;
    bool m_mayBeSent; ///< false: for certain no byte of the request has left
    qint64 m_startedMs = 0, m_phaseMs = 0;
    int m_deadline = 0;
};
