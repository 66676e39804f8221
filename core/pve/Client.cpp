#include "pve/Client.h"
#include "pve/AnswerReader.h"
#include "pve/Session.h"
#include "pve/Transport.h"
#include <QCoreApplication>

namespace
{
/// What is longer is read on another thread, so that the window does not stall.
constexpr qsizetype readHere = 256 * 1024;

HttpRequest encode(const ApiRequest &request, const Session::Signature &signature, const std::stop_token &stop)
{
    HttpRequest made;
    made.method = request.method;
    made.path = request.path();
    made.headers = signature.headers;
    made.stop = stop;
    const auto form = request.form();
    if (request.method == Method::Post || request.method == Method::Put)
        made.body = form;
    else if (!form.isEmpty()) // PVE takes no body here (FACTS 114)
        made.path += '?' + form;
    return made;
}

/// A write that was let go of may still arrive.
Error unheard(const ApiRequest &request, Error error)
{
    if (request.isRead() || error.kind != Error::Kind::Cancelled)
        return error;
    return {Error::Kind::Unknown,
            QCoreApplication::translate(
                "Client", "Stopped while the change was on its way. Whether it took effect is not known."),
            methodName(request.method) + u' ' + QString::fromLatin1(request.path())};
}

bool isPastSignIn(int status)
{
    return status < 400 || status == 400 || status == 403 || status == 500;
}
}

Client::Client(Transport &transport, Session &session) : m_transport(transport), m_session(session) {}

QCoro::Task<Result<ApiAnswer>> Client::send(ApiRequest request, std::stop_token stop)
{
    if (auto problem = request.problem(); !problem.isEmpty())
        co_return Error{Error::Kind::Invalid, problem, request.describe()};
    auto answer = co_await exchange(request, stop);
    if (!answer)
        co_return answer.error();
    if (answer->body.size() <= readHere)
        co_return AnswerReader::read(request, *answer);
    auto understood = co_await readAway(request, std::move(*answer)).until(stop);
    if (!understood)
        co_return unheard(request, understood.error());
    co_return understood;
}

Future<ApiAnswer> Client::readAway(ApiRequest request, HttpAnswer answer)
{
    return m_reader.run<ApiAnswer>(
        [request = std::move(request), answer = std::move(answer)] { return AnswerReader::read(request, answer); });
}

QCoro::Task<Result<HttpAnswer>> Client::exchange(ApiRequest request, std::stop_token stop)
{
    for (bool again = false;; again = true) {
        auto signature = co_await m_session.sign(request.method, stop);
        if (!signature)
            co_return signature.error();
        if (stop.stop_requested())
            co_return Error{Error::Kind::Cancelled, QStringLiteral("Cancelled")};
        const auto http = encode(request, *signature, stop);
        auto answer = co_await m_transport.send(http).until(stop);
        if (!answer)
            co_return unheard(request, answer.error());
        if (answer->status != 401) {
            if (isPastSignIn(answer->status))
                m_session.accepted(signature->generation);
            co_return answer;
        }
        const bool mendable = m_session.refused(signature->generation);
        if (!mendable || !request.isRead() || again)
            co_return answer;
    }
}
