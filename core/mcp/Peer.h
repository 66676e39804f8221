#pragma once
#include <QString>
#include <optional>
#include <sys/types.h>

/// Who is at the other end of a local socket, as the kernel tells. The uid decides; pid and program are hints, since
/// pids are reused and a program of the same user can pose as another.
struct Peer {
    uid_t uid = uid_t(-1);
    qint64 pid = 0; ///< of the connected program; 0 = unknown
    /// Of the program that started the connected one, as an agent starts its bridge; 0 and empty = unknown.
    qint64 behindPid = 0;
    QString behindProgram = {};

    /// Nullopt if the kernel does not tell.
    static std::optional<Peer> of(qintptr socket);
};
