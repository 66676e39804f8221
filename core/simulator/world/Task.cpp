#include "simulator/world/Task.h"

QStringList Task::log(qint64 nowMs) const
{
    QStringList written;
    for (const auto &line : lines)
        if (startMs + line.after.count() <= nowMs)
            written.append(line.text);
    if (written.isEmpty())
        written.append(QStringLiteral("no content"));
    return written;
}
