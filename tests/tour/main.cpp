#include "Tour.h"
#include <QApplication>
#include <QDir>
#include <cstdio>

int main(int argc, char *argv[])
{
    QApplication::setApplicationName(QStringLiteral("labhelm"));
    QApplication::setApplicationVersion(QStringLiteral(LABHELM_VERSION));
    QApplication qt(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    const auto arguments = QApplication::arguments();
    if (arguments.size() != 2 || !QDir().mkpath(arguments[1])) {
        std::fputs("usage: labhelm-tour FOLDER-FOR-THE-PICTURES\n", stderr);
        return 2;
    }
    Tour tour(QDir(arguments[1]).absolutePath());
    return tour.run() ? 0 : 1;
}
