#include "simulator/http/WebSocketFrames.h"
#include <QCryptographicHash>
#include <QtEndian>

std::optional<WebSocketFrames::Frame> WebSocketFrames::take(QByteArray &buffer)
{
    if (buffer.size() < 2)
        return std::nullopt;
    const auto first = quint8(buffer[0]);
    const auto second = quint8(buffer[1]);
    const bool whole = first & 0x80;
    const bool masked = second & 0x80;
    if (!whole || !masked || (first & 0x70))
        return Frame{Opcode(first & 15), {}, true};
    qsizetype head = 2;
    quint64 length = second & 0x7f;
    const qsizetype more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (buffer.size() < head + more)
        return std::nullopt;
    if (more == 2)
        length = qFromBigEndian<quint16>(buffer.constData() + head);
    if (more == 8)
        length = qFromBigEndian<quint64>(buffer.constData() + head);
    if (length > quint64(longest))
        return Frame{Opcode(first & 15), {}, true};
    head += more + 4;
    if (buffer.size() < head + qsizetype(length))
        return std::nullopt;
    Frame frame{Opcode(first & 15), buffer.mid(head, qsizetype(length)), false};
    for (qsizetype i = 0; i < frame.payload.size(); ++i)
        frame.payload[i] = char(frame.payload[i] ^ buffer[head - 4 + i % 4]);
    buffer.remove(0, head + qsizetype(length));
    return frame;
}

QByteArray WebSocketFrames::frame(Opcode opcode, const QByteArray &payload)
{
    QByteArray bytes;
    bytes.append(char(0x80 | int(opcode)));
    if (payload.size() < 126) {
        bytes.append(char(payload.size()));
    } else {
        bytes.append(char(126));
        bytes.append(char(payload.size() >> 8)).append(char(payload.size() & 255));
    }
    return bytes + payload;
}

QByteArray WebSocketFrames::acceptKey(const QByteArray &key)
{
    return QCryptographicHash::hash(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", QCryptographicHash::Sha1).toBase64();
}
