#pragma once
#include <QByteArray>
#include <chrono>

namespace simulator
{
/// An answer ready to be written.
struct HttpAnswer {
    int status = 200;
    QByteArray reason = "OK"; ///< first line only
    QByteArray contentType;   ///< empty = no such header
    QByteArray contentEncoding;
    QByteArray disposition;
    QByteArray body;
    bool hasLength = true;         ///< some errors come without Content-Length
    QByteArray upstreamConnection; ///< a second Connection header of the daemon or node behind: "close", "Keep-Alive"
    bool close = false;
    std::chrono::milliseconds delay{0}; ///< 401 answers take 3 s
    bool none = false;                  ///< nothing at all is said: the connection closes
    std::chrono::milliseconds pace{0};  ///< above 0 it comes in steps, one each time
    qint64 step = 1;                    ///< bytes of a step
    qint64 filler = 0;                  ///< so many "x" stand between `body` and `tail`
    QByteArray tail;

    /// Status line, headers in PVE's order, body.
    QByteArray bytes(int minorVersion, bool keepAlive, qint64 nowMs) const;
    /// An error without a body and without a length, as before any formatting happened.
    static HttpAnswer bare(int status, const QByteArray &reason);
    /// An error with the reason as its plain text.
    static HttpAnswer plain(int status, const QByteArray &text);
};
}
using simulator::HttpAnswer; // pve or operations has one too, and tests link both
