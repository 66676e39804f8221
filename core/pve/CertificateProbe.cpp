#include "pve/CertificateProbe.h"
#include "base/DisplayText.h"
#include "pve/ProxyChoice.h"
#include <QCoreApplication>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslSocket>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(CertificateProbe)
};

QString nameOf(const QSslCertificate &certificate, bool ofIssuer)
{
    for (const auto kind :
         {QSslCertificate::CommonName, QSslCertificate::OrganizationalUnitName, QSslCertificate::Organization}) {
        const auto names = ofIssuer ? certificate.issuerInfo(kind) : certificate.subjectInfo(kind);
        if (!names.isEmpty())
            return names.first();
    }
    return {};
}

CertificateFacts factsOf(const QSslCertificate &certificate)
{
    CertificateFacts facts;
    facts.sha256 = certificate.digest(QCryptographicHash::Sha256);
    facts.subject = nameOf(certificate, false);
    facts.issuer = nameOf(certificate, true);
    facts.hosts = certificate.subjectAlternativeNames().values();
    facts.hosts.sort();
    facts.validFrom = certificate.effectiveDate().toUTC();
    facts.validUntil = certificate.expiryDate().toUTC();
    facts.isSelfSigned = certificate.isSelfSigned();
    return facts;
}

Error unreachable(const Address &address, const QSslSocket &socket)
{
    const bool isTls = socket.error() == QAbstractSocket::SslHandshakeFailedError;
    auto why = Text::tr("nothing answers there");
    if (socket.error() == QAbstractSocket::HostNotFoundError)
        why = Text::tr("the name is not known to this computer");
    else if (socket.error() == QAbstractSocket::ConnectionRefusedError)
        why = Text::tr("nothing listens there (connection refused)");
    else if (const auto proxy = ProxyChoice::text(socket.proxy()); !proxy.isEmpty())
        why = Text::tr("the proxy %1 does not let it through").arg(proxy);
    else if (isTls || socket.state() == QAbstractSocket::ConnectedState)
        why = Text::tr("what listens there does not speak TLS");
    return {Error::Kind::Unreachable, Text::tr("%1 can't be reached: %2.").arg(address.text(), why),
            DisplayText::visible(socket.errorString().left(200))};
}
}

CertificateProbe::CertificateProbe(std::chrono::milliseconds limit) : m_limit(limit) {}

CertificateProbe::~CertificateProbe()
{
    auto jobs = std::exchange(m_jobs, {});
    for (auto &[id, job] : jobs) {
        Deadlines::ofThisThread().cancel(job->deadline);
        job->socket->disconnect(&m_home);
        job->socket->abort();
        job->socket.reset();
    }
}

Future<ShownChain> CertificateProbe::look(const Address &address)
{
    const auto proxy = ProxyChoice::to(address);
    if (!proxy)
        return ready<ShownChain>(proxy.error());
    const auto id = ++m_lastId;
    auto &job = *m_jobs.emplace(id, std::make_unique<Job>()).first->second;
    job.address = address;
    job.socket = std::make_unique<QSslSocket>();
    auto configuration = QSslConfiguration::defaultConfiguration();
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    configuration.setPeerVerifyMode(QSslSocket::VerifyPeer);
    job.socket->setSslConfiguration(configuration);
    job.socket->setProxy(*proxy);
    listen(id, job);
    job.deadline = Deadlines::ofThisThread().start(m_limit, [this, id] {
        auto &late = *m_jobs.at(id);
        late.deadline = 0;
        settle(id, Error{Error::Kind::Unreachable,
                         Text::tr("%1 can't be reached: it did not answer in time.").arg(late.address.text())});
    });
    auto future = job.promise.future();
    job.socket->connectToHostEncrypted(address.host, address.port, address.nameForServer());
    return future;
}

void CertificateProbe::listen(quint64 id, Job &job)
{
    auto *socket = job.socket.get();
    QObject::connect(socket, &QSslSocket::sslErrors, &m_home, [socket, &job](const QList<QSslError> &errors) {
        for (const auto &error : errors)
            job.doubts << error.errorString();
        job.doubts.removeDuplicates();
        socket->ignoreSslErrors(); // to see the handshake through; nothing is sent after it
    });
    QObject::connect(socket, &QSslSocket::encrypted, &m_home, [this, id, socket, &job] {
        ShownChain chain{job.address, {}, job.doubts};
        for (const auto &certificate : socket->peerCertificateChain())
            chain.certificates.push_back(factsOf(certificate));
        if (chain.certificates.empty())
            settle(id, unreachable(job.address, *socket));
        else
            settle(id, std::move(chain));
    });
    QObject::connect(socket, &QAbstractSocket::errorOccurred, &m_home,
                     [this, id, socket, &job] { settle(id, unreachable(job.address, *socket)); });
}

/// From within a signal of the socket, which must not die there.
void CertificateProbe::settle(quint64 id, Result<ShownChain> result)
{
    auto &job = *m_jobs.at(id);
    if (job.result)
        return;
    job.result.emplace(std::move(result));
    QMetaObject::invokeMethod(
        &m_home, [this, id] { deliver(id); }, Qt::QueuedConnection);
}

void CertificateProbe::deliver(quint64 id)
{
    auto job = std::move(m_jobs.extract(id).mapped());
    Deadlines::ofThisThread().cancel(job->deadline);
    job->socket->disconnect(&m_home);
    job->socket->abort();
    job->socket.reset();
    job->promise.finish(std::move(*job->result)); // last: this probe may be gone afterwards
}
