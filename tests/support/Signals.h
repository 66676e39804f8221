#pragma once
#include <QProcess>
#include <csignal>

/// Sends a signal to a program of the test; false when it has ended. Its number is 0 by then, and kill(0) would reach
/// the whole run.
inline bool signalTo(const QProcess &process, int signal)
{
    const auto pid = static_cast<pid_t>(process.processId());
    return pid > 0 && ::kill(pid, signal) == 0;
}
