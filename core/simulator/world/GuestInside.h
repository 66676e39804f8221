#pragma once
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

/// What runs and lies inside of a virtual machine, as far as its agent shows it.
struct GuestInside {
    /// A program that was started through the agent.
    struct Process {
        int pid = 0;
        qint64 endsAtMs = 0; ///< milliseconds since the epoch
        int exitCode = 0;
        QString out;
        QString err;
    };
    QList<Process> processes;
    QMap<QString, QString> files;
    bool isFrozen = false;
    int lastPid = 151;
};
