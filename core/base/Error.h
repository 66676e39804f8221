#pragma once
#include <QString>

/// Why something failed. `kind` drives codes and colours, `message` is for people, `detail` is for logs; none holds a
/// secret.
struct Error {
    enum class Kind {
        Invalid,      ///< bad arguments; nothing was sent
        NotFound,     ///< the target is unknown to us or to the server
        Ambiguous,    ///< several targets fit; the message names them
        Denied,       ///< policy or a person said no; nothing was sent
        Conflict,     ///< the live state forbids it (lock, protection, drift)
        Limited,      ///< a rate or budget of ours was reached; nothing was sent
        Unreachable,  ///< no connection; nothing was sent
        Untrusted,    ///< a certificate, host key or kept file is not the one that was trusted; nothing was sent
        Unauthorized, ///< 401: the server does not accept the credential
        Forbidden,    ///< 403: the credential lacks a privilege
        Rejected,     ///< the server answered with another error
        Malformed,    ///< the answer is not what the protocol promises
        TaskFailed,   ///< the task ran and ended with an error
        Unavailable,  ///< keyring, database or another local service is locked or missing
        Cancelled,    ///< the caller stopped it
        TimedOut,     ///< no answer in time
        Unknown,      ///< it was sent and nobody knows whether it took effect
        Internal      ///< a fault of ours
    };
    Kind kind = Kind::Internal;
    QString message;
    QString detail = {};

    /// A stable lower-case word for the kind, for machines: "not_found", "task_failed" …
    static QString code(Kind kind);
    QString code() const { return code(kind); }
};
