#pragma once
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/types.h>
#include <unistd.h>

/// Makes writes to databases fail, and counts what goes to the disk. It stands before the C library: a program that
/// includes this in one file and exports its symbols (ENABLE_EXPORTS) has its SQLite go through here.
namespace FaultyDisk
{
inline std::atomic<int> error = 0;   ///< errno that a write or sync fails with; 0 = none
inline std::atomic<int> passing = 0; ///< so many writes still pass once an error is set
inline std::atomic<bool> syncsOnly = false;
inline std::atomic<long> writes = 0, syncs = 0;

inline bool isDatabase(int fd)
{
    char path[512];
    const auto length = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path, sizeof path - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return std::strstr(path, ".sqlite") != nullptr;
}

/// Whether this call has to fail; sets errno.
inline bool refuses(int fd, bool isSync)
{
    const bool isOurs = isDatabase(fd);
    if (isOurs)
        ++(isSync ? syncs : writes);
    if (!isOurs || error == 0 || (syncsOnly && !isSync) || (!syncsOnly && passing-- > 0))
        return false;
    errno = error;
    return true;
}

template <class Function>
Function next(const char *name)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// From now on: `after` writes pass, later ones fail.
inline void fail(int why, int after = 0)
{
    passing = after;
    error = why;
}
inline void heal()
{
    error = 0;
    syncsOnly = false;
}
} // namespace FaultyDisk

extern "C" {
__attribute__((visibility("default"))) ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    static const auto next = FaultyDisk::next<ssize_t (*)(int, const void *, size_t, off64_t)>("pwrite64");
    return FaultyDisk::refuses(fd, false) ? -1 : next(fd, data, size, at);
}
__attribute__((visibility("default"))) int fdatasync(int fd)
{
    static const auto next = FaultyDisk::next<int (*)(int)>("fdatasync");
    return FaultyDisk::refuses(fd, true) ? -1 : next(fd);
}
__attribute__((visibility("default"))) int fsync(int fd)
{
    static const auto next = FaultyDisk::next<int (*)(int)>("fsync");
    return FaultyDisk::refuses(fd, true) ? -1 : next(fd);
}
}
