#pragma once
#include "audit/Calls.h"
#include "store/Database.h"
#include <map>

/// How many calls began in each hour, by the word for the kind of actor ("" where nobody said): the table call_hour.
struct CallHours {
    static constexpr qint64 length = 3'600'000; ///< ms
    std::map<std::pair<qint64, QString>, qint64> counts;

    /// The hour of a time, also before 1970.
    static qint64 hourOf(qint64 ms);
    /// A call went from `before` (seq 0 = it was none) to `now`.
    void count(const ProjectedCall &before, const ProjectedCall &now);
    /// Adds what was counted to the table, in a transaction of the caller.
    Result<> addTo(Database &database) const;
    /// Whether the table says the same.
    Result<bool> isIn(Database &database) const;
};
