#pragma once
#include "simulator/schema/ApiTable.h"

/// Checks parameters against their shapes and words what is wrong as PVE does (all bad parameters at once).
class ParameterCheck
{
public:
    explicit ParameterCheck(const ApiTable &table) : m_table(table) {}
    /// `given` holds the path's parameters too.
    QList<Violation> check(const Endpoint &endpoint, const Parameters &given) const;
    /// What is wrong with one value; empty when nothing is. Texts of formats end in a line break, as PVE's do.
    QString wrong(const QString &name, const ParameterShape &shape, const QStringList &values) const;
    static QString conflictText();

private:
    QString wrongScalar(const QString &name, const ParameterShape &shape, const QString &value) const;
    QString wrongLimits(const ParameterShape &shape, const QString &value) const;
    QString wrongPropertyString(const QString &name, int keys, const QString &value) const;

    const ApiTable &m_table;
};
