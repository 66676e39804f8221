#pragma once
#include <QtGlobal>
#include <chrono>

/// How long each part of an exchange may take, how long an answer may be, and how much runs at once.
struct HttpLimits {
    std::chrono::milliseconds connect{5'000};    ///< name, TCP and TLS together
    std::chrono::milliseconds firstByte{15'000}; ///< of a read, after it was sent
    /// Of a write. PVE itself gives up on a call to another node after 30 s and answers 596 (FACTS 605); giving up
    /// earlier would turn a failure it is about to tell into an unknown.
    std::chrono::milliseconds firstByteOfWrite{45'000};
    std::chrono::milliseconds idle{20'000};  ///< between two pieces of an answer
    std::chrono::milliseconds total{60'000}; ///< from the moment it leaves the queue
    std::chrono::milliseconds queue{30'000}; ///< waiting for a connection; nothing is sent then
    qint64 answerBytes = 32 * 1024 * 1024;   ///< unpacked; reading stops there
    int reads = 12;                          ///< at once; a stalled node must not hold up the others
    int writes = 8;                          ///< at once
    int idleConnections = 6;                 ///< kept open for the next request
};
