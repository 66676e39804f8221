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

Error cannotSignIn(const HttpAnswer &answer)
{
    return {Error::Kind::Unreachable,
            Text::tr("The server can't sign anybody in now: %1").arg(DisplayText::visible(answer.reason.left(200))),
            QStringLiteral("POST /access/ticket: %1").arg(answer.status)};
}
}

Session::Session(const Remote &remote, Transport &transport, SecretStore &secrets, const Clock &clock)
    : Session(remote, transport, secrets, clock, Lives())
{
}

Session::Session(const Remote &remote, Transport &transport, SecretStore &secrets, const Clock &clock,
                 const Lives &lives)
    : m_remote(remote), m_transport(transport), m_secrets(secrets), m_clock(clock), m_lives(lives)
{
}

Session::~Session()
{
    Deadlines::ofThisThread().cancel(m_ageDeadline);
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
    return m_remote.signIn == Remote::SignIn::Token || ticketAgeMs() < m_lives.renewAfterMs;
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
    m_factor.reset();
    m_refusals = 0;
    forget();
    Q_EMIT stateChanged();
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
    Q_EMIT stateChanged();
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
    if (!m_credential.isEmpty() && ticketAgeMs() < m_lives.ticketMs) {
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

QCoro::Task<Result<HttpAnswer>> Session::post(QByteArray form)
{
    HttpRequest request;
    request.method = Method::Post;
    request.path = "/access/ticket";
    request.body = "username=" + QUrl::toPercentEncoding(m_remote.user) + form;
    request.stop = m_stop.get_token();
    auto answer = co_await m_transport.send(request).until(m_stop.get_token());
    if (answer)
        co_return answer;
    auto error = answer.error();
    if (error.kind == Error::Kind::Unknown) {
        error.kind = Error::Kind::Unreachable;
        error.message = Text::tr("The server did not answer the sign-in.");
    }
    co_return error;
}

QCoro::Task<Result<void>> Session::buyTicket(Secret password, bool isRenewal)
{
    const auto form = "&password=" + password.reveal().toPercentEncoding();
    auto answer = co_await post(form);
    if (!answer)
        co_return answer.error();
    if (answer->status == 200)
        co_return takeTicket(answer->body);
    if (answer->status != 401)
        co_return cannotSignIn(*answer);
    if (isRenewal)
        co_return Error{Error::Kind::Unauthorized, answer->reason};
    co_return refuse(answer->reason);
}

QCoro::Task<Result<void>> Session::answer(SecondFactor::Kind kind, Secret code)
{
    if (!m_factor)
        co_return Error{Error::Kind::Conflict, Text::tr("The server does not ask for a code now.")};
    const auto stop = m_stop.get_token();
    const auto form = "&password=" + SecondFactor::answer(kind, code).reveal().toPercentEncoding() +
                      "&tfa-challenge=" + m_factor->challenge.reveal().toPercentEncoding();
    auto answer = co_await post(form);
    if (!answer)
        co_return answer.error();
    if (stop.stop_requested())
        co_return Error{Error::Kind::Cancelled, QStringLiteral("Cancelled")};
    if (answer->status == 401)
        co_return refuseCode();
    if (answer->status != 200)
        co_return cannotSignIn(*answer);
    m_factor.reset();
    m_halted.reset();
    auto taken = takeTicket(answer->body);
    if (taken)
        Q_EMIT stateChanged();
    co_return taken;
}

/// Three wrong ones may lock the account: then the whole sign-in starts anew, when a person says so.
Error Session::refuseCode()
{
    auto message =
        Text::tr("The server does not accept this code. Codes change every 30 seconds; check that the clocks "
                 "of your phone and of the server are right.");
    if (++m_wrongCodes >= mostRefusals) {
        m_wrongCodes = 0;
        m_factor.reset();
        message += u' ' + Text::tr("Labhelm has stopped trying; connect again.");
        halt(message);
    }
    return {Error::Kind::Unauthorized, message, QStringLiteral("POST /access/ticket: 401")};
}

Result<void> Session::takeTicket(const QByteArray &body)
{
    const auto parsed = StrictJson::parseObject(body);
    const auto data = parsed ? (*parsed)[QLatin1String("data")].toObject() : QJsonObject();
    const auto ticket = data[QLatin1String("ticket")].toString();
    if (PveValue::boolean(data, "NeedTFA").value_or(false))
        return takeChallenge(ticket);
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
    watchAge();
    return {};
}

/// The password was right, and is not sent again before a person has answered.
Result<void> Session::takeChallenge(const QString &ticket)
{
    auto factor = SecondFactor::fromTicket(ticket);
    if (!factor) {
        halt(factor.error().message);
        return *m_halted;
    }
    const auto user = DisplayText::visible(m_remote.user);
    m_factor = *std::move(factor);
    m_factor->askedMs = m_clock.monotonicMs();
    m_wrongCodes = 0;
    halt(m_factor->kinds.isEmpty()
             ? Text::tr("%1 signs in with a security key, which only a browser can use. Use an API token for this "
                        "connection.")
                   .arg(user)
             : Text::tr("%1 has a second factor. Type the code that your app shows.").arg(user));
    return *m_halted;
}

/// A ticket ages also while a single call runs for hours and nothing else is asked (A06).
void Session::watchAge()
{
    constexpr qint64 lookAgainMs = 60'000; // the computer may sleep meanwhile
    const auto soonest = qMin(lookAgainMs, m_lives.renewAfterMs / 4);
    const auto left = qBound(soonest, m_lives.renewAfterMs - ticketAgeMs(), lookAgainMs);
    Deadlines::ofThisThread().cancel(m_ageDeadline);
    m_ageDeadline = Deadlines::ofThisThread().start(std::chrono::milliseconds(left), [this] {
        m_ageDeadline = 0;
        renewIfAged();
    });
}

void Session::renewIfAged()
{
    if (m_credential.isEmpty() || ticketAgeMs() >= m_lives.ticketMs)
        return; // the next call signs in
    if (ticketAgeMs() >= m_lives.renewAfterMs && !m_isSigningIn) {
        const auto renewed = obtain();
        Q_UNUSED(renewed) // if it fails, the next look or call tries again
    }
    watchAge();
}

Result<void> Session::refuse(const QString &why)
{
    auto message = Text::tr("The server refuses the sign-in of %1: %2.")
                       .arg(DisplayText::visible(m_remote.user), DisplayText::visible(why.left(200)));
    if (++m_refusals >= mostRefusals)
        halt(message + u' ' + Text::tr("Labhelm has stopped trying; check the password, then connect again."));
    return m_halted ? *m_halted : Error{Error::Kind::Unauthorized, message, QStringLiteral("POST /access/ticket: 401")};
}
