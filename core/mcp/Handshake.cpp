#include "mcp/Handshake.h"
#include <QCoreApplication>
#include <QList>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
#include <QUrl>
#include <algorithm>
#include <array>

namespace
{
constexpr std::array refusalCodes{"version", "malformed", "unpaired", "proof", "locked", "busy", "late", "pairing"};
constexpr int nonceDigits = 64;
const QByteArray protocol = QByteArrayLiteral("LABHELM/1");

QString tr(const char *text)
{
    return QCoreApplication::translate("Handshake", text);
}

QByteArray freshNonce()
{
    std::array<quint32, 8> random;
    QRandomGenerator::system()->fillRange(random.data(), qsizetype(random.size()));
    return QByteArray(reinterpret_cast<const char *>(random.data()), sizeof random).toHex();
}

bool isHex(const QByteArray &text)
{
    return text.size() == nonceDigits && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

bool isId(const QByteArray &text)
{
    return !text.isEmpty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
    });
}

/// The side's name is part of it, so that one side's proof is never the other's.
QByteArray proof(const char *side, const Secret &key, const QString &id, const QByteArray &program,
                 const QByteArray &server)
{
    const auto text = protocol + ' ' + side + '\n' + id.toLatin1() + '\n' + program + '\n' + server;
    return QMessageAuthenticationCode::hash(text, key.reveal(), QCryptographicHash::Sha256).toHex();
}

Error refused(const QByteArray &code)
{
    if (code == "unpaired")
        return {Error::Kind::Denied, tr("Labhelm does not know this program. Pair it on the Agents page.")};
    if (code == "proof")
        return {Error::Kind::Denied, tr("The key does not fit. Labhelm was started anew, or the program was revoked.")};
    if (code == "locked")
        return {Error::Kind::Unavailable, tr("The keyring is locked, so Labhelm cannot check the key. Unlock it.")};
    if (code == "busy")
        return {Error::Kind::Limited, tr("Too many programs are connected to Labhelm.")};
    return {Error::Kind::Rejected, tr("Labhelm refused the connection."), QString::fromLatin1(code.left(40))};
}
} // namespace

QByteArray Handshake::refusalLine(Refusal refusal)
{
    return protocol + " refused " + refusalCodes[size_t(refusal)] + '\n';
}

std::optional<Handshake::Refusal> Handshake::ServerSide::hear(const QByteArray &line)
{
    const auto words = line.split(' ');
    if (words[0] != protocol)
        return Refusal::Version;
    if (words.size() == 4 && words[1] == "agent" && isId(words[2]) && isHex(words[3])) {
        m_hello = {QString::fromLatin1(words[2]), words[3], {}};
        return std::nullopt;
    }
    if (words.size() == 3 && words[1] == "pair") {
        m_hello = {{}, {}, QUrl::fromPercentEncoding(words[2]).left(60)};
        return std::nullopt;
    }
    return Refusal::Malformed;
}

QByteArray Handshake::ServerSide::challenge(const Secret &key)
{
    const auto nonce = freshNonce();
    m_expected = proof("program", key, m_hello.agentId, m_hello.nonce, nonce);
    return protocol + " challenge " + nonce + ' ' + proof("server", key, m_hello.agentId, m_hello.nonce, nonce) + '\n';
}

bool Handshake::ServerSide::isProof(const QByteArray &line) const
{
    const auto words = line.split(' ');
    return words.size() == 3 && words[0] == protocol && words[1] == "proof" && !m_expected.isEmpty() &&
           Secret(words[2]).equals(Secret(m_expected));
}

QByteArray Handshake::ServerSide::welcome(const QString &session)
{
    return protocol + " welcome " + session.toLatin1() + '\n';
}

Handshake::ProgramSide::ProgramSide(QString agentId, Secret key)
    : m_agentId(std::move(agentId)), m_key(std::move(key)), m_nonce(freshNonce())
{
}

QByteArray Handshake::ProgramSide::hello() const
{
    return protocol + " agent " + m_agentId.toLatin1() + ' ' + m_nonce + '\n';
}

Result<QByteArray> Handshake::ProgramSide::answer(const QByteArray &challenge) const
{
    const auto words = challenge.trimmed().split(' ');
    if (words.size() == 3 && words[0] == protocol && words[1] == "refused")
        return refused(words[2]);
    const bool isProven = words.size() == 4 && words[0] == protocol && words[1] == "challenge" && isHex(words[2]) &&
                          Secret(words[3]).equals(Secret(proof("server", m_key, m_agentId, m_nonce, words[2])));
    if (!isProven)
        return Error{Error::Kind::Untrusted, tr("Whoever answers at this socket has not proved to be Labhelm.")};
    return protocol + " proof " + proof("program", m_key, m_agentId, m_nonce, words[2]) + '\n';
}

Result<QString> Handshake::ProgramSide::welcomed(const QByteArray &line)
{
    const auto words = line.trimmed().split(' ');
    if (words.size() == 3 && words[0] == protocol && words[1] == "welcome")
        return QString::fromLatin1(words[2]);
    return refused(words.size() == 3 ? words[2] : QByteArray());
}
