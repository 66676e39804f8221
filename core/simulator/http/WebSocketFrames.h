#pragma once
#include <QByteArray>
#include <optional>

/// Frames of RFC 6455 as PVE's proxy takes them: masked, in one piece, at most 128 KiB.
namespace WebSocketFrames
{
enum class Opcode { Text = 1, Binary = 2, Close = 8, Ping = 9, Pong = 10 };
/// One frame as it came.
struct Frame {
    Opcode opcode = Opcode::Binary;
    QByteArray payload;
    bool isBroken = false; ///< nothing that the proxy takes
};
constexpr qint64 longest = 128 * 1024;

/// Takes the first whole frame of what has come; nullopt while there is none.
std::optional<Frame> take(QByteArray &buffer);
/// A frame as a server sends it.
QByteArray frame(Opcode opcode, const QByteArray &payload);
/// The answer to a client's key.
QByteArray acceptKey(const QByteArray &key);
} // namespace WebSocketFrames
