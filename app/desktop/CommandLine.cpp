#include "CommandLine.h"
#include <QCommandLineParser>
#include <QCoreApplication>

static QString words(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

static void declare(QCommandLineParser &parser)
{
    parser.setApplicationDescription(words(QT_TRANSLATE_NOOP("CommandLine", "Manages Proxmox VE from the desktop.")));
    parser.addOptions({
        {QStringLiteral("demo"),
         words(QT_TRANSLATE_NOOP("CommandLine", "Starts with a made-up cluster; nothing real is touched."))},
        {QStringLiteral("data"),
         words(QT_TRANSLATE_NOOP("CommandLine", "Keeps data, settings and socket below this folder.")),
         QStringLiteral("folder")},
        {QStringLiteral("simulator"),
         words(QT_TRANSLATE_NOOP("CommandLine", "The program that plays the demo cluster.")),
         QStringLiteral("program")},
        {QStringLiteral("appearance"), words(QT_TRANSLATE_NOOP("CommandLine", "light, dark or system")),
         QStringLiteral("which")},
        {{QStringLiteral("h"), QStringLiteral("help")}, words(QT_TRANSLATE_NOOP("CommandLine", "Shows this help."))},
        {{QStringLiteral("v"), QStringLiteral("version")},
         words(QT_TRANSLATE_NOOP("CommandLine", "Shows the version."))},
    });
}

Result<CommandLine> CommandLine::from(const QStringList &arguments)
{
    QCommandLineParser parser;
    declare(parser);
    if (!parser.parse(arguments))
        return Error{Error::Kind::Invalid, parser.errorText()};
    if (!parser.positionalArguments().isEmpty())
        return Error{Error::Kind::Invalid, words(QT_TRANSLATE_NOOP("CommandLine", "Unexpected argument: %1"))
                                               .arg(parser.positionalArguments().first())};
    CommandLine line;
    line.isDemo = parser.isSet(QStringLiteral("demo"));
    line.wantsHelp = parser.isSet(QStringLiteral("help"));
    line.wantsVersion = parser.isSet(QStringLiteral("version"));
    line.dataFolder = parser.value(QStringLiteral("data"));
    line.simulator = parser.value(QStringLiteral("simulator"));
    const auto appearance = parser.value(QStringLiteral("appearance"));
    if (appearance == QLatin1String("light"))
        line.appearance = Theme::Appearance::Light;
    else if (appearance == QLatin1String("dark"))
        line.appearance = Theme::Appearance::Dark;
    else if (!appearance.isEmpty() && appearance != QLatin1String("system"))
        return Error{Error::Kind::Invalid,
                     words(QT_TRANSLATE_NOOP("CommandLine", "--appearance takes light, dark or system."))};
    return line;
}

QString CommandLine::help()
{
    QCommandLineParser parser;
    declare(parser);
    return parser.helpText();
}
