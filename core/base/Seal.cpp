#include "base/Seal.h"
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
#include <array>

Secret Seal::newKey()
{
    std::array<quint32, 8> random{};
    QRandomGenerator::system()->fillRange(random.data(), qsizetype(random.size()));
    return Secret(QByteArray(reinterpret_cast<const char *>(random.data()), sizeof random).toHex());
}

QByteArray Seal::of(const QByteArray &text) const
{
    return QMessageAuthenticationCode::hash(text, m_key.reveal(), QCryptographicHash::Sha256).toHex();
}

bool Seal::fits(const QByteArray &text, const QByteArray &seal) const
{
    return Secret(of(text)).equals(Secret(seal));
}
