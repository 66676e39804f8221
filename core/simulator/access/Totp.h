#pragma once
#include <QByteArray>
#include <QString>
#include <optional>

/// A time-based one-time password of RFC 6238, as an "otpauth://totp/…" address describes it.
struct Totp {
    enum class Hash { Sha1, Sha256, Sha512 };
    QByteArray key;
    Hash hash = Hash::Sha1;
    int digits = 6;
    int period = 30;

    /// nullopt when the address is none or has no key.
    static std::optional<Totp> fromUri(const QString &uri);
    /// The code of a moment (seconds since the epoch).
    QString code(qint64 time) const { return codeOfStep(time / period); }
    /// The step that a code belongs to, among the current one and its neighbours; nullopt when it fits none.
    std::optional<qint64> step(const QString &code, qint64 time) const;

private:
    QString codeOfStep(qint64 step) const;
};
