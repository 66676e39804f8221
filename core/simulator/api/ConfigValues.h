#pragma once
#include "simulator/schema/ApiTable.h"
#include "simulator/world/Guest.h"

/// Turns lines of a configuration into JSON with PVE's types: what the schema calls a number is one, the rest is text.
class ConfigValues
{
public:
    ConfigValues(const ApiTable &table, GuestKind kind);
    QJsonValue value(const QString &key, const QString &text) const;
    QJsonObject object(const GuestConfig &config) const;
    /// True for keys a guest can have.
    bool knows(const QString &key) const;

private:
    const ApiTable &m_table;
    const Endpoint &m_setter;
};
