#pragma once
#include "audit/Calls.h"
#include "store/Database.h"

/// The table of calls, on one connection. It is written in the transaction that adds the event.
class CallTable
{
public:
    /// The columns of the table, in the order of callFrom().
    static const QString &columns();
    static ProjectedCall callFrom(const QSqlQuery &row);

    /// Prepares the statements.
    static Result<CallTable> on(Database &database);
    /// The call as it stands; seq 0 if there is none.
    Result<ProjectedCall> find(const QString &callId);
    Result<> save(const ProjectedCall &call, bool isNew);
    /// Empties both tables of calls and projects every event again, in one transaction of its own.
    static Result<> rebuild(Database &database);

private:
    explicit CallTable(Database &database) : m_database(&database) {}
    Database *m_database;
    QSqlQuery m_isThere, m_find, m_insert, m_update;
};
