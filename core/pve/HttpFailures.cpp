#include "base/DisplayText.h"
#include "pve/HttpExchange.h"
#include "remotes/Fingerprint.h"
#include <QCoreApplication>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(HttpExchange)
};

QString detailOf(const HttpRequest &request, const QString &what)
{
    const auto path = QString::fromLatin1(request.path).section(u'?', 0, 0);
    return methodName(request.method) + u' ' + path + QLatin1String(": ") + what;
}
}

QString HttpExchange::words(QNetworkReply::NetworkError code) const
{
    switch (code) {
    case QNetworkReply::ConnectionRefusedError: return Text::tr("nothing listens there (connection refused)");
    case QNetworkReply::HostNotFoundError: return Text::tr("the name is not known to this computer");
    case QNetworkReply::RemoteHostClosedError:
    case QNetworkReply::ContentReSendError: return Text::tr("the server closed the connection");
    case QNetworkReply::TimeoutError: return Text::tr("it did not answer in time");
    case QNetworkReply::SslHandshakeFailedError: return Text::tr("no encrypted connection could be made");
    case QNetworkReply::ProxyNotFoundError: return Text::tr("the proxy %1 is not known").arg(m_peer.proxy);
    case QNetworkReply::ProxyConnectionRefusedError:
        return Text::tr("nothing listens at the proxy %1").arg(m_peer.proxy);
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return Text::tr("the proxy %1 wants a user name and password; give them in its address, as in "
                        "HTTPS_PROXY=http://user:password@host:port")
            .arg(m_peer.proxy);
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyTimeoutError:
    case QNetworkReply::UnknownProxyError: return Text::tr("the proxy %1 does not let it through").arg(m_peer.proxy);
    default:
        return m_peer.proxy.isEmpty() ? Text::tr("the network does not let it through")
                                      : Text::tr("the proxy %1 does not let it through").arg(m_peer.proxy);
    }
}

/// For a read, or before anything was sent: Unreachable. After that a write is Unknown.
Error HttpExchange::lost(const QString &why) const
{
    const auto at = m_peer.address.text();
    if (m_request.method == Method::Get || !m_mayBeSent)
        return {Error::Kind::Unreachable, Text::tr("%1 can't be reached: %2.").arg(at, why), detailOf(m_request, why)};
    return {
        Error::Kind::Unknown,
        Text::tr("The change was on its way to %1 and no whole answer came: %2. Whether it took effect is not known.")
            .arg(at, why),
        detailOf(m_request, why)};
}

Error HttpExchange::late() const
{
    if (m_phase == Phase::Connecting || m_request.method != Method::Get)
        return lost(words(QNetworkReply::TimeoutError));
    return {Error::Kind::TimedOut, Text::tr("%1 did not answer in time.").arg(m_peer.address.text()),
            detailOf(m_request, QStringLiteral("no answer in time"))};
}

Error HttpExchange::tooLong() const
{
    const auto why = Text::tr("the answer is longer than %1 MiB").arg(m_limits.answerBytes / (1024 * 1024));
    if (m_request.method != Method::Get)
        return lost(why);
    return {Error::Kind::Malformed, Text::tr("%1 sends nonsense: %2.").arg(m_peer.address.text(), why),
            detailOf(m_request, why)};
}

Error HttpExchange::distrusted(const QByteArray &shown) const
{
    return {
        Error::Kind::Untrusted,
        Text::tr(
            "%1 shows another certificate than the one that was accepted. Nothing was sent.\nAccepted: %2\nShown: %3")
            .arg(m_peer.address.text(), Fingerprint::text(m_peer.pin), Fingerprint::text(shown)),
        detailOf(m_request, QStringLiteral("certificate differs from the pin"))};
}

Error HttpExchange::failure(QNetworkReply::NetworkError code) const
{
    const auto technical = DisplayText::visible(m_reply->errorString().left(200));
    if (!m_doubts.isEmpty() && !m_mayBeSent) {
        auto message =
            Text::tr("The certificate of %1 is not one that this computer trusts: %2. Nothing was sent.\nShown: %3")
                .arg(m_peer.address.text(), m_doubts.join(QLatin1String("; ")), Fingerprint::text(m_shown));
        return {Error::Kind::Untrusted, std::move(message), detailOf(m_request, technical)};
    }
    if (m_request.method == Method::Get &&
        (code == QNetworkReply::ProtocolFailure || code == QNetworkReply::UnknownContentError ||
         code == QNetworkReply::NoError))
        return {Error::Kind::Malformed,
                Text::tr("%1 answers, but not as a Proxmox VE server does.").arg(m_peer.address.text()),
                detailOf(m_request, technical)};
    auto error = lost(words(code));
    error.detail = detailOf(m_request, technical);
    return error;
}
