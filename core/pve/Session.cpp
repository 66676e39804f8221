#include "pve/Session.h"
#include "base/DisplayText.h"
#include "base/StrictJson.h"
#include "model/PveValue.h"
#include "pve/Transport.h"
#include "secrets/SecretStore.h"
#include <QCoreApplication>
#include <QUrl>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Session)
};
}

Session::Session(const Remote &remote, Transport &transport, SecretStore &secrets, const Clock &clock)
    : m_remote(remote), m_transport(transport), m_secrets(secrets), m_clock(clock)
{
}

Session::~Session()
{
    m_stop.request_stop();
}

QCoro::Task<Result<Session::Signature>> Session::sign(Method method, std::stop_token stop)
{
    if (m_halted) {
        auto why = *m_halted;
        co_return why;
    }
    if (!isReady()) {
        auto obtained = co_await obtain().until(stop);
        if (!obtained)
            co_return obtained.error();
    }
    co_return signature(method);
}

bool Session::isReady() const
{
    if (m_credential.isEmpty())
        return false;
    return m_remote.signIn == Remote::SignIn::Token || ticketAgeMs() < renewAfterMs;
}

/// By whichever clock says more: the monotonic one stands still while the computer sleeps, the other may be set back.
qint64 Session::ticketAgeMs() const
{
    return qMax(m_clock.monotonicMs() - m_boughtMonotonicMs, m_clock.wallMs() - m_boughtWallMs);
}

Session::Signature Session::signature(Method method) const
{
    Signature made;
    made.generation = m_generation;
    if (m_remote.signIn == Remote::SignIn::Token) {
        made.headers.append({"Authorization", m_credential.reveal()});
        return made;
    }
    made.headers.append({"Cookie", "PVEAuthCookie=" + m_credential.reveal().toPercentEncoding()});
    if (method != Method::Get)
        made.headers.append({"CSRFPreventionToken", m_csrf.reveal()});
    return made;
}

void Session::accepted(quint64 generation)
{
    if (generation != m_generation)
        return;
    m_isProven = true;
    m_refusals = 0;
}

bool Session::refused(quint64 generation)
{
    const bool hasTicket = m_remote.signIn == Remote::SignIn::Password;
    if (generation != m_generation)
        return hasTicket && !m_halted;
    const bool hasAged = hasTicket && m_isProven;
    forget();
    if (hasAged)
        return true;
    if (++m_refusals >= mostRefusals)
        halt(Text::tr(
                 "The server refuses the sign-in of %1. Labhelm has stopped trying; check the credential, then connect "
                 "again.")
                 .arg(DisplayText::visible(m_remote.user)));
    return hasTicket && !m_halted;
}

void Session::retry()
{
    m_halted.reset();
    m_refusals = 0;
    forget();
}

void Session::forget()
{
    m_credential = {};
    m_csrf = {};
    m_isProven = false;
    ++m_generation;
}

void Session::halt(QString message)
{
    m_halted = Error{Error::Kind::Unauthorized, std::move(message)};
}

Future<void> Session::obtain()
{
    auto future = m_waiting.emplace_back().future();
    if (!m_isSigningIn)
        signIn(); // runs on by itself; m_stop ends it
    return future;
}

QCoro::Task<void> Session::signIn()
{
    m_isSigningIn = true;
    auto fetched = co_await fetch();
    m_isSigningIn = false;
    auto waiting = std::exchange(m_waiting, {});
    for (auto &promise : waiting) // may be the end of this session: nothing of it is used below
        promise.finish(fetched);
}

QCoro::Task<Result<void>> Session::fetch()
{
    if (m_remote.signIn == Remote::SignIn::Token)
        co_return co_await fetchToken();
    if (!m_credential.isEmpty() && ticketAgeMs() < ticketLifeMs) {
        auto renewed = co_await buyTicket(m_credential, true);
        const bool oldOneServes = !renewed && renewed.error().kind != Error::Kind::Unauthorized;
        if (renewed || oldOneServes)
            co_return Result<void>();
    }
    auto password = co_await m_secrets.read(m_remote.secretKey()).until(m_stop.get_token());
    if (!password)
        co_return password.error();
    co_return co_await buyTicket(*password, false);
}

QCoro::Task<Result<void>> Session::fetchToken()
{
    auto secret = co_await m_secrets.read(m_remote.secretKey()).until(m_stop.get_token());
    if (!secret)
        co_return secret.error();
    m_credential = Secret("PVEAPIToken=" + m_remote.user.toUtf8() + '=' + secret->reveal().trimmed());
    ++m_generation;
    co_return Result<void>();
}

QCoro::Task<Result<void>> Session::buyTicket(Secret password, bool isRenewal)
{
    HttpRequest request;
    request.method = Method::Post;
    request.path = "/access/ticket";
    request.body =
        "username=" + QUrl::toPercentEncoding(m_remote.user) + "&password=" + password.reveal().toPercentEncoding();
    request.stop = m_stop.get_token();
    auto answer = co_await m_transport.send(request).until(m_stop.get_token());
    if (!answer) {
        auto error = answer.error();
        if (error.kind == Error::Kind::Unknown) {
            error.kind = Error::Kind::Unreachable;
            error.message = Text::tr("The server did not answer the sign-in.");
        }
        co_return error;
    }
    if (answer->status == 200)
        co_return takeTicket(answer->body);
    if (answer->status != 401)
        co_return Error{
            Error::Kind::Unreachable,
            Text::tr("The server can't sign anybody in now: %1").arg(DisplayText::visible(answer->reason.left(200))),
            QStringLiteral("POST /access/ticket: %1").arg(answer->status)};
    if (isRenewal)
        co_return Error{Error::Kind::Unauthorized, answer->reason};
    co_return refuse(answer->reason);
}

Result<void> Session::takeTicket(const QByteArray &body)
{
    const auto parsed = StrictJson::parseObject(body);
    const auto data = parsed ? (*parsed)[QLatin1String("data")].toObject() : QJsonObject();
    if (PveValue::boolean(data, "NeedTFA").value_or(false)) {
        halt(Text::tr("%1 needs a second factor to sign in. Use an API token for this connection.")
                 .arg(DisplayText::visible(m_remote.user)));
        return *m_halted;
    }
    const auto ticket = data[QLatin1String("ticket")].toString();
    const auto csrf = data[QLatin1String("CSRFPreventionToken")].toString();
    if (ticket.isEmpty() || csrf.isEmpty())
        return Error{Error::Kind::Malformed,
                     Text::tr("The server answered the sign-in with something that is no ticket."),
                     QStringLiteral("POST /access/ticket: 200, %1 bytes").arg(body.size())};
    m_credential = Secret(ticket.toUtf8());
    m_csrf = Secret(csrf.toUtf8());
    m_boughtMonotonicMs = m_clock.monotonicMs();
    m_boughtWallMs = m_clock.wallMs();
    m_isProven = false;
    ++m_generation;
    return {};
}

Result<void> Session::refuse(const QString &why)
{
    auto message = Text::tr("The server refuses the sign-in of %1: %2.")
                       .arg(DisplayText::visible(m_remote.user), DisplayText::visible(why.left(200)));
    if (++m_refusals >= mostRefusals)
        halt(message + u' ' + Text::tr("Labhelm has stopped trying; check the password, then connect again."));
    return m_halted ? *m_halted : Error{Error::Kind::Unauthorized, message, QStringLiteral("POST /access/ticket: 401")};
}
