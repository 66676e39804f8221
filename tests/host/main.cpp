#include "base/StrictJson.h"
#include "host/TestHost.h"
#include "mcp/LineFraming.h"
#include "support/ThreadsEnd.h"
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QSocketNotifier>
#include <cstdio>
#include <unistd.h>

/// Until the input ends; the exit status.
static int serve(const QCommandLineParser &parser)
{
    TestHost host(parser.value(QStringLiteral("folder")), parser.value(QStringLiteral("task-pace")).toDouble(),
                  parser.value(QStringLiteral("calls-per-minute")).toInt());
    const auto say = [](const QJsonValue &value) {
        std::puts(StrictJson::write(value).constData());
        std::fflush(stdout);
    };
    const auto ready = host.begin();
    if (!ready) {
        std::fprintf(stderr, "%s\n", qPrintable(ready.error().message));
        return 1;
    }
    QObject::connect(&host, &TestHost::replied, say);
    say(*ready);
    LineFraming framing;
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, [&] {
        QByteArray bytes(64 * 1024, '\0');
        const auto count = ::read(STDIN_FILENO, bytes.data(), size_t(bytes.size()));
        if (count <= 0) {
            QCoreApplication::quit();
            return;
        }
        framing.feed(bytes.left(count));
        while (const auto line = framing.next())
            host.run(StrictJson::parseObject(*line).valueOr({}));
    });
    return QCoreApplication::exec();
}

/// The desktop's inner half for scenario tests: commands on standard input, answers on standard output, one JSON a
/// line. Ends when its input ends.
int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{QStringLiteral("folder"), QStringLiteral("Where everything is kept."), QStringLiteral("path")},
                       {QStringLiteral("task-pace"), QStringLiteral("How long tasks take, times the usual."),
                        QStringLiteral("factor"), QStringLiteral("0.05")},
                       {QStringLiteral("calls-per-minute"), QStringLiteral("Limit for each program."),
                        QStringLiteral("count"), QStringLiteral("600")}});
    parser.process(application);
    const int status = serve(parser);
    letThreadsEnd();
    return status;
}
