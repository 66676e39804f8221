#include "operations/Findings.h"
#include "operations/Words.h"
#include <cmath>

double oneDecimal(double value)
{
    return std::round(value * 10) / 10;
}

std::optional<double> percent(std::optional<qint64> part, std::optional<qint64> whole)
{
    if (!part || !whole || *whole <= 0)
        return std::nullopt;
    return oneDecimal(double(*part) * 100 / double(*whole));
}

static QJsonObject mendJson(const Mend &mend)
{
    QJsonObject json{{QStringLiteral("why"), mend.why}};
    if (!mend.operation.isEmpty())
        json.insert(QStringLiteral("operation"), mend.operation);
    if (!mend.arguments.isEmpty())
        json.insert(QStringLiteral("arguments"), mend.arguments);
    return json;
}

void Findings::measure(const QString &remote, const QString &target, const Measure &measure, const Mend &mend)
{
    if (measure.value < measure.warning)
        return;
    const bool isCritical = measure.critical > 0 && measure.value >= measure.critical;
    const auto threshold = isCritical ? measure.critical : measure.warning;
    const auto says = words(QT_TRANSLATE_NOOP("operation", "%1 is at %2 %4, the mark is %3 %4"))
                          .arg(measure.signal)
                          .arg(measure.value)
                          .arg(threshold)
                          .arg(measure.unit);
    QJsonObject finding{
        {QStringLiteral("severity"), isCritical ? QStringLiteral("critical") : QStringLiteral("warning")},
        {QStringLiteral("remote"), remote},
        {QStringLiteral("target"), target},
        {QStringLiteral("signal"), measure.signal},
        {QStringLiteral("measured"), measure.value},
        {QStringLiteral("threshold"), threshold},
        {QStringLiteral("unit"), measure.unit},
        {QStringLiteral("says"), says},
        {QStringLiteral("mend"), mendJson(mend)}};
    (isCritical ? m_critical : m_warnings).append(finding);
}

void Findings::add(const QString &remote, const QString &target, bool isCritical, const QString &signal,
                   const QString &says, const Mend &mend)
{
    QJsonObject finding{
        {QStringLiteral("severity"), isCritical ? QStringLiteral("critical") : QStringLiteral("warning")},
        {QStringLiteral("remote"), remote},
        {QStringLiteral("target"), target},
        {QStringLiteral("signal"), signal},
        {QStringLiteral("says"), says},
        {QStringLiteral("mend"), mendJson(mend)}};
    (isCritical ? m_critical : m_warnings).append(finding);
}

QJsonArray Findings::ranked() const
{
    QJsonArray ranked;
    for (const auto *part : {&m_critical, &m_warnings})
        for (const auto &entry : *part) {
            auto finding = entry.toObject();
            finding.insert(QStringLiteral("rank"), ranked.size() + 1);
            ranked.append(finding);
        }
    return ranked;
}
