#include "pve/Lookup.h"
#include "pve/AnswerReader.h"
#include "pve/Client.h"
#include "pve/Connection.h"
#include "pve/Transport.h"

QCoro::Task<Result<ApiAnswer>> Lookup::get(QStringList segments, std::stop_token stop)
{
    ApiRequest request;
    request.segments = std::move(segments);
    return m_connection.client().send(std::move(request), std::move(stop));
}

QCoro::Task<Result<std::vector<Realm>>> Lookup::realms(std::stop_token stop)
{
    ApiRequest asked;
    asked.segments = QStringList{QStringLiteral("access"), QStringLiteral("domains")};
    HttpRequest request;
    request.path = asked.path();
    request.stop = stop;
    auto answer = co_await m_connection.transport().send(request).until(stop);
    if (!answer)
        co_return answer.error();
    const auto told = AnswerReader::read(asked, *answer);
    if (!told)
        co_return told.error();
    co_return Realm::listFrom(told->data);
}
