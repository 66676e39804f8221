#include "simulator/control/ControlChannel.h"
#include <QCommandLineParser>
#include <QCoreApplication>
#include <cstdio>

namespace
{
/// What the command line asks for.
struct Wishes {
    quint16 port = 0;
    quint64 seed = 1;
    int version = 9;
    int guests = 0;
    bool manualClock = false;
    bool control = false;
};

Wishes readCommandLine(const QCoreApplication &application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "A simulated Proxmox VE cluster for Labhelm's demo and tests. Ends when its standard input closes."));
    parser.addHelpOption();
    parser.addVersionOption();
    const auto option = [&parser](const char *name, const char *help, const char *value, const char *usual) {
        parser.addOption({QLatin1String(name), QLatin1String(help), QLatin1String(value), QLatin1String(usual)});
    };
    option("port", "Port on 127.0.0.1; 0 takes a free one.", "port", "0");
    option("seed", "Number that the lively figures come from.", "number", "1");
    option("clock", "system, or manual: time stands still until it is moved.", "kind", "system");
    option("guests", "If more than the homelab has, further ones are made up.", "number", "0");
    option("pve", "8 or 9.", "version", "9");
    option("control", "stdio: JSON commands on standard input, answers on standard output.", "channel", "none");
    parser.process(application);
    return {quint16(parser.value(QStringLiteral("port")).toUInt()),
            parser.value(QStringLiteral("seed")).toULongLong(),
            parser.value(QStringLiteral("pve")).toInt(),
            parser.value(QStringLiteral("guests")).toInt(),
            parser.value(QStringLiteral("clock")) == QLatin1String("manual"),
            parser.value(QStringLiteral("control")) == QLatin1String("stdio")};
}
}

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("labhelm-simulator"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LABHELM_VERSION));
    const auto wishes = readCommandLine(application);
    ManualClock manual;
    Simulator::Options options;
    options.seed = wishes.seed;
    options.version = wishes.version;
    options.guests = wishes.guests;
    if (wishes.manualClock)
        options.clock = &manual;
    Simulator simulator(options);
    const auto listening = simulator.listen(wishes.port);
    if (!listening) {
        std::fprintf(stderr, "%s: %s\n", qPrintable(listening.error().message), qPrintable(listening.error().detail));
        return 1;
    }
    std::printf("LISTENING %u %s\n", unsigned(*listening), qPrintable(simulator.fingerprint()));
    std::fflush(stdout);
    ControlChannel channel(simulator, wishes.manualClock ? &manual : nullptr, wishes.control);
    QObject::connect(&channel, &ControlChannel::closed, &application, &QCoreApplication::quit);
    return QCoreApplication::exec();
}
