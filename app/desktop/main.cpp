#include "Application.h"
#include "shell/MainWindow.h"
#include <QApplication>
#include <cstdio>
#include <sys/prctl.h>

static int say(FILE *stream, const QString &text, int status)
{
    std::fputs(qPrintable(text + u'\n'), stream);
    return status;
}

/// Keeps other programs of the same user from reading this one's memory, where secrets are.
static void closeMemory()
{
#ifndef __SANITIZE_ADDRESS__ // the leak check reads its own process
    ::prctl(PR_SET_DUMPABLE, 0);
#endif
}

int main(int argc, char *argv[])
{
    closeMemory();
    QApplication::setApplicationName(QStringLiteral("labhelm"));
    QApplication::setApplicationDisplayName(QStringLiteral("Labhelm"));
    QApplication::setApplicationVersion(QStringLiteral(LABHELM_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("labhelm"));
    const QApplication qt(argc, argv);
    const auto line = CommandLine::from(QApplication::arguments());
    if (!line)
        return say(stderr, line.error().message, 2);
    if (line->wantsHelp)
        return say(stdout, CommandLine::help(), 0);
    if (line->wantsVersion)
        return say(stdout, QStringLiteral("labhelm " LABHELM_VERSION), 0);
    QApplication::setQuitOnLastWindowClosed(false);
    const Theme theme(line->appearance);
    Application application(*line);
    QObject::connect(&application, &Application::ended, &qt, &QApplication::quit);
    const auto started = application.start();
    if (!started)
        return say(stderr, started.error().message, started.error().kind == Error::Kind::Conflict ? 0 : 1);
    return QApplication::exec();
}
