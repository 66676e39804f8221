#pragma once
#include <QDeadlineTimer>
#include <QDir>
#include <QThread>

/// Qt's network threads are detached: who waits for one returns a moment before it is gone, and with it what OpenSSL
/// keeps for each thread. A program that exits in between would look as if it leaked.
inline void letThreadsEnd()
{
    const QDir threads(QStringLiteral("/proc/self/task"));
    for (const QDeadlineTimer limit(300);
         threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size() > 1 && !limit.hasExpired();)
        QThread::yieldCurrentThread();
}
