#include "widgets/TaskWords.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <QStringList>

namespace TaskWords
{
static QString words(const char *text)
{
    return QCoreApplication::translate("TaskWords", text);
}

struct Name {
    const char *types; ///< PVE's words for it, parted by blanks
    const char *words;
};
static constexpr Name names[] = {
    {"qmstart vzstart hastart", QT_TRANSLATE_NOOP("TaskWords", "Start guest")},
    {"qmshutdown vzshutdown", QT_TRANSLATE_NOOP("TaskWords", "Shut down guest")},
    {"qmstop vzstop hastop", QT_TRANSLATE_NOOP("TaskWords", "Stop guest")},
    {"qmreboot vzreboot", QT_TRANSLATE_NOOP("TaskWords", "Reboot guest")},
    {"qmreset", QT_TRANSLATE_NOOP("TaskWords", "Reset guest")},
    {"qmresume vzresume", QT_TRANSLATE_NOOP("TaskWords", "Resume guest")},
    {"qmsuspend vzsuspend", QT_TRANSLATE_NOOP("TaskWords", "Suspend guest")},
    {"qmpause", QT_TRANSLATE_NOOP("TaskWords", "Pause guest")},
    {"qmcreate vzcreate", QT_TRANSLATE_NOOP("TaskWords", "Create guest")},
    {"qmdestroy vzdestroy", QT_TRANSLATE_NOOP("TaskWords", "Delete guest")},
    {"qmclone vzclone", QT_TRANSLATE_NOOP("TaskWords", "Clone guest")},
    {"qmigrate vzmigrate", QT_TRANSLATE_NOOP("TaskWords", "Migrate guest")},
    {"qmrestore vzrestore", QT_TRANSLATE_NOOP("TaskWords", "Restore guest")},
    {"qmtemplate vztemplate", QT_TRANSLATE_NOOP("TaskWords", "Make template")},
    {"qmsnapshot vzsnapshot", QT_TRANSLATE_NOOP("TaskWords", "Take snapshot")},
    {"qmdelsnapshot vzdelsnapshot", QT_TRANSLATE_NOOP("TaskWords", "Delete snapshot")},
    {"qmrollback vzrollback", QT_TRANSLATE_NOOP("TaskWords", "Roll back to snapshot")},
    {"qmconfig vzconfig", QT_TRANSLATE_NOOP("TaskWords", "Change configuration")},
    {"vzdump", QT_TRANSLATE_NOOP("TaskWords", "Back up guest")},
    {"prunebackups", QT_TRANSLATE_NOOP("TaskWords", "Prune backups")},
    {"qmmove move_volume", QT_TRANSLATE_NOOP("TaskWords", "Move disk")},
    {"resize", QT_TRANSLATE_NOOP("TaskWords", "Resize disk")},
    {"vncproxy vncshell termproxy spiceproxy", QT_TRANSLATE_NOOP("TaskWords", "Console")},
    {"download", QT_TRANSLATE_NOOP("TaskWords", "Download")},
    {"imgcopy", QT_TRANSLATE_NOOP("TaskWords", "Copy image")},
    {"imgdel", QT_TRANSLATE_NOOP("TaskWords", "Delete image")},
    {"aptupdate", QT_TRANSLATE_NOOP("TaskWords", "Refresh package list")},
    {"startall", QT_TRANSLATE_NOOP("TaskWords", "Start all guests")},
    {"stopall", QT_TRANSLATE_NOOP("TaskWords", "Shut down all guests")},
};

QString what(const Upid &upid)
{
    for (const auto &name : names)
        if (QString::fromLatin1(name.types).split(u' ').contains(upid.type))
            return words(name.words);
    return DisplayText::visible(upid.type);
}

QString state(const TaskState &task)
{
    if (!task.endTime)
        return words(QT_TRANSLATE_NOOP("TaskWords", "running"));
    if (task.status == QLatin1String("OK"))
        return words(QT_TRANSLATE_NOOP("TaskWords", "done"));
    if (task.status.startsWith(QLatin1String("WARNINGS: ")))
        return words(QT_TRANSLATE_NOOP("TaskWords", "warnings: %1")).arg(DisplayText::visible(task.status.mid(10)));
    if (task.status.isEmpty())
        return words(QT_TRANSLATE_NOOP("TaskWords", "unknown"));
    return words(QT_TRANSLATE_NOOP("TaskWords", "failed"));
}

Tone tone(const TaskState &task)
{
    if (!task.endTime)
        return Tone::Blue;
    if (task.status == QLatin1String("OK"))
        return Tone::Green;
    if (task.status.isEmpty())
        return Tone::Neutral;
    return task.status.startsWith(QLatin1String("WARNINGS")) ? Tone::Amber : Tone::Red;
}

QString detail(const TaskState &task)
{
    if (task.status == QLatin1String("OK") || task.status.startsWith(QLatin1String("WARNINGS")))
        return {};
    return DisplayText::visible(task.status);
}
}
