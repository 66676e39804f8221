#include "simulator/api/Routes.h"
#include "simulator/world/Calendar.h"
#include <QDateTime>
#include <QJsonArray>

using namespace Qt::StringLiterals;

/// The next times of a calendar event.
static ApiAnswer analyze(Call &call)
{
    const auto count = call.given.integer(u"iterations"_s).value_or(10);
    auto time = call.given.integer(u"starttime"_s).value_or(call.world.now());
    QJsonArray rows;
    while (rows.size() < count) {
        const auto next = Calendar::next(call.text("schedule"), time);
        if (!next)
            break;
        time = *next;
        const auto utc =
            QLocale::c().toString(QDateTime::fromSecsSinceEpoch(time, Qt::UTC), u"ddd MMM d HH:mm:ss yyyy"_s);
        rows.append(QJsonObject{{"timestamp"_L1, time}, {"utc"_L1, utc}});
    }
    return ApiAnswer::ok(rows);
}

static ApiAnswer index(Call &)
{
    return ApiAnswer::ok(
        QJsonArray{QJsonObject{{"subdir"_L1, u"schedule-analyze"_s}}, QJsonObject{{"subdir"_L1, u"realm-sync"_s}}});
}

void calls::addSchedules(Routes &routes)
{
    routes.add("GET /cluster/jobs", index);
    routes.add("GET /cluster/jobs/schedule-analyze", analyze);
}
