#pragma once
#include "execution/Execution.h"
#include "inventory/InventorySnapshot.h"
#include "widgets/Tones.h"

/// One line of the activity list: a call of Labhelm's, or a task that somebody else started. Text is safe to show.
struct ActivityRow {
    QString key; ///< stable while the row lives
    QString what, target, by;
    Tone byTone = Tone::Neutral;
    bool isRunning = false;
    double fraction = -1; ///< 0 … 1; negative = unknown
    QString state;        ///< "done", "failed" …; empty while it runs
    Tone tone = Tone::Neutral;
    QString time;    ///< "62 % · 3 min left", "4 s · 09:41"
    QString toolTip; ///< last line, error; plain text
    QString callId, upid;
    qint64 orderMs = 0;
    bool mayStop = false;
    bool operator==(const ActivityRow &) const = default;
};

/// Running first, then what ended last; `calls` are live and lately ended ones. A task that belongs to a call is shown
/// as that call. `nowMs` is wall time.
std::vector<ActivityRow> activityRows(const std::vector<ExecutionInfo> &calls, const std::vector<InventoryPtr> &remotes,
                                      qint64 nowMs);
