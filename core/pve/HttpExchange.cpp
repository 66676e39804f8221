#include "pve/HttpExchange.h"
#include "base/Clock.h"
#include "base/Deadlines.h"
#include "pve/OnceBody.h"
#include <QCoreApplication>
#include <QNetworkAccessManager>
#include <QSslCertificate>

namespace
{
constexpr qint64 readAhead = 1024 * 1024;

QNetworkRequest prepare(const HttpRequest &request, const HttpPeer &peer)
{
    const auto where = QStringLiteral("https://%1:%2/api2/json").arg(peer.address.encodedHost()).arg(peer.address.port);
    QNetworkRequest made(QUrl::fromEncoded(where.toUtf8() + request.path, QUrl::StrictMode));
    if (peer.address.host.contains(u'%')) { // the zone is for this computer alone
        const Address withoutZone{peer.address.nameForServer(), peer.address.port};
        made.setRawHeader("Host", withoutZone.key().toLatin1());
        made.setPeerVerifyName(withoutZone.host);
    }
    made.setSslConfiguration(peer.tls);
    made.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    made.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    made.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    made.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    made.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    made.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    made.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    made.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("Labhelm/" LABHELM_VERSION));
    made.setRawHeader("Accept", "application/json");
    for (const auto &[name, value] : request.headers)
        made.setRawHeader(name, value);
    if (request.method != Method::Get) {
        made.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
        made.setHeader(QNetworkRequest::ContentLengthHeader, request.body.size());
    }
    if (request.method == Method::Post || request.method == Method::Put)
        made.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/x-www-form-urlencoded"));
    return made;
}

/// An answer of the server, as opposed to a failure on the way to it.
bool isAnswer(QNetworkReply::NetworkError code, int status)
{
    if (code == QNetworkReply::NoError)
        return status >= 200;
    return status >= 400 && code > QNetworkReply::UnknownProxyError && code != QNetworkReply::ContentReSendError &&
           code != QNetworkReply::ProtocolFailure;
}
}

HttpExchange::HttpExchange(QNetworkAccessManager &lane, bool fresh, const HttpRequest &request, const HttpPeer &peer,
                           const HttpLimits &limits)
    : m_lane(lane), m_request(request), m_peer(peer), m_limits(limits),
      m_phase(fresh ? Phase::Connecting : Phase::Waiting), m_mayBeSent(!fresh)
{
}

HttpExchange::~HttpExchange()
{
    Deadlines::ofThisThread().cancel(m_deadline);
    if (m_reply)
        m_reply->disconnect(this);
    m_reply.reset(); // before the body that it reads from
}

void HttpExchange::start(std::function<void()> ended)
{
    m_ended = std::move(ended);
    m_startedMs = m_phaseMs = Clock::system().monotonicMs();
    const auto request = prepare(m_request, m_peer);
    if (m_request.method != Method::Get)
        m_upload = std::make_unique<OnceBody>(m_request.body);
    switch (m_request.method) {
    case Method::Get: m_reply.reset(m_lane.get(request)); break;
    case Method::Post: m_reply.reset(m_lane.post(request, m_upload.get())); break;
    case Method::Put: m_reply.reset(m_lane.put(request, m_upload.get())); break;
    case Method::Delete: m_reply.reset(m_lane.sendCustomRequest(request, "DELETE", m_upload.get())); break;
    }
    m_reply->setReadBufferSize(readAhead);
    listen();
    watchTime();
}

