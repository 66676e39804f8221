#pragma once
#include <QDir>
#include <malloc.h>

extern "C" __attribute__((weak)) size_t __sanitizer_get_current_allocated_bytes();

/// Bytes that this process has allocated and not freed; what allocators keep in reserve does not count.
inline qint64 liveHeapBytes()
{
    if (__sanitizer_get_current_allocated_bytes)
        return qint64(__sanitizer_get_current_allocated_bytes());
    const auto use = ::mallinfo2();
    return qint64(use.uordblks + use.hblkhd);
}

/// How many files, sockets and pipes this process holds open.
inline int openDescriptors()
{
    return int(
        QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System).size());
}
