#pragma once
#include "base/Result.h"
#include "base/Secret.h"
#include <QStringList>

/// What PVE wants to see besides the password before it gives a ticket (FACTS "TFA").
struct SecondFactor {
    enum class Kind { Totp, Recovery, Yubico };

    Secret challenge;   ///< goes back with the answer
    QList<Kind> kinds;  ///< those that can be typed; empty: only a key that is plugged into a browser will do
    qint64 askedMs = 0; ///< monotonic

    /// From the ticket "PVE:!tfa!{…}:TIME::SIGNATURE". Malformed if it is none.
    static Result<SecondFactor> fromTicket(const QString &ticket);
    /// "totp:123456": what is sent as the password. Spaces in a code, as people copy it, are dropped.
    static Secret answer(Kind kind, const Secret &code);
};
