#pragma once
#include <QList>
#include <QString>
#include <QStringList>

/// One file of the project as the rules of the house read it.
struct SourceFile {
    QString path;   ///< relative to the project, "core/base/Error.h"
    QString text;   ///< as it is
    QString spoken; ///< without comments
    QString code;   ///< without comments and without what stands in string and character literals

    /// Takes C++ text; line numbers stay what they were.
    static SourceFile of(QString path, QString text);
    bool isHeader() const { return path.endsWith(QLatin1String(".h")); }
    /// "core/base/Error.h:12: what"
    QString at(qsizetype offset, const QString &what) const;
};

namespace SourceTree
{
/// Every .h and .cpp below these folders of the project, in order.
QList<SourceFile> sources(const QStringList &folders);
/// The relative paths of all files of the project but for build folders.
QStringList paths();
QString read(const QString &path);
/// Prints each finding on a line of its own; true if there is none.
bool isClean(const QStringList &findings);
/// Where the bracket that opens at `open` closes; -1 if it does not.
qsizetype closing(const QString &code, qsizetype open);
/// The same for the angle bracket of a template.
qsizetype closingAngle(const QString &code, qsizetype open);
}
