#pragma once
#include "base/Result.h"
#include <QList>

class Database;

/// Numbered steps that lead a schema from one version to the next.
/// A folder holds NNN-name.sql, numbered from 001 without gaps; statements are separated by an empty line and lines
/// that start with "--" are dropped. A step that was released is never changed.
struct Migrations {
    struct Step {
        int version = 0;
        QString name;
        QStringList statements;
    };
    QList<Step> steps;

    /// Internal if the folder is missing, has a gap or cannot be read.
    static Result<Migrations> in(const QString &folder);
    int newest() const { return steps.isEmpty() ? 0 : steps.last().version; }
    /// Runs the steps after `version`, each in one transaction. A file that holds something is checked and copied to
    /// "<file>.schema-<version>" first.
    Result<> run(Database &database, int version) const;
};
