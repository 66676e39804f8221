#include "base/Folders.h"
#include "base/StrictJson.h"
#include "cli/CallRun.h"
#include "cli/Console.h"
#include "mcp/PairedAgents.h"
#include "operations/Catalogue.h"
#include <QCoreApplication>
#include <QFile>
#include <optional>

namespace
{
QString tr(const char *text)
{
    return QCoreApplication::translate("cli", text);
}

/// The words of the command line, sorted.
struct Words {
    QString id, arguments, reason, socket, key;
    bool isDemo = false, isDryRun = false, hasReason = false;
};

std::optional<Words> sorted(const QStringList &all)
{
    Words words;
    QStringList plain;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const auto &word = all[i];
        QString *value = word == QStringLiteral("--reason")   ? &words.reason
                         : word == QStringLiteral("--socket") ? &words.socket
                         : word == QStringLiteral("--key")    ? &words.key
                                                              : nullptr;
        if (word == QStringLiteral("--dry-run"))
            words.isDryRun = true;
        else if (word == QStringLiteral("--demo"))
            words.isDemo = true;
        else if (value && i + 1 < all.size())
            *value = all[++i];
        else if (!value && (word == QStringLiteral("-") || !word.startsWith(u'-')))
            plain << word;
        else
            return std::nullopt;
    }
    if (plain.isEmpty() || plain.size() > 2)
        return std::nullopt;
    words.id = plain[0];
    words.arguments = plain.value(1, QStringLiteral("{}"));
    return words;
}

Result<QJsonObject> readArguments(const QString &text)
{
    auto bytes = text.toUtf8();
    if (text == QStringLiteral("-")) {
        QFile input;
        if (!input.open(stdin, QIODevice::ReadOnly))
            return Error{Error::Kind::Unavailable, input.errorString()};
        bytes = input.readAll();
    }
    return StrictJson::parseObject(bytes);
}

ExitStatus usage(const QString &why)
{
    Console::tell(why);
    return ExitStatus::Usage;
}

ExitStatus run(const QStringList &all)
{
    const auto words = sorted(all);
    if (!words)
        return usage(tr("This cannot be understood. Try labhelm-cli help call."));
    const Catalogue catalogue;
    const auto *operation = catalogue.find(words->id);
    if (!operation)
        return usage(tr("There is no operation \"%1\". labhelm-cli operations lists them.").arg(words->id));
    auto arguments = readArguments(words->arguments);
    if (!arguments)
        return usage(arguments.error().message);
    if (operation->isRead() && (words->isDryRun || !words->reason.isEmpty()))
        return usage(tr("%1 only reads: --dry-run and --reason are for changes.").arg(words->id));
    if (words->isDryRun)
        arguments->insert(QStringLiteral("dry_run"), true);
    if (!words->reason.isEmpty())
        arguments->insert(QStringLiteral("reason"), words->reason);
    const auto folders = Folders::ofThisUser(words->isDemo);
    const auto key = folders.agentKeys() + u'/' + PairedAgents::terminalId + QStringLiteral(".key");
    CallRun call({operation->mcpName(), *arguments, words->socket.isEmpty() ? folders.mcpSocket() : words->socket,
                  words->key.isEmpty() ? key : words->key});
    QObject::connect(
        &call, &CallRun::ended, QCoreApplication::instance(),
        [](ExitStatus status) { QCoreApplication::exit(int(status)); }, Qt::QueuedConnection);
    call.start();
    return ExitStatus(QCoreApplication::exec());
}
} // namespace

const Verb callVerb{
    "call", QT_TRANSLATE_NOOP("cli", "does one of them through the running desktop"),
    QT_TRANSLATE_NOOP(
        "cli", "labhelm-cli call ID ['{\"name\": value, …}' | -] [--reason TEXT] [--dry-run] [--demo]\n"
               "\n"
               "Runs one operation through the Labhelm that runs on this desktop, and prints its answer as JSON.\n"
               "Reads run at once; a change asks in the window. Progress goes to standard error. Ctrl+C cancels what\n"
               "was not sent yet.\n"
               "  -              reads the arguments from standard input\n"
               "  --reason TEXT  why, for the person who decides\n"
               "  --dry-run      only shows what would be done; nothing changes\n"
               "  --demo         the demo's Labhelm instead of the real one\n"
               "  --socket PATH, --key FILE  another Labhelm's socket, and the terminal's key for it\n"
               "Example: labhelm-cli call guest.config.set '{\"guest\": \"web\", \"memory\": 4096}' --dry-run"),
    run};
