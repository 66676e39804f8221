#pragma once
#include "base/Promise.h"
#include "remotes/Address.h"
#include <QDateTime>
#include <QObject>
#include <QStringList>
#include <map>
#include <memory>
#include <vector>

class QSslSocket;

/// One certificate as a person judges it. The names in it are text from outside.
struct CertificateFacts {
    QByteArray sha256;               ///< 32 bytes; Fingerprint::text shows them
    QString subject, issuer;         ///< common name, or what stands for it; empty if it names none
    QStringList hosts;               ///< names and addresses that it is for
    QDateTime validFrom, validUntil; ///< UTC
    bool isSelfSigned = false;
};

/// What a server showed when it was asked who it is.
struct ShownChain {
    Address address;
    std::vector<CertificateFacts> certificates; ///< the server's own first
    QStringList doubts; ///< in words, why this computer does not trust it for this host; empty: it does
    bool isTrusted() const { return doubts.isEmpty(); }
    const CertificateFacts &own() const { return certificates.front(); }
};

/// Asks servers for their certificates and hangs up: not one byte of a request is sent. Owner's thread only.
class CertificateProbe
{
public:
    explicit CertificateProbe(std::chrono::milliseconds limit = std::chrono::seconds(10));
    /// Who still waits gets Cancelled.
    ~CertificateProbe();
    /// Unreachable: nothing there, or nothing that speaks TLS. The chain has at least one certificate.
    Future<ShownChain> look(const Address &address);

private:
    struct Job {
        Address address;
        Promise<ShownChain> promise;
        std::unique_ptr<QSslSocket> socket;
        std::optional<Result<ShownChain>> result;
        QStringList doubts;
        int deadline = 0;
    };
    void listen(quint64 id, Job &job);
    void settle(quint64 id, Result<ShownChain> result);
    void deliver(quint64 id);

    const std::chrono::milliseconds m_limit;
    std::map<quint64, std::unique_ptr<Job>> m_jobs;
    quint64 m_lastId = 0;
    QObject m_home; ///< receives what must run on a clean stack
};
