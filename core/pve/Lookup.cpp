#include "pve/Lookup.h"
#include "pve/Client.h"
#include "pve/Connection.h"

QCoro::Task<Result<ApiAnswer>> Lookup::get(QStringList segments, std::stop_token stop)
{
    ApiRequest request;
    request.segments = std::move(segments);
    return m_connection.client().send(std::move(request), std::move(stop));
}
