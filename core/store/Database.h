#pragma once
#include "base/Result.h"
#include <QSqlQuery>
#include <functional>
#include <memory>

class QSqlError;

/// One connection to one SQLite file in WAL mode; made, used and dropped on one thread.
/// All errors are Unavailable with a sentence for people; a damaged file is reported and never "repaired" in place.
class Database
{
public:
    enum class Access {
        Write, ///< makes folder (0700) and file (0600) and brings the schema up to date
        Read   ///< changes nothing
    };
    /// `migrations` is a folder of NNN-name.sql (see Migrations.h), ":/migrations/audit" for the audit log.
    /// A schema newer than the last migration can be read but not opened for writing. A lock of another program is
    /// waited for at most 2 s, here and in every later call.
    static Result<std::unique_ptr<Database>> open(const QString &file, const QString &migrations, Access access);
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    const QString &file() const { return m_file; }
    /// Runs one statement and drops its rows.
    Result<> run(const QString &sql);
    /// A forward-only statement to bind; must be gone before the database is.
    Result<QSqlQuery> prepare(const QString &sql);
    /// Runs a prepared statement. Call finish() on it once its rows are read: an open one holds a read lock.
    Result<> run(QSqlQuery &query);
    /// Prepares, binds in the order of the marks and runs.
    Result<QSqlQuery> select(const QString &sql, const QVariantList &values = {});
    /// The rows of run(query) are at an end: tells an ordinary end from an error on the way.
    Result<> ended(const QSqlQuery &query) const;
    /// The first column of the first row; Unavailable when there is none.
    Result<QVariant> value(const QString &sql);
    /// BEGIN IMMEDIATE, `work`, COMMIT; rolled back if either fails.
    Result<> transact(const std::function<Result<>()> &work);
    /// PRAGMA quick_check: about a second for each 100 MB.
    Result<> check();
    /// Version of the schema in the file.
    Result<int> version();
    /// Whether the path still leads to the file that was opened, with the same WAL beside it.
    bool isInPlace();

    /// The sentence for an error of SQLite on this file.
    static Error failure(const QSqlError &error, const QString &file);
    /// Whether SQLite's locks cannot be trusted on this kind of file system ("nfs4", "cifs" …).
    static bool isNetworkFileSystem(const QByteArray &type);

private:
    Database(QString file, QString connection);
    static Result<> makeFile(const QString &file);
    Result<> connect(Access access);
    Result<> settleSchema(const QString &migrations, Access access);

    QString m_file;
    QString m_connection;
    using Identity = std::pair<quint64, quint64>; ///< device and inode
    Identity m_identity;
    Identity m_log;
};
