#include "pages/timeline/TimelineWords.h"
#include "base/DisplayText.h"
#include "widgets/Wording.h"
#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

static QString tr(const char *text)
{
    return QCoreApplication::translate("TimelineWords", text);
}

QString TimelineWords::time(qint64 atMs)
{
    const auto at = QDateTime::fromMSecsSinceEpoch(atMs);
    const auto today = QDate::currentDate();
    if (at.date() == today)
        return at.time().toString(QStringLiteral("HH:mm:ss"));
    return at.date().year() == today.year() ? QLocale().toString(at, QStringLiteral("d MMM HH:mm"))
                                            : QLocale().toString(at.date(), QStringLiteral("d MMM yyyy"));
}

QString TimelineWords::fullTime(qint64 atMs)
{
    const auto at = QDateTime::fromMSecsSinceEpoch(atMs);
    const auto clock = at.time().toString(QStringLiteral("HH:mm:ss.zzz"));
    return at.date() == QDate::currentDate() ? clock
                                             : QLocale().toString(at.date(), QStringLiteral("d MMM yyyy ")) + clock;
}

QString TimelineWords::exactTime(qint64 atMs, int utcOffset)
{
    return QDateTime::fromMSecsSinceEpoch(atMs, QTimeZone(utcOffset)).toString(Qt::ISODateWithMs);
}

QString TimelineWords::what(const CallRow &row)
{
    const auto headline = DisplayText::visible(row.headline.isEmpty() ? row.operation : row.headline);
    switch (row.state) {
    case CallState::Waiting: return tr("Asks: %1").arg(headline);
    case CallState::Denied:
    case CallState::Refused:
    case CallState::Cancelled: return tr("Not done: %1").arg(headline);
    case CallState::Failed: return tr("Failed: %1").arg(headline);
    default: return headline;
    }
}

QString TimelineWords::outcome(const CallRow &row)
{
    return row.undoneBy.isEmpty() ? Wording::state(row.state) : tr("undone");
}

Tone TimelineWords::tone(const CallRow &row)
{
    return row.undoneBy.isEmpty() ? Wording::tone(row.state) : Tone::Neutral;
}

QString TimelineWords::took(const CallRow &row)
{
    if (row.endedMs <= 0)
        return {};
    const auto ms = std::max<qint64>(0, row.endedMs - row.atMs);
    if (ms < 1000)
        return tr("%1 ms").arg(ms);
    return ms < 60'000 ? tr("%1 s").arg(QLocale().toString(double(ms) / 1000, 'f', 1)) : Wording::duration(ms);
}
