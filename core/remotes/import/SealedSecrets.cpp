#include "remotes/import/SealedSecrets.h"
#include "base/StrictJson.h"
#include <QCoreApplication>
#include <QMessageAuthenticationCode>
#include <openssl/evp.h>

namespace
{
struct Text {
    Q_DECLARE_TR_FUNCTIONS(SealedSecrets)
};
constexpr int keyBytes = 32, blockBytes = 16, macBytes = 32, headBytes = 1 + 8 + blockBytes;

Error malformed()
{
    return {Error::Kind::Malformed, Text::tr("The file of secrets is not one of Proxmox-AIops.")};
}

QByteArray keyFrom(const Secret &password, const QByteArray &salt)
{
    QByteArray key(keyBytes, '\0');
    const auto &text = password.reveal();
    const int done =
        EVP_PBE_scrypt(text.constData(), static_cast<size_t>(text.size()),
                       reinterpret_cast<const unsigned char *>(salt.constData()), static_cast<size_t>(salt.size()),
                       1 << 15, 8, 1, 64 * 1024 * 1024, reinterpret_cast<unsigned char *>(key.data()), keyBytes);
    return done == 1 ? key : QByteArray();
}

/// AES-128 in CBC mode with padding; empty if it does not fit.
Secret decrypt(const QByteArray &key, const QByteArray &start, const QByteArray &sealed)
{
    const auto bytes = [](const QByteArray &text) { return reinterpret_cast<const unsigned char *>(text.constData()); };
    QByteArray plain(sealed.size() + blockBytes, '\0');
    auto *out = reinterpret_cast<unsigned char *>(plain.data());
    int first = 0, last = 0;
    const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(),
                                                                                  EVP_CIPHER_CTX_free);
    const bool fits =
        context && EVP_DecryptInit_ex(context.get(), EVP_aes_128_cbc(), nullptr, bytes(key), bytes(start)) == 1 &&
        EVP_DecryptUpdate(context.get(), out, &first, bytes(sealed), static_cast<int>(sealed.size())) == 1 &&
        EVP_DecryptFinal_ex(context.get(), out + first, &last) == 1;
    plain.truncate(fits ? first + last : 0);
    return Secret(std::move(plain));
}
}

Result<QMap<QString, Secret>> SealedSecrets::open(const QByteArray &file, const Secret &password)
{
    const auto json = StrictJson::parseObject(file);
    if (!json || json->value(QLatin1String("version")).toInteger() != 1)
        return malformed();
    const auto salt = QByteArray::fromBase64(json->value(QLatin1String("salt")).toString().toLatin1());
    const auto token = QByteArray::fromBase64(json->value(QLatin1String("ciphertext")).toString().toLatin1(),
                                              QByteArray::Base64UrlEncoding);
    if (salt.isEmpty() || token.size() < headBytes + blockBytes + macBytes || token[0] != '\x80')
        return malformed();
    auto key = keyFrom(password, salt);
    const auto signedPart = token.chopped(macBytes);
    const Secret mac(QMessageAuthenticationCode::hash(signedPart, key.left(keyBytes / 2), QCryptographicHash::Sha256));
    if (key.isEmpty() || !mac.equals(Secret(token.right(macBytes))))
        return Error{Error::Kind::Unauthorized, Text::tr("This master password does not open the file of secrets.")};
    const auto plain = decrypt(key.mid(keyBytes / 2), signedPart.mid(9, blockBytes), signedPart.mid(headBytes));
    Secret::overwrite(key);
    const auto names = StrictJson::parseObject(plain.reveal());
    if (!names)
        return malformed();
    QMap<QString, Secret> secrets;
    for (auto entry = names->begin(); entry != names->end(); ++entry)
        secrets.insert(entry.key(), Secret(entry.value().toString().toUtf8()));
    return secrets;
}
