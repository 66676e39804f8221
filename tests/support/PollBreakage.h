#pragma once
#include "support/PollSample.h"
#include <QRandomGenerator>

/// Breaks the answers of the sample at random, as a bad server or a bad line might.
namespace PollBreakage
{
/// Something that PVE should not have sent in this place.
inline QJsonValue oddValue(QRandomGenerator &dice, const QJsonValue &was)
{
    switch (dice.bounded(9)) {
    case 0: return QJsonValue(QJsonValue::Null);
    case 1: return QStringLiteral("");
    case 2: return QStringLiteral("unreadable");
    case 3: return was.isDouble() ? QJsonValue(was.toVariant().toString()) : QJsonValue(QStringLiteral("NaN"));
    case 4: return QJsonArray{was};
    case 5: return QJsonObject{{QStringLiteral("x"), was}};
    case 6: return -1;
    case 7: return was.isDouble() ? QJsonValue(1e300) : QJsonValue(true);
    default: return was.isDouble() ? QJsonValue(was.toDouble() + 0.125) : QJsonValue(false);
    }
}

inline QJsonArray brokenRows(const QJsonArray &whole, QRandomGenerator &dice, QStringList &what)
{
    auto rows = whole;
    const auto at = dice.bounded(int(rows.size()));
    auto row = rows[at].toObject();
    const auto keys = row.keys();
    if (keys.isEmpty() || dice.bounded(20) == 0) {
        what << QStringLiteral("row %1").arg(at);
        rows[at] = oddValue(dice, rows[at]);
        return rows;
    }
    const auto key = keys[dice.bounded(int(keys.size()))];
    // What is no lock is no lock: nobody can tell a lock that was dropped.
    const bool isOptional = key == QLatin1String("lock");
    if (dice.bounded(2) && !isOptional)
        row.remove(key);
    else if (row[key].isString() && key != QLatin1String("type") && !isOptional && dice.bounded(2))
        row[key] = dice.bounded(1000);
    else if (key != QLatin1String("type"))
        row[key] = isOptional ? QJsonValue(QJsonValue::Null) : oddValue(dice, row[key]);
    else
        row[key] = QJsonValue(QJsonValue::Null);
    what << QStringLiteral("row %1 %2=%3")
                .arg(at)
                .arg(key, QString::fromUtf8(QJsonDocument(QJsonArray{row[key]}).toJson(QJsonDocument::Compact)));
    rows[at] = row;
    return rows;
}

inline PollAnswers broken(QRandomGenerator &dice, int faults, QStringList &what)
{
    auto made = PollSample::answers();
    for (int i = 0; i < faults; ++i) {
        switch (dice.bounded(12)) {
        case 0: made.version = oddValue(dice, made.version); break;
        case 1: made.status = oddValue(dice, QJsonValue()); break;
        case 2: made.tasks = oddValue(dice, QJsonValue()); break;
        case 3: made.resources = dice.bounded(4) ? made.resources : oddValue(dice, QJsonValue()); break;
        case 4: made.permissions = oddValue(dice, QJsonValue()); break;
        case 5:
        case 6:
            if (made.status && !made.status->toArray().isEmpty())
                made.status = QJsonValue(brokenRows(made.status->toArray(), dice, what));
            break;
        case 7:
        case 8:
            if (made.tasks && !made.tasks->toArray().isEmpty())
                made.tasks = QJsonValue(brokenRows(made.tasks->toArray(), dice, what));
            break;
        default:
            if (!made.resources.toArray().isEmpty())
                made.resources = brokenRows(made.resources.toArray(), dice, what);
        }
    }
    return made;
}
}
