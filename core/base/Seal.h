#pragma once
#include "base/Secret.h"

/// Shows whether a text is as whoever holds the key wrote it: HMAC with SHA-256.
class Seal
{
public:
    explicit Seal(Secret key) : m_key(std::move(key)) {}
    /// 256 random bits to seal with.
    static Secret newKey();
    QByteArray of(const QByteArray &text) const; ///< 64 hexadecimal digits
    bool fits(const QByteArray &text, const QByteArray &seal) const;

private:
    Secret m_key;
};
