#include "simulator/access/Totp.h"
#include <QMessageAuthenticationCode>
#include <QUrl>
#include <QUrlQuery>
#include <QtEndian>

namespace
{
/// RFC 4648 without padding; nullopt on a character outside its alphabet.
std::optional<QByteArray> fromBase32(const QString &text)
{
    QByteArray bytes;
    quint32 buffer = 0;
    int bits = 0;
    for (const auto c : text.toUpper()) {
        if (c == u'=')
            continue;
        const int value = c >= u'A' && c <= u'Z'   ? c.unicode() - u'A'
                          : c >= u'2' && c <= u'7' ? c.unicode() - u'2' + 26
                                                   : -1;
        if (value < 0)
            return std::nullopt;
        buffer = (buffer << 5) | quint32(value);
        bits += 5;
        if (bits >= 8) {
            bits -= 8;
            bytes.append(char(buffer >> bits));
            buffer &= (1U << bits) - 1;
        }
    }
    return bytes;
}
} // namespace

std::optional<Totp> Totp::fromUri(const QString &uri)
{
    const QUrl url(uri);
    if (url.scheme() != "otpauth" || url.host() != "totp")
        return std::nullopt;
    const QUrlQuery query(url);
    const auto key = fromBase32(query.queryItemValue("secret"));
    if (!key || key->isEmpty())
        return std::nullopt;
    Totp totp;
    totp.key = *key;
    const auto number = [&query](const char *name, int usual) {
        bool ok = false;
        const auto value = query.queryItemValue(name).toInt(&ok);
        return ok && value > 0 ? value : usual;
    };
    totp.digits = number("digits", 6);
    totp.period = number("period", 30);
    const auto algorithm = query.queryItemValue("algorithm").toUpper();
    totp.hash = algorithm == "SHA256" ? Hash::Sha256 : algorithm == "SHA512" ? Hash::Sha512 : Hash::Sha1;
    return totp;
}

QString Totp::codeOfStep(qint64 step) const
{
    const auto method = hash == Hash::Sha256   ? QCryptographicHash::Sha256
                        : hash == Hash::Sha512 ? QCryptographicHash::Sha512
                                               : QCryptographicHash::Sha1;
    QByteArray counter(8, '\0');
    qToBigEndian(quint64(step), counter.data());
    const auto mac = QMessageAuthenticationCode::hash(counter, key, method);
    const auto number = qFromBigEndian<quint32>(mac.constData() + (mac.back() & 15)) & 0x7fffffff;
    return QString::number(number).rightJustified(digits, u'0').right(digits);
}

std::optional<qint64> Totp::step(const QString &code, qint64 time) const
{
    for (const auto step : {time / period, time / period - 1, time / period + 1})
        if (codeOfStep(step) == code)
            return step;
    return std::nullopt;
}
