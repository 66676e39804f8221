#include "base/Error.h"

QString Error::code(Kind kind)
{
    switch (kind) {
    case Kind::Invalid: return QStringLiteral("invalid");
    case Kind::NotFound: return QStringLiteral("not_found");
    case Kind::Ambiguous: return QStringLiteral("ambiguous");
    case Kind::Denied: return QStringLiteral("denied");
    case Kind::Conflict: return QStringLiteral("conflict");
    case Kind::Limited: return QStringLiteral("limited");
    case Kind::Unreachable: return QStringLiteral("unreachable");
    case Kind::Untrusted: return QStringLiteral("untrusted");
    case Kind::Unauthorized: return QStringLiteral("unauthorized");
    case Kind::Forbidden: return QStringLiteral("forbidden");
    case Kind::Rejected: return QStringLiteral("rejected");
    case Kind::Malformed: return QStringLiteral("malformed");
    case Kind::TaskFailed: return QStringLiteral("task_failed");
    case Kind::Unavailable: return QStringLiteral("unavailable");
    case Kind::Cancelled: return QStringLiteral("cancelled");
    case Kind::TimedOut: return QStringLiteral("timed_out");
    case Kind::Unknown: return QStringLiteral("unknown");
    case Kind::Internal: return QStringLiteral("internal");
    }
    Q_UNREACHABLE();
}
