#include "Application.h"
#include "shell/MainWindow.h"
#include <QApplication>
#include <cstdio>

static int say(FILE *stream, const QString &text, int status)
{
    std::fputs(qPrintable(text + u'\n'), stream);
    return status;
}

int main(int argc, char *argv[])
{
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
    const Theme theme(line->appearance);
    Application application(*line);
    application.window().show();
    return QApplication::exec();
}
