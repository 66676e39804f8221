#include "pve/TaskAnswers.h"
#include "model/PveValue.h"
#include <QJsonArray>
#include <QRegularExpression>

TaskEnd TaskAnswers::end(const QString &exitStatus)
{
    static const QRegularExpression warnings(
        QRegularExpression::anchoredPattern(QStringLiteral("WARNINGS: ([0-9]{1,9})")));
    if (exitStatus == QLatin1String("OK"))
        return {TaskEnd::How::Ok, exitStatus};
    if (const auto match = warnings.match(exitStatus); match.hasMatch())
        return {TaskEnd::How::Warnings, exitStatus, match.captured(1).toInt()};
    return {TaskEnd::How::Failed, exitStatus};
}

bool TaskAnswers::isLost(const QString &exitStatus)
{
    return exitStatus.isEmpty() || exitStatus == QLatin1String("unexpected status") ||
           exitStatus.startsWith(QLatin1String("unable to read tail")) ||
           exitStatus.startsWith(QLatin1String("unable to open file"));
}

std::optional<double> TaskAnswers::fraction(const QString &line)
{
    static const QRegularExpression percentage(QStringLiteral("(?<![0-9.])([0-9]{1,3}(?:\\.[0-9]+)?) ?%"));
    std::optional<double> found;
    for (auto matches = percentage.globalMatch(line); matches.hasNext();) {
        const auto percent = matches.next().captured(1).toDouble();
        if (percent <= 100)
            found = percent / 100;
    }
    return found;
}

TaskAnswers::LogPage TaskAnswers::log(const QJsonValue &data, const QJsonObject &beside, qint64 start)
{
    LogPage page;
    page.next = start;
    page.total = PveValue::integer(beside, "total").value_or(0);
    const auto lines = data.toArray();
    for (const auto &entry : lines) {
        const auto line = entry.toObject();
        const auto number = PveValue::integer(line, "n");
        const auto text = line[QLatin1String("t")].toString();
        const bool standsForNone =
            lines.size() == 1 && page.total <= 1 &&
            (text == QLatin1String("no content") || text.startsWith(QLatin1String("unable to open file")));
        if (!number || standsForNone)
            continue;
        page.next = qMax(page.next, *number);
        if (const auto part = fraction(text))
            page.said.fraction = *part;
        if (!text.trimmed().isEmpty())
            page.said.lastLine = text;
    }
    return page;
}
