#include "cli/Console.h"
#include "cli/Verb.h"
#include <QCoreApplication>
#include <array>

namespace
{
const std::array<const Verb *, 2> verbs{&operationsVerb, &callVerb};

QString tr(const char *text)
{
    return QCoreApplication::translate("cli", text);
}

const Verb *find(const QString &name)
{
    for (const auto *verb : verbs)
        if (name == QLatin1String(verb->name))
            return verb;
    return nullptr;
}

QString overview()
{
    QString text = tr("labhelm-cli: Labhelm from a terminal.") + QStringLiteral("\n\n");
    for (const auto *verb : verbs)
        text += QStringLiteral("  labhelm-cli %1").arg(QLatin1String(verb->name)).leftJustified(28) +
                tr(verb->summary) + u'\n';
    return text + QStringLiteral("  labhelm-cli help VERB").leftJustified(28) + tr("tells more about one of these") +
           QStringLiteral("\n\n") +
           tr("Exit status: 0 done; 1 failed, refused or denied; 2 nobody knows yet how it ended; 3 Labhelm is not\n"
              "running or does not let the terminal in; 4 wrong usage; 130 interrupted.");
}

ExitStatus help(const QString &name)
{
    const auto *verb = find(name);
    Console::print(verb ? tr(verb->help) : overview());
    return name.isEmpty() || verb ? ExitStatus::Ok : ExitStatus::Usage;
}
} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    auto words = QCoreApplication::arguments().mid(1);
    const auto first = words.isEmpty() ? QString() : words.takeFirst();
    if (first == QStringLiteral("--version")) {
        Console::print(QStringLiteral("labhelm-cli " LABHELM_VERSION));
        return 0;
    }
    if (first == QStringLiteral("help") || first == QStringLiteral("--help") || first == QStringLiteral("-h"))
        return int(help(words.value(0)));
    const auto *verb = find(first);
    if (!verb) {
        Console::tell(first.isEmpty() ? tr("What is to be done?") : tr("\"%1\" is not known.").arg(first));
        Console::print(overview());
        return int(ExitStatus::Usage);
    }
    const bool wantsHelp = words.contains(QStringLiteral("--help")) || words.contains(QStringLiteral("-h"));
    return int(wantsHelp ? help(first) : verb->run(words));
}
