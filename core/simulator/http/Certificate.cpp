#include "simulator/http/Certificate.h"
#include <QDateTime>
#include <QJsonArray>
#include <QSsl>
#include <QUuid>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

namespace
{
template <auto release>
struct Release {
    template <class T>
    void operator()(T *pointer) const
    {
        release(pointer);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using Paper = std::unique_ptr<X509, Release<X509_free>>;
using Bytes = std::unique_ptr<BIO, Release<BIO_free_all>>;

bool addName(X509_NAME *name, const char *field, const QByteArray &value)
{
    const auto *text = reinterpret_cast<const unsigned char *>(value.constData());
    return X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, text, int(value.size()), -1, 0) == 1;
}

bool addExtension(X509 *paper, int id, const QByteArray &value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, paper, paper, nullptr, nullptr, 0);
    auto *extension = X509V3_EXT_conf_nid(nullptr, &context, id, value.constData());
    const bool added = extension && X509_add_ext(paper, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

Paper blank(EVP_PKEY *key, qint64 from, qint64 days)
{
    Paper paper(X509_new());
    quint64 serial = 0;
    if (!paper || RAND_bytes(reinterpret_cast<unsigned char *>(&serial), sizeof serial) != 1)
        return nullptr;
    X509_set_version(paper.get(), 2);
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(paper.get()), serial >> 1);
    ASN1_TIME_set(X509_getm_notBefore(paper.get()), from);
    ASN1_TIME_set(X509_getm_notAfter(paper.get()), from + days * 86400);
    X509_set_pubkey(paper.get(), key);
    return paper;
}

Paper makeAuthority(EVP_PKEY *key, qint64 from)
{
    auto paper = blank(key, from, 3650);
    if (!paper)
        return nullptr;
    auto *name = X509_get_subject_name(paper.get());
    const auto unit = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    const bool done = addName(name, "CN", "Proxmox Virtual Environment") && addName(name, "OU", unit) &&
                      addName(name, "O", "PVE Cluster Manager CA") && X509_set_issuer_name(paper.get(), name) == 1 &&
                      addExtension(paper.get(), NID_basic_constraints, "critical,CA:TRUE") &&
                      X509_sign(paper.get(), key, EVP_sha256()) > 0;
    return done ? std::move(paper) : nullptr;
}

Paper makeNode(const QByteArray &node, EVP_PKEY *key, X509 *authority, EVP_PKEY *authorityKey, qint64 from)
{
    auto paper = blank(key, from, 730);
    if (!paper)
        return nullptr;
    auto *name = X509_get_subject_name(paper.get());
    const bool done =
        addName(name, "OU", "PVE Cluster Node") && addName(name, "O", "Proxmox Virtual Environment") &&
        addName(name, "CN", node + ".homelab.test") &&
        X509_set_issuer_name(paper.get(), X509_get_subject_name(authority)) == 1 &&
        addExtension(paper.get(), NID_basic_constraints, "CA:FALSE") &&
        addExtension(paper.get(), NID_ext_key_usage, "serverAuth") &&
        addExtension(paper.get(), NID_subject_alt_name,
                     "IP:127.0.0.1,IP:::1,DNS:localhost,DNS:" + node + ",DNS:" + node + ".homelab.test") &&
        X509_sign(paper.get(), authorityKey, EVP_sha256()) > 0;
    return done ? std::move(paper) : nullptr;
}

QByteArray contents(BIO *bio)
{
    char *data = nullptr;
    const auto size = BIO_get_mem_data(bio, &data);
    return {data, qsizetype(size)};
}

QSslCertificate toQt(X509 *paper)
{
    const Bytes out(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(out.get(), paper);
    return QSslCertificate(contents(out.get()), QSsl::Pem);
}
} // namespace

QString Certificate::fingerprint() const
{
    return fingerprint(certificate);
}

QString Certificate::fingerprint(const QSslCertificate &certificate)
{
    return QString::fromLatin1(certificate.digest(QCryptographicHash::Sha256).toHex(':').toUpper());
}

Result<Certificate> Certificate::make(const QString &node, qint64 now)
{
    const Key authorityKey(EVP_EC_gen("P-256"));
    const Key key(EVP_EC_gen("P-256"));
    const auto authority = authorityKey ? makeAuthority(authorityKey.get(), now - 86400) : nullptr;
    const auto paper = authority && key
                           ? makeNode(node.toLatin1(), key.get(), authority.get(), authorityKey.get(), now - 86400)
                           : nullptr;
    if (!paper)
        return Error{Error::Kind::Internal, QStringLiteral("OpenSSL could not make a certificate"), {}};
    const Bytes out(BIO_new(BIO_s_mem()));
    PEM_write_bio_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    Certificate made{toQt(authority.get()), toQt(paper.get()), QSslKey(contents(out.get()), QSsl::Ec)};
    if (made.certificate.isNull() || made.key.isNull())
        return Error{Error::Kind::Internal, QStringLiteral("Qt could not read the certificate that OpenSSL made"), {}};
    return made;
}

QJsonObject Certificate::describe(bool ofAuthority) const
{
    const auto &paper = ofAuthority ? authority : certificate;
    const auto name = [](const QSslCertificate &of, bool issuer) {
        QString text;
        for (const auto *field : {"OU", "O", "CN"}) {
            const auto values = issuer ? of.issuerInfo(QByteArray(field)) : of.subjectInfo(QByteArray(field));
            if (!values.isEmpty())
                text += u'/' + QLatin1String(field) + u'=' + values.first();
        }
        return text;
    };
    QJsonArray names;
    for (const auto &alternative : paper.subjectAlternativeNames())
        names.append(alternative);
    return {{QLatin1String("filename"), ofAuthority ? QLatin1String("pve-root-ca.pem") : QLatin1String("pve-ssl.pem")},
            {QLatin1String("fingerprint"), fingerprint(paper)},
            {QLatin1String("issuer"), name(paper, true)},
            {QLatin1String("subject"), name(paper, false)},
            {QLatin1String("san"), names},
            {QLatin1String("notbefore"), paper.effectiveDate().toSecsSinceEpoch()},
            {QLatin1String("notafter"), paper.expiryDate().toSecsSinceEpoch()},
            {QLatin1String("public-key-type"), QLatin1String("id-ecPublicKey")},
            {QLatin1String("public-key-bits"), 256},
            {QLatin1String("pem"), QString::fromLatin1(paper.toPem())}};
}
