#pragma once
#include "operations/TypedOperation.h"

// What the operations on metrics share: GET …/rrddata with a time frame.

/// {timeframe, points}; a point without values is a gap.
QCoro::Task<Result<QJsonValue>> readMetrics(OperationContext context, QString remote, ApiRequest request,
                                            QString timeframe, QString aggregate);

/// Adds the parameters "timeframe" and "aggregate" behind that of the target.
template <class Args>
std::vector<Field<Args>> withTimeframe(Field<Args> target)
{
    return {std::move(target),
            optional(&Args::timeframe, "timeframe", {QT_TRANSLATE_NOOP("operation", "How far back")},
                     {oneOf({"hour", "day", "week", "month", "year"})}),
            optional(&Args::aggregate, "aggregate",
                     {QT_TRANSLATE_NOOP("operation", "Average or maximum of each interval")},
                     {oneOf({"AVERAGE", "MAX"})})};
}
