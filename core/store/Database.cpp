#include "store/Database.h"
#include "store/Migrations.h"
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QStorageInfo>
#include <QVariant>
#include <atomic>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static QString text(const char *source)
{
    return QCoreApplication::translate("store", source);
}

static std::pair<quint64, quint64> identityOf(const QString &file)
{
    struct stat status = {};
    if (::stat(QFile::encodeName(file).constData(), &status) != 0)
        return {};
    return {status.st_dev, status.st_ino};
}

static void initialiseResources()
{
    Q_INIT_RESOURCE(migrations);
}

Database::Database(QString file, QString connection) : m_file(std::move(file)), m_connection(std::move(connection)) {}

Database::~Database()
{
    QSqlDatabase::removeDatabase(m_connection);
}

Result<std::unique_ptr<Database>> Database::open(const QString &file, const QString &migrations, Access access)
{
    initialiseResources();
    if (access == Access::Write) {
        if (auto made = makeFile(file); !made)
            return made.error();
    } else if (!QFileInfo::exists(file)) {
        return Error{Error::Kind::Unavailable, text("There is no database at %1.").arg(file)};
    }
    static std::atomic<quint64> number = 0;
    std::unique_ptr<Database> database(new Database(file, QStringLiteral("store-%1").arg(++number)));
    if (auto connected = database->connect(access); !connected)
        return connected.error();
    if (auto settled = database->settleSchema(migrations, access); !settled)
        return settled.error();
    return database;
}

Result<> Database::makeFile(const QString &file)
{
    const QFileInfo info(file);
    const auto folder = info.absolutePath();
    const auto refused = [&](const QString &why) {
        return Error{Error::Kind::Unavailable, text("The database %1 cannot be opened: %2.").arg(file, why)};
    };
    const auto owner = QFile::ReadOwner | QFile::WriteOwner;
    if (!QDir().mkpath(folder))
        return refused(text("its folder cannot be made"));
    QFile::setPermissions(folder, owner | QFile::ExeOwner);
    if (isNetworkFileSystem(QStorageInfo(folder).fileSystemType()))
        return refused(text("it lies on a network file system, where files cannot be locked safely"));
    if (info.isSymLink())
        return refused(text("it is a link"));
    QFile made(file);
    if (!info.exists() && !made.open(QIODevice::WriteOnly | QIODevice::NewOnly, owner))
        return refused(made.errorString());
    if (!QFileInfo(file).isFile())
        return refused(text("it is not a file"));
    const auto mode = QFile::permissions(file);
    if (mode & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther))
        QFile::setPermissions(file, owner);
    return {};
}

Result<> Database::connect(Access access)
{
    auto database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    if (!database.isValid())
        return Error{Error::Kind::Unavailable, text("Qt's SQLite driver is not installed.")};
    database.setDatabaseName(m_file);
    database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000"));
    if (!database.open())
        return failure(database.lastError(), m_file);
    m_identity = identityOf(m_file);
    if (access == Access::Read)
        return run(QStringLiteral("PRAGMA query_only=ON"));
    // SQLite opens what it may not write as read-only without a word; say it now, not at the first row.
    if (::faccessat(AT_FDCWD, QFile::encodeName(m_file).constData(), W_OK, AT_EACCESS) != 0)
        return Error{Error::Kind::Unavailable, text("The database %1 is read-only.").arg(m_file)};
    auto mode = value(QStringLiteral("PRAGMA journal_mode=WAL"));
    if (!mode)
        return mode.error();
    if (mode->toString() != QLatin1String("wal"))
        return Error{Error::Kind::Unavailable, text("The database %1 cannot be opened safely here.").arg(m_file),
                     mode->toString()};
    return {};
}

Result<> Database::settleSchema(const QString &folder, Access access)
{
    auto migrations = Migrations::in(folder);
    if (!migrations)
        return migrations.error();
    auto found = version();
    if (!found)
        return found.error();
    if (access == Access::Read)
        return *found < migrations->newest()
                   ? Result<>(
                         Error{Error::Kind::Unavailable, text("The database %1 is not up to date yet.").arg(m_file)})
                   : Result<>();
    if (*found > migrations->newest())
        return Error{
            Error::Kind::Unavailable,
            text("The database %1 was made by a newer Labhelm. This one can read it, but not write to it.").arg(m_file),
            QStringLiteral("schema %1, known %2").arg(*found).arg(migrations->newest())};
    return migrations->run(*this, *found);
}

