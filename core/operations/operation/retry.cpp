#include "operations/Families.h"
#include "operations/TypedOperation.h"

namespace
{
/// Runs a failed call again. The executor puts that call in its place, with its own effect and a new plan.
struct OperationRetry {
    QString entry;
};
} // namespace

Operations retries()
{
    return list(operation<OperationRetry>({
        .id = "operation.retry",
        .title = {QT_TRANSLATE_NOOP("operation", "Run again")},
        .summary = {QT_TRANSLATE_NOOP("operation",
                                      "Runs a call that has failed again, from its plan on: it is judged and "
                                      "approved anew. What may have taken effect is never run again.")},
        .effect = Effect::Changes,
        .params = {required(&OperationRetry::entry, "entry",
                            {QT_TRANSLATE_NOOP("operation", "The failed entry, as audit.search names it")},
                            {longest(64)})},
        .retriedEntry = &OperationRetry::entry,
    }));
}
