#include "store/Migrations.h"
#include "store/Database.h"
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <unistd.h>

static QString text(const char *source)
{
    return QCoreApplication::translate("store", source);
}

static QStringList statementsOf(const QString &sql)
{
    QStringList statements;
    QString current;
    for (const auto &line : (sql + QStringLiteral("\n\n")).split(u'\n')) {
        if (line.startsWith(QLatin1String("--")))
            continue;
        if (!line.trimmed().isEmpty()) {
            current += line + u'\n';
            continue;
        }
        if (!current.isEmpty())
            statements.append(std::exchange(current, QString()));
    }
    return statements;
}

Result<Migrations> Migrations::in(const QString &folder)
{
    Migrations migrations;
    static const QRegularExpression pattern(QStringLiteral("^(\\d{3})-([a-z0-9-]+)\\.sql$"));
    const auto names = QDir(folder).entryList({QStringLiteral("*.sql")}, QDir::Files, QDir::Name);
    for (const auto &name : names) {
        const auto match = pattern.match(name);
        QFile file(folder + u'/' + name);
        const int version = match.captured(1).toInt();
        if (!match.hasMatch() || version != migrations.newest() + 1 || !file.open(QIODevice::ReadOnly))
            return Error{Error::Kind::Internal, QStringLiteral("A step of the database schema is missing."),
                         file.fileName()};
        migrations.steps.append({version, match.captured(2), statementsOf(QString::fromUtf8(file.readAll()))});
    }
    if (migrations.steps.isEmpty())
        return Error{Error::Kind::Internal, QStringLiteral("The database schema is missing."), folder};
    return migrations;
}

/// Copies through SQLite, so that what is still in the WAL is in the copy, and gives it its name only once it is on
/// disk.
static Result<> copyAside(Database &database, int version)
{
    const auto target = QStringLiteral("%1.schema-%2").arg(database.file()).arg(version);
    const auto part = target + QStringLiteral(".part");
    QFile::remove(part);
    QFile copy(part);
    const auto refused = [&](const QString &why) {
        QFile::remove(part);
        return Error{Error::Kind::Unavailable,
                     text("The database has to be brought up to date, but no copy of it could be made first."), why};
    };
    if (!copy.open(QIODevice::ReadWrite | QIODevice::NewOnly, QFile::ReadOwner | QFile::WriteOwner))
        return refused(copy.errorString());
    if (auto copied =
            database.run(QStringLiteral("VACUUM INTO '%1'").arg(QString(part).replace(u'\'', QLatin1String("''"))));
        !copied)
        return refused(copied.error().message);
    if (::fsync(copy.handle()) != 0 ||
        ::rename(QFile::encodeName(part).constData(), QFile::encodeName(target).constData()) != 0)
        return refused(qt_error_string());
    return {};
}

Result<> Migrations::run(Database &database, int version) const
{
    if (version >= newest())
        return {};
    if (version > 0) {
        if (auto sound = database.check(); !sound)
            return sound;
        if (auto copied = copyAside(database, version); !copied)
            return copied;
    }
    for (const auto &step : steps) {
        if (step.version <= version)
            continue;
        auto done = database.transact([&]() -> Result<> {
            for (const auto &statement : step.statements)
                if (auto ran = database.run(statement); !ran)
                    return ran;
            return database.run(QStringLiteral("PRAGMA user_version=%1").arg(step.version));
        });
        if (!done)
            return done;
    }
    return {};
}
