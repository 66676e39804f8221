#pragma once
#include "base/Result.h"
#include <QString>

/// A task's unique id, taken apart. UPID:node:pid:pstart:starttime:type:id:user: (FACTS "Tasks").
struct Upid {
    QString text; ///< whole, ends with ':'
    QString node;
    QString type;         ///< qmstart, vzdump …
    QString id;           ///< often a vmid; may be empty
    QString user;         ///< user@realm, without the token
    QString tokenId;      ///< empty unless a token started it
    qint64 startTime = 0; ///< seconds since the epoch, the server's clock

    /// Refuses anything that is not exactly one UPID, also with '/' or a line break inside.
    static Result<Upid> from(const QString &text);
    bool operator==(const Upid &other) const { return text == other.text; }
};
