#include "operations/Metrics.h"

QCoro::Task<Result<QJsonValue>> readMetrics(OperationContext context, QString remote, ApiRequest request,
                                            QString timeframe, QString aggregate)
{
    request.add("timeframe", timeframe);
    request.add("cf", aggregate);
    auto answer = co_await getArray(std::move(context), std::move(remote), std::move(request));
    if (!answer)
        co_return answer.error();
    QJsonObject metrics{{QStringLiteral("timeframe"), timeframe}, {QStringLiteral("points"), *answer}};
    co_return QJsonValue(metrics);
}
