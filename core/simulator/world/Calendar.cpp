#include "simulator/world/Calendar.h"
#include <QDateTime>
#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace
{
/// The days and times of an event; an empty set stands for all.
struct Event {
    QSet<int> weekdays; ///< 1 = Monday
    QSet<int> months;
    QSet<int> monthDays;
    QSet<int> hours;
    QSet<int> minutes;
};

/// "1,3..5,*/15" within from … to; nullopt when it is not that.
std::optional<QSet<int>> numbers(const QString &text, int from, int to)
{
    static const QRegularExpression part(u"\\A(?:\\*|(\\d+)(?:\\.\\.(\\d+))?)(?:/(\\d+))?\\z"_s);
    QSet<int> all;
    for (const auto &piece : text.split(u',')) {
        const auto match = part.match(piece);
        if (!match.hasMatch())
            return std::nullopt;
        const bool open = match.captured(1).isEmpty();
        const auto step = match.captured(3).isEmpty() ? 1 : std::max(1, match.captured(3).toInt());
        const auto first = open ? from : match.captured(1).toInt();
        const auto last = !match.captured(2).isEmpty()           ? match.captured(2).toInt()
                          : open || !match.captured(3).isEmpty() ? to
                                                                 : first;
        for (int i = first; i <= std::min(last, to); i += step)
            all.insert(i);
    }
    return all;
}

std::optional<QSet<int>> weekdays(const QString &text)
{
    static const QStringList names{u"mon"_s, u"tue"_s, u"wed"_s, u"thu"_s, u"fri"_s, u"sat"_s, u"sun"_s};
    QSet<int> all;
    for (const auto &piece : text.toLower().split(u',')) {
        const auto first = names.indexOf(piece.section(u".."_s, 0, 0).left(3));
        const auto last = piece.contains(".."_L1) ? names.indexOf(piece.section(u".."_s, 1).left(3)) : first;
        if (first < 0 || last < 0)
            return std::nullopt;
        for (auto i = first;; i = (i + 1) % 7) {
            all.insert(int(i) + 1);
            if (i == last)
                break;
        }
    }
    return all;
}

QString spelledOut(const QString &event)
{
    static const QMap<QString, QString> words{{u"minutely"_s, u"*:*"_s},
                                              {u"hourly"_s, u"*:00"_s},
                                              {u"daily"_s, u"00:00"_s},
                                              {u"weekly"_s, u"mon 00:00"_s},
                                              {u"monthly"_s, u"*-*-1 00:00"_s},
                                              {u"yearly"_s, u"*-1-1 00:00"_s},
                                              {u"annually"_s, u"*-1-1 00:00"_s},
                                              {u"quarterly"_s, u"*-1,4,7,10-1 00:00"_s},
                                              {u"semiannually"_s, u"*-1,7-1 00:00"_s}};
    const auto trimmed = event.trimmed();
    return words.value(trimmed.toLower(), trimmed);
}

bool readTime(Event &event, const QString &text)
{
    // A number alone is a minute of every hour.
    const auto parts = text.split(u':');
    const auto hours = parts.size() > 1 ? numbers(parts[0], 0, 23) : std::optional(QSet<int>());
    const auto minutes = numbers(parts.size() > 1 ? parts[1] : parts[0], 0, 59);
    if (!hours || !minutes)
        return false;
    event.hours = *hours;
    event.minutes = *minutes;
    return true;
}

bool readDate(Event &event, const QString &text)
{
    const auto parts = text.split(u'-');
    const auto months = numbers(parts.value(parts.size() - 2), 1, 12);
    const auto days = numbers(parts.last(), 1, 31);
    if (!months || !days)
        return false;
    event.months = *months;
    event.monthDays = *days;
    return true;
}

std::optional<Event> parsed(const QString &text)
{
    Event event;
    event.hours = {0};
    event.minutes = {0};
    for (const auto &word : spelledOut(text).split(u' ', Qt::SkipEmptyParts)) {
        const bool time = word.contains(u':') || !word.contains(u'-');
        if (word.at(0).isLetter()) {
            const auto days = weekdays(word);
            if (!days)
                return std::nullopt;
            event.weekdays = *days;
        } else if (time ? !readTime(event, word) : !readDate(event, word)) {
            return std::nullopt;
        }
    }
    return event;
}

bool has(const QSet<int> &set, int value)
{
    return set.isEmpty() || set.contains(value);
}

bool isOn(const Event &event, const QDate &day)
{
    return has(event.weekdays, day.dayOfWeek()) && has(event.months, day.month()) && has(event.monthDays, day.day());
}

/// Looks at the minutes of a day in one direction.
std::optional<qint64> onDay(const Event &event, const QDate &day, qint64 from, qint64 to, bool forwards)
{
    const auto start = QDateTime(day, QTime(0, 0), Qt::UTC).toSecsSinceEpoch();
    for (int i = 0; i < 1440; ++i) {
        const auto minute = forwards ? i : 1439 - i;
        const auto time = start + minute * 60;
        if (time >= from && time <= to && has(event.hours, minute / 60) && has(event.minutes, minute % 60))
            return time;
    }
    return std::nullopt;
}

std::optional<qint64> search(const QString &text, qint64 moment, bool forwards)
{
    const auto event = parsed(text);
    if (!event)
        return std::nullopt;
    auto day = QDateTime::fromSecsSinceEpoch(moment, Qt::UTC).date();
    const auto from = forwards ? moment + 1 : 0;
    const auto to = forwards ? std::numeric_limits<qint64>::max() : moment;
    for (int i = 0; i < 732; ++i, day = day.addDays(forwards ? 1 : -1))
        if (isOn(*event, day))
            if (const auto found = onDay(*event, day, from, to, forwards))
                return found;
    return std::nullopt;
}
} // namespace

std::optional<qint64> Calendar::next(const QString &event, qint64 after)
{
    return search(event, after, true);
}

std::optional<qint64> Calendar::previous(const QString &event, qint64 until)
{
    return search(event, until, false);
}