Result<> Database::run(const QString &sql)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    if (!query.exec(sql))
        return failure(query.lastError(), m_file);
    return {};
}

Result<QSqlQuery> Database::prepare(const QString &sql)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.setForwardOnly(true);
    if (!query.prepare(sql))
        return failure(query.lastError(), m_file);
    return Result<QSqlQuery>(std::move(query));
}

Result<> Database::run(QSqlQuery &query)
{
    if (!query.exec())
        return failure(query.lastError(), m_file);
    return {};
}

Result<QSqlQuery> Database::select(const QString &sql, const QVariantList &values)
{
    auto query = prepare(sql);
    if (!query)
        return query;
    for (int i = 0; i < values.size(); ++i)
        query->bindValue(i, values.at(i));
    if (auto ran = run(*query); !ran)
        return ran.error();
    return query;
}

Result<> Database::ended(const QSqlQuery &query) const
{
    if (query.lastError().type() != QSqlError::NoError)
        return failure(query.lastError(), m_file);
    return {};
}

Result<QVariant> Database::value(const QString &sql)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    if (!query.exec(sql) || !query.next())
        return failure(query.lastError(), m_file);
    return query.value(0);
}

Result<> Database::transact(const std::function<Result<>()> &work)
{
    if (auto begun = run(QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return begun;
    auto done = work();
    if (done)
        done = run(QStringLiteral("COMMIT"));
    if (!done)
        (void)run(QStringLiteral("ROLLBACK")); // fails where SQLite has rolled back by itself
    return done;
}

Result<> Database::check()
{
    auto answer = value(QStringLiteral("PRAGMA quick_check(1)"));
    if (!answer)
        return answer.error();
    if (answer->toString() == QLatin1String("ok"))
        return {};
    return Error{Error::Kind::Unavailable,
                 text("The database %1 is damaged. It was left as it is; move it away to start a new one.").arg(m_file),
                 answer->toString()};
}

Result<int> Database::version()
{
    auto answer = value(QStringLiteral("PRAGMA user_version"));
    if (!answer)
        return answer.error();
    return answer->toInt();
}

bool Database::isInPlace()
{
    // The log beside the file is made by the first statement and stays while a connection is open. SQLite would go on
    // writing to one that was removed, and what it wrote would be gone with the program.
    const auto log = identityOf(m_file + QStringLiteral("-wal"));
    if (m_log == Identity())
        m_log = log;
    return identityOf(m_file) == m_identity && log == m_log;
}

Error Database::failure(const QSqlError &error, const QString &file)
{
    const auto sentence = [&]() -> QString {
        switch (error.nativeErrorCode().toInt() & 0xff) { // extended codes keep the primary one in the low byte
        case 5:
        case 6: return text("The database %1 is in use by another program.");
        case 8: return text("The database %1 is read-only.");
        case 10: return text("The disk reports an error for the database %1.");
        case 11:
        case 26: return text("The database %1 is damaged. It was left as it is; move it away to start a new one.");
        case 13: return text("There is no space left on the disk for the database %1.");
        case 14: return text("The database %1 cannot be opened.");
        default: return text("The database %1 cannot be used.");
        }
    }();
    return {Error::Kind::Unavailable, sentence.arg(file),
            QStringLiteral("SQLite %1: %2 %3").arg(error.nativeErrorCode(), error.driverText(), error.databaseText())};
}

bool Database::isNetworkFileSystem(const QByteArray &type)
{
    static const QList<QByteArray> network = {"nfs",        "nfs4",       "cifs",  "smbfs",         "smb2",
                                              "smb3",       "afs",        "ncpfs", "ceph",          "glusterfs",
                                              "fuse.sshfs", "fuse.davfs", "9p",    "fuse.glusterfs"};
    return network.contains(type.toLower());
}
