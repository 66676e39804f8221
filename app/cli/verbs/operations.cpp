#include "cli/Console.h"
#include "cli/Verb.h"
#include "operations/Catalogue.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

namespace
{
QJsonObject described(const Operation &operation)
{
    return {{QStringLiteral("id"), operation.id},
            {QStringLiteral("effect"), effectName(operation.effect)},
            {QStringLiteral("title"), operation.title.translated()},
            {QStringLiteral("summary"), operation.summary.translated()},
            {QStringLiteral("tool"), operation.mcpName()},
            {QStringLiteral("sensitive"), operation.isSensitive},
            {QStringLiteral("undo"), operation.isRead() ? QJsonValue() : QJsonValue(undoName(operation.undo))},
            {QStringLiteral("parameters"), operation.schema()}};
}

QString json(const Catalogue &catalogue)
{
    QJsonArray all;
    for (const auto &operation : catalogue.all())
        all.append(described(*operation));
    return QString::fromUtf8(QJsonDocument(all).toJson()).trimmed();
}

QString table(const Catalogue &catalogue)
{
    qsizetype width = 0;
    for (const auto &operation : catalogue.all())
        width = std::max(width, operation->id.size());
    QStringList lines;
    for (const auto &operation : catalogue.all())
        lines << operation->id.leftJustified(width + 2) + effectName(operation->effect).leftJustified(10) +
                     operation->summary.translated();
    return lines.join(u'\n');
}

ExitStatus run(const QStringList &words)
{
    const bool wantsJson = words == QStringList{QStringLiteral("--json")};
    if (!words.isEmpty() && !wantsJson) {
        Console::tell(QCoreApplication::translate("cli", "operations takes only --json."));
        return ExitStatus::Usage;
    }
    const Catalogue catalogue;
    Console::print(wantsJson ? json(catalogue) : table(catalogue));
    return ExitStatus::Ok;
}
} // namespace

const Verb operationsVerb{
    "operations", QT_TRANSLATE_NOOP("cli", "lists everything that can be done; works without the desktop"),
    QT_TRANSLATE_NOOP("cli", "labhelm-cli operations [--json]\n"
                             "\n"
                             "Lists every operation with what it does to the world: Reads, Changes, Disrupts, Executes "
                             "or Destroys.\n"
                             "  --json   also titles, what undoes it, and the JSON Schema of its arguments"),
    run};
