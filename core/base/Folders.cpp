#include "base/Folders.h"
#include <QDir>

static QString fromVariable(const char *variable, const QString &otherwise)
{
    const auto given = qEnvironmentVariable(variable);
    return given.startsWith(u'/') ? QDir::cleanPath(given) : otherwise;
}

Folders Folders::ofThisUser(bool isDemo)
{
    const auto home = QDir::homePath();
    const auto name = isDemo ? QStringLiteral("/labhelm-demo") : QStringLiteral("/labhelm");
    Folders folders;
    folders.config = fromVariable("XDG_CONFIG_HOME", home + QStringLiteral("/.config")) + name;
    folders.data = fromVariable("XDG_DATA_HOME", home + QStringLiteral("/.local/share")) + name;
    const auto runtime = fromVariable("XDG_RUNTIME_DIR", {});
    folders.socket = runtime.isEmpty() ? fromVariable("XDG_STATE_HOME", home + QStringLiteral("/.local/state")) + name +
                                             QStringLiteral("/run")
                                       : runtime + name;
    return folders;
}
