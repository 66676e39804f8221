#include "widgets/Quantity.h"
#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <array>
#include <cmath>

namespace Quantity
{
static QString words(const char *text, int count = -1)
{
    return QCoreApplication::translate("Quantity", text, nullptr, count);
}

/// No decimals above a hundred, and no empty ones: "9.1", "16", "512".
static QString figures(double number, int decimals)
{
    if (number >= 99.95)
        decimals = 0;
    for (auto text = QString::number(number, 'f', decimals); decimals > 0 && text.endsWith(u'0'); text.chop(1))
        --decimals;
    return QLocale().toString(number, 'f', decimals);
}

static QString scaled(double number, double step, const std::array<const char *, 5> &units, int decimals,
                      int *chosen = nullptr)
{
    int unit = 0;
    while (number >= step * 0.9995 && unit < 4) {
        number /= step;
        ++unit;
    }
    if (chosen)
        *chosen = unit;
    return figures(number, decimals) + QChar(0xa0) + QLatin1String(units[static_cast<size_t>(unit)]);
}

static constexpr std::array<const char *, 5> binary{"B", "KiB", "MiB", "GiB", "TiB"};
static constexpr std::array<const char *, 5> decimal{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};

QString bytes(qint64 bytes)
{
    return scaled(static_cast<double>(bytes), 1024, binary, 2);
}

QString bytes(std::optional<qint64> maybe)
{
    return maybe ? bytes(*maybe) : unknown();
}

QString bytesOf(qint64 used, qint64 whole)
{
    int unitOfUsed = 0, unitOfWhole = 0;
    auto part = scaled(static_cast<double>(used), 1024, binary, 1, &unitOfUsed);
    const auto all = scaled(static_cast<double>(whole), 1024, binary, 1, &unitOfWhole);
    if (unitOfUsed == unitOfWhole)
        part = part.section(QChar(0xa0), 0, 0);
    return words(QT_TRANSLATE_NOOP("Quantity", "%1 of %2")).arg(part, all);
}

QString rate(double bytesPerSecond)
{
    return scaled(bytesPerSecond, 1000, decimal, 1);
}

QString share(double part)
{
    const auto percent = part * 100;
    return QLocale().toString(percent, 'f', percent > 0 && percent < 9.95 && percent != qRound(percent) ? 1 : 0) +
           QChar(0xa0) + u'%';
}

QString duration(qint64 seconds)
{
    if (seconds >= 2 * 86400)
        return words(QT_TRANSLATE_NOOP("Quantity", "%1 days")).arg(seconds / 86400);
    if (seconds >= 3600)
        return words(QT_TRANSLATE_NOOP("Quantity", "%1 h %2 min")).arg(seconds / 3600).arg(seconds % 3600 / 60);
    if (seconds >= 60)
        return words(QT_TRANSLATE_NOOP("Quantity", "%1 min")).arg(seconds / 60);
    return words(QT_TRANSLATE_NOOP("Quantity", "%1 s")).arg(seconds);
}

QString ago(qint64 wallMs, qint64 nowMs)
{
    const auto seconds = (nowMs - wallMs) / 1000;
    if (seconds < 5)
        return words(QT_TRANSLATE_NOOP("Quantity", "just now"));
    return words(QT_TRANSLATE_NOOP("Quantity", "%1 ago")).arg(duration(seconds));
}

QString moment(qint64 wallMs)
{
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(wallMs), QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString timeOfDay(qint64 wallMs, qint64 nowMs)
{
    const auto then = QDateTime::fromMSecsSinceEpoch(wallMs);
    const auto today = QDateTime::fromMSecsSinceEpoch(nowMs).date();
    return QLocale().toString(then, then.date() == today ? QStringLiteral("HH:mm") : QStringLiteral("d MMM HH:mm"));
}

QString unknown()
{
    return words(QT_TRANSLATE_NOOP("Quantity", "unknown"));
}
}
