#include "activity/ActivityRow.h"
#include "base/DisplayText.h"
#include "widgets/GuestWords.h"
#include "widgets/Quantity.h"
#include "widgets/TaskWords.h"
#include "widgets/Wording.h"
#include <QCoreApplication>
#include <QSet>

static constexpr size_t mostRows = 40;

static QString words(const char *text)
{
    return QCoreApplication::translate("ActivityRow", text);
}

/// "62 % · 3 min left"; the rest of the time only once there is something to reckon from.
static QString progressWords(double fraction, qint64 elapsedMs)
{
    if (fraction < 0)
        return Quantity::duration(elapsedMs / 1000);
    auto text = Quantity::share(fraction);
    if (fraction > 0.05 && fraction < 1 && elapsedMs > 3000)
        text += words(QT_TRANSLATE_NOOP("ActivityRow", " · %1 left"))
                    .arg(Quantity::duration(
                        static_cast<qint64>(static_cast<double>(elapsedMs) * (1 - fraction) / fraction / 1000)));
    return text;
}

static ActivityRow rowOf(const ExecutionInfo &call, qint64 nowMs)
{
    ActivityRow row;
    row.key = call.callId;
    row.what = DisplayText::visible(call.headline);
    row.target = call.target.label;
    row.by = Wording::actor(call.actor);
    row.byTone = Wording::tone(call.actor);
    row.isRunning = call.endedMs == 0;
    row.callId = call.callId;
    row.upid = call.upid;
    row.toolTip = DisplayText::visible(call.error.isEmpty() ? call.progress.text : call.error);
    if (row.isRunning && call.state != CallState::Waiting) {
        row.fraction = call.progress.fraction;
        row.time = progressWords(row.fraction, nowMs - call.startedMs);
        row.mayStop = true;
        row.orderMs = call.startedMs;
        return row;
    }
    row.state = Wording::state(call.state);
    row.tone = Wording::tone(call.state);
    row.mayStop = row.isRunning;
    row.orderMs = row.isRunning ? call.startedMs : call.endedMs;
    row.time = row.isRunning ? Quantity::duration((nowMs - call.startedMs) / 1000)
                             : Quantity::duration((call.endedMs - call.startedMs) / 1000) + QStringLiteral(" · ") +
                                   Quantity::timeOfDay(call.endedMs, nowMs);
    return row;
}

/// The guest or other thing that a task is about, as far as the inventory knows it.
static QString targetOf(const TaskState &task, const InventorySnapshot &remote)
{
    if (const auto vmid = Vmid::from(task.upid.id))
        if (const auto *guest = remote.guest(*vmid))
            return GuestWords::name(*guest) + u' ' + guest->vmid.text();
    return task.upid.id.isEmpty() ? task.upid.node : DisplayText::visible(task.upid.id);
}

static ActivityRow rowOf(const TaskState &task, const InventorySnapshot &remote, qint64 nowMs)
{
    ActivityRow row;
    row.key = task.upid.text;
    row.what = TaskWords::what(task.upid);
    row.target = targetOf(task, remote);
    row.by = DisplayText::visible(task.user);
    row.isRunning = !task.endTime && remote.reach == InventorySnapshot::Reach::Live;
    row.upid = task.upid.text;
    row.toolTip = TaskWords::detail(task);
    const auto startedMs = task.startTime * 1000;
    if (row.isRunning) {
        row.time = progressWords(-1, std::max<qint64>(0, nowMs - startedMs));
        row.mayStop = true;
        row.orderMs = startedMs;
        return row;
    }
    row.state = task.endTime ? TaskWords::state(task) : Quantity::unknown();
    row.tone = task.endTime ? TaskWords::tone(task) : Tone::Neutral;
    row.orderMs = task.endTime.value_or(task.startTime) * 1000;
    if (task.endTime)
        row.time = Quantity::duration(*task.endTime - task.startTime) + QStringLiteral(" · ");
    row.time += Quantity::timeOfDay(row.orderMs, nowMs);
    return row;
}

std::vector<ActivityRow> activityRows(const std::vector<ExecutionInfo> &calls, const std::vector<InventoryPtr> &remotes,
                                      qint64 nowMs)
{
    std::vector<ActivityRow> rows;
    QSet<QString> ours;
    for (const auto &call : calls) {
        if (call.effect == Effect::Reads || call.isPreview)
            continue;
        rows.push_back(rowOf(call, nowMs));
        if (!call.upid.isEmpty())
            ours.insert(call.upid);
    }
    for (const auto &remote : remotes)
        for (const auto &task : remote->tasks)
            if (!ours.contains(task.upid.text))
                rows.push_back(rowOf(task, *remote, nowMs));
    std::stable_sort(rows.begin(), rows.end(), [](const ActivityRow &left, const ActivityRow &right) {
        if (left.isRunning != right.isRunning)
            return left.isRunning;
        return left.orderMs > right.orderMs;
    });
    if (rows.size() > mostRows)
        rows.resize(mostRows);
    return rows;
}
