#pragma once
#include "base/Result.h"
#include "base/Secret.h"
#include <QByteArray>
#include <optional>

/// The few lines before any JSON. Each side proves that it has the agent's key by an HMAC-SHA-256 over both nonces, the
/// server first: who squats on the socket sees an id and a nonce, and a recorded proof fits no other connection.
///
///   program: LABHELM/1 agent <id> <nonce>        or: LABHELM/1 pair <name, percent-encoded>
///   server:  LABHELM/1 challenge <nonce> <proof>
///   program: LABHELM/1 proof <proof>
///   server:  LABHELM/1 welcome <session>          or, at any point: LABHELM/1 refused <code>
namespace Handshake
{
constexpr int longestLine = 512;

/// Why a program is not let in; the bridge has words for each.
enum class Refusal {
    Version,   ///< "version": the first word is not LABHELM/1
    Malformed, ///< "malformed"
    Unpaired,  ///< "unpaired": no agent of this id
    Proof,     ///< "proof": the key is not the agent's
    Locked,    ///< "locked": the keyring cannot be read now
    Busy,      ///< "busy": too many connections
    Late,      ///< "late": it took longer than 10 s
    Pairing    ///< "pairing": asked to be paired; a person has to do it in the window
};
QByteArray refusalLine(Refusal refusal);

/// The first line of a program. An empty id asks to be paired.
struct Hello {
    QString agentId;
    QByteArray nonce; ///< 64 hexadecimal digits
    QString name;     ///< text from outside, at most 60 characters
};

/// The server's part of one handshake.
class ServerSide
{
public:
    /// The refusal on the wrong side if the line is none.
    std::optional<Refusal> hear(const QByteArray &line);
    const Hello &hello() const { return m_hello; }
    /// The second line, with the server's own proof.
    QByteArray challenge(const Secret &key);
    bool isProof(const QByteArray &line) const;
    static QByteArray welcome(const QString &session);

private:
    Hello m_hello;
    QByteArray m_expected;
};

/// A program's part, for labhelm-cli; the bridge has its own.
class ProgramSide
{
public:
    ProgramSide(QString agentId, Secret key);
    QByteArray hello() const;
    /// The third line. Untrusted: whoever answered has not proved to be Labhelm; Denied and others: it was refused.
    Result<QByteArray> answer(const QByteArray &challenge) const;
    /// The session's id, from the last line.
    static Result<QString> welcomed(const QByteArray &line);

private:
    QString m_agentId;
    Secret m_key;
    QByteArray m_nonce;
};
}