void HttpExchange::listen()
{
    auto *reply = m_reply.get();
    connect(reply, &QNetworkReply::socketStartedConnecting, this, [this] { enter(Phase::Connecting); });
    connect(reply, &QNetworkReply::encrypted, this, [this] { checkCertificate(); });
    connect(reply, &QNetworkReply::sslErrors, this, [this](const QList<QSslError> &errors) {
        for (const auto &error : errors)
            m_doubts << error.errorString();
        m_doubts.removeDuplicates();
        auto shown = m_reply->sslConfiguration().peerCertificate();
        if (shown.isNull())
            shown = errors.value(0).certificate();
        m_shown = shown.digest(QCryptographicHash::Sha256);
    });
    connect(reply, &QNetworkReply::metaDataChanged, this, [this] { enter(Phase::Reading); });
    connect(reply, &QNetworkReply::readyRead, this, [this] { takeBytes(); });
    connect(reply, &QNetworkReply::finished, this, [this] { conclude(); });
    connect(reply, &QObject::destroyed, this, [this] {
        m_reply.release();
        settle(lost(QCoreApplication::translate("HttpExchange", "the connection was closed")));
    });
}

void HttpExchange::stop(Error error)
{
    settle(std::move(error));
}

/// Runs while the network thread waits and before it sends anything.
void HttpExchange::checkCertificate()
{
    if (m_result)
        return;
    const auto shown = m_reply->sslConfiguration().peerCertificate().digest(QCryptographicHash::Sha256);
    if (!m_peer.pin.isEmpty() && shown != m_peer.pin) {
        settle(distrusted(shown));
        return;
    }
    m_mayBeSent = true;
    enter(Phase::Waiting);
}

void HttpExchange::takeBytes()
{
    if (m_result)
        return;
    enter(Phase::Reading);
    constexpr qint64 piece = 64 * 1024;
    while (m_reply->bytesAvailable() > 0) {
        const auto bytes = m_reply->read(piece);
        if (bytes.isEmpty())
            return;
        m_body += bytes;
        if (m_body.size() > m_limits.answerBytes) {
            settle(tooLong());
            return;
        }
    }
}

void HttpExchange::conclude()
{
    if (m_result)
        return;
    takeBytes();
    if (m_result)
        return;
    const auto status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (isAnswer(m_reply->error(), status))
        settle(answer());
    else
        settle(failure(m_reply->error()));
}

HttpAnswer HttpExchange::answer() const
{
    HttpAnswer made;
    made.status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const auto reason = m_reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString();
    made.reason = QString::fromUtf8(reason.toLatin1()); // Qt reads the bytes as Latin-1
    made.body = m_body;
    made.contentType = m_reply->rawHeader("Content-Type");
    made.origin = m_peer.address.key();
    return made;
}

void HttpExchange::settle(Result<HttpAnswer> result)
{
    if (m_result)
        return;
    m_result.emplace(std::move(result));
    Deadlines::ofThisThread().cancel(std::exchange(m_deadline, 0));
    if (m_reply && !m_reply->isFinished())
        m_reply->abort();
    if (m_ended)
        m_ended();
}

void HttpExchange::enter(Phase phase)
{
    m_phase = phase;
    m_phaseMs = Clock::system().monotonicMs();
    if (phase == Phase::Connecting)
        watchTime();
}

qint64 HttpExchange::dueAt() const
{
    const auto answer = m_request.method == Method::Get ? m_limits.firstByte : m_limits.firstByteOfWrite;
    const auto span = m_phase == Phase::Connecting ? m_limits.connect
                      : m_phase == Phase::Waiting  ? answer
                                                   : m_limits.idle;
    return qMin(m_phaseMs + span.count(), m_startedMs + m_limits.total.count());
}

/// One timer an exchange: it looks again when it fires early, since a phase that began later is due later.
void HttpExchange::watchTime()
{
    Deadlines::ofThisThread().cancel(std::exchange(m_deadline, 0));
    if (m_result)
        return;
    const auto left = dueAt() - Clock::system().monotonicMs();
    m_deadline = Deadlines::ofThisThread().start(std::chrono::milliseconds(qMax<qint64>(left, 1)), [this] {
        m_deadline = 0;
        if (Clock::system().monotonicMs() < dueAt())
            watchTime();
        else
            settle(late());
    });
}
