#pragma once
#include <QList>
#include <QString>
#include <chrono>
#include <functional>

/// What a task will do: lines it writes on the way and what holds at its end.
struct TaskPlan {
    struct Line {
        std::chrono::milliseconds after; ///< since the start
        QString text;
    };
    QString node;
    QString type; ///< qmstart, vzdump …
    QString id;
    QString user; ///< user@realm or user@realm!token
    std::chrono::milliseconds duration{1000};
    QList<Line> lines;
    /// Runs when the worker starts; a text ends the task with it at once.
    std::function<QString()> begin = {};
    /// Runs at the end; empty = OK, "WARNINGS: 1" = done with warnings, other text = failed.
    std::function<QString()> finish = {};
    /// Runs when somebody stops the task.
    std::function<void()> interrupted = {};
};

/// A task of the simulated cluster, running or over.
struct Task {
    QString upid;
    QString node;
    QString type;
    QString id;
    QString user; ///< user@realm, without the token
    QString tokenId;
    int pid = 0;
    qint64 pstart = 0;
    qint64 startTime = 0; ///< seconds since the epoch
    qint64 endTime = 0;   ///< 0 = running
    qint64 startMs = 0;
    QString exitStatus; ///< empty while running
    QList<TaskPlan::Line> lines;
    TaskPlan plan;

    bool isRunning() const { return endTime == 0; }
    QString owner() const { return tokenId.isEmpty() ? user : user + u'!' + tokenId; }
    /// The log as a reader sees it at a moment (ms since the epoch).
    QStringList log(qint64 nowMs) const;
};
