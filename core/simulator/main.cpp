#include "simulator/control/ControlChannel.h"
#include "simulator/control/ControlCommands.h"
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QJsonDocument>
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
    QList<QJsonObject> commands; ///< as the control channel takes them, before anybody connects
};

/// What is wrong from the start, as commands.
QList<QJsonObject> commandsOf(const QCommandLineParser &parser)
{
    QList<QJsonObject> commands;
    if (const auto latency = parser.value(QStringLiteral("latency")).toInt(); latency > 0)
        commands.append({{"do", "latency"}, {"ms", latency}});
    for (const auto &node : parser.values(QStringLiteral("offline")))
        if (!node.isEmpty())
            commands.append({{"do", "node"}, {"name", node}, {"online", false}});
    for (const auto &text : parser.values(QStringLiteral("fault")))
        if (!text.isEmpty()) {
            auto fault = QJsonDocument::fromJson(text.toUtf8()).object();
            fault.insert("do", "fault");
            commands.append(fault);
        }
    if (const auto nth = parser.value(QStringLiteral("fail-socket")).toInt(); nth > 0)
        commands.append({{"do", "fail_socket"}, {"nth", nth}});
    if (parser.isSet(QStringLiteral("no-quorum")))
        commands.append({{"do", "quorum"}, {"quorate", false}});
    return commands;
}

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
    option("latency", "Milliseconds that every answer takes.", "ms", "0");
    option("offline", "A node that is off; may be given several times.", "node", "");
    option("fault", "A fault as the control channel takes it, as JSON; may be given several times.", "json", "");
    option("fail-socket", "The n-th operation of a socket fails.", "n", "0");
    parser.addOption({QStringLiteral("no-quorum"), QStringLiteral("The cluster has no quorum.")});
    parser.process(application);
    return {quint16(parser.value(QStringLiteral("port")).toUInt()),
            parser.value(QStringLiteral("seed")).toULongLong(),
            parser.value(QStringLiteral("pve")).toInt(),
            parser.value(QStringLiteral("guests")).toInt(),
            parser.value(QStringLiteral("clock")) == QLatin1String("manual"),
            parser.value(QStringLiteral("control")) == QLatin1String("stdio"),
            commandsOf(parser)};
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
    for (const auto &command : wishes.commands)
        if (const auto done = ControlCommands(simulator, nullptr).run(command); !done) {
            std::fprintf(stderr, "%s\n", qPrintable(done.error().message));
            return 1;
        }
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
