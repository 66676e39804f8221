#include "simulator/control/ControlChannel.h"
#include <QCommandLineParser>
#include <QCoreApplication>
#include <cstdio>

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("labhelm-simulator"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LABHELM_VERSION));
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "A simulated Proxmox VE cluster for Labhelm's demo and tests. Ends when its standard input closes."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption port(QStringLiteral("port"), QStringLiteral("Port on 127.0.0.1; 0 takes a free one."),
                                  QStringLiteral("port"), QStringLiteral("0"));
    const QCommandLineOption seed(QStringLiteral("seed"), QStringLiteral("Number that the lively figures come from."),
                                  QStringLiteral("number"), QStringLiteral("1"));
    const QCommandLineOption clock(QStringLiteral("clock"),
                                   QStringLiteral("system, or manual: time stands still until it is moved."),
                                   QStringLiteral("kind"), QStringLiteral("system"));
    const QCommandLineOption version(QStringLiteral("pve"), QStringLiteral("8 or 9."), QStringLiteral("version"),
                                     QStringLiteral("9"));
    const QCommandLineOption control(
        QStringLiteral("control"),
        QStringLiteral("stdio: JSON commands on standard input, answers on standard output."),
        QStringLiteral("channel"));
    parser.addOptions({port, seed, clock, version, control});
    parser.process(application);

    ManualClock manual;
    Simulator::Options options;
    options.seed = parser.value(seed).toULongLong();
    options.version = parser.value(version).toInt();
    if (parser.value(clock) == QLatin1String("manual"))
        options.clock = &manual;
    Simulator simulator(options);
    const auto listening = simulator.listen(quint16(parser.value(port).toUInt()));
    if (!listening) {
        std::fprintf(stderr, "%s: %s\n", qPrintable(listening.error().message), qPrintable(listening.error().detail));
        return 1;
    }
    std::printf("LISTENING %u %s\n", unsigned(*listening), qPrintable(simulator.fingerprint()));
    std::fflush(stdout);
    ControlChannel channel(simulator, options.clock ? &manual : nullptr,
                           parser.value(control) == QLatin1String("stdio"));
    QObject::connect(&channel, &ControlChannel::closed, &application, &QCoreApplication::quit);
    return QCoreApplication::exec();
}
