#pragma once
#include "operations/Clusters.h"

/// A measured number beside the one that it should stay below.
struct Measure {
    QString signal;      ///< "memory"
    double value = 0;    ///< what was measured
    double warning = 0;  ///< from here on it is a finding
    double critical = 0; ///< from here on it is a grave one; 0 = there is none
    QString unit = QStringLiteral("%");
};

/// The operation that mends a finding.
struct Mend {
    QString operation; ///< id of the catalogue; empty = nothing here mends it, and `why` says so
    QJsonObject arguments = {};
    QString why = {};
};

/// What an insight has found: each finding cites the number that tripped it and names what mends it.
class Findings
{
public:
    /// Adds a finding if the value has reached its warning.
    void measure(const QString &remote, const QString &target, const Measure &measure, const Mend &mend);
    /// Adds one that needs no number.
    void add(const QString &remote, const QString &target, bool isCritical, const QString &signal, const QString &says,
             const Mend &mend);
    /// Grave ones first, else in the order in which they were found, with "rank" from 1.
    QJsonArray ranked() const;

private:
    QJsonArray m_critical, m_warnings;
};

/// part of whole in percent, to one decimal; nothing if either is unknown or the whole is 0.
std::optional<double> percent(std::optional<qint64> part, std::optional<qint64> whole);
double oneDecimal(double value);
