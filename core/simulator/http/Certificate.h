#pragma once
#include "base/Result.h"
#include <QJsonObject>
#include <QSslCertificate>
#include <QSslKey>

/// A node's certificate, signed by a cluster authority that is made for the occasion.
struct Certificate {
    QSslCertificate authority;
    QSslCertificate certificate;
    QSslKey key;

    /// "AA:BB:…" of the SHA-256, as PVE shows it.
    QString fingerprint() const;
    static QString fingerprint(const QSslCertificate &certificate);
    /// As GET /nodes/{node}/certificates/info tells of the authority or of the node's own certificate.
    QJsonObject describe(bool ofAuthority) const;
    /// Makes key and certificate in memory; valid from a day before `now` (seconds since the epoch) for two years.
    static Result<Certificate> make(const QString &node, qint64 now);
};
