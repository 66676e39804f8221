#include "pages/agents/AgentSetup.h"
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

static QString tr(const char *text)
{
    return QCoreApplication::translate("AgentSetup", text);
}

static const auto serverName = QStringLiteral("labhelm");

QStringList AgentSetup::command(const QString &bridge, const QString &agentId, bool isDemo, const QString &keyFile,
                                const QString &socket)
{
    QStringList words{bridge, QStringLiteral("--agent"), agentId};
    if (!keyFile.isEmpty())
        words << QStringLiteral("--key") << keyFile;
    if (!socket.isEmpty())
        words << QStringLiteral("--socket") << socket;
    if (isDemo)
        words << QStringLiteral("--demo");
    return words;
}

QString AgentSetup::shellLine(const QStringList &words)
{
    static const QRegularExpression harmless(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    QStringList quoted;
    for (const auto &word : words)
        quoted << (harmless.match(word).hasMatch()
                       ? word
                       : u'\'' + QString(word).replace(u'\'', QStringLiteral("'\\''")) + u'\'');
    return quoted.join(u' ');
}

static QJsonObject entry(const QStringList &command, bool withType)
{
    QJsonObject made{{QStringLiteral("command"), command.first()},
                     {QStringLiteral("args"), QJsonArray::fromStringList(command.mid(1))}};
    if (withType)
        made.insert(QStringLiteral("type"), QStringLiteral("stdio"));
    return made;
}

static QString json(const QString &key, const QJsonObject &server)
{
    const QJsonObject whole{{key, QJsonObject{{serverName, server}}}};
    return QString::fromUtf8(QJsonDocument(whole).toJson()).trimmed();
}

static QString tomlString(const QString &text)
{
    return u'"' + QString(text).replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\"")) + u'"';
}

static QString codexToml(const QStringList &command)
{
    QStringList args;
    for (const auto &word : command.mid(1))
        args << tomlString(word);
    return QStringLiteral("[mcp_servers.%1]\ncommand = %2\nargs = [%3]\ntool_timeout_sec = 120")
        .arg(serverName, tomlString(command.first()), args.join(QStringLiteral(", ")));
}

static QString gooseYaml(const QStringList &command)
{
    const auto args =
        QString::fromUtf8(QJsonDocument(QJsonArray::fromStringList(command.mid(1))).toJson(QJsonDocument::Compact));
    return QStringLiteral("extensions:\n  %1:\n    name: %1\n    type: stdio\n    enabled: true\n    cmd: %2\n    "
                          "args: %3\n    timeout: 300")
        .arg(serverName, tomlString(command.first()), args);
}

std::vector<ClientSetup> AgentSetup::all(const QStringList &command)
{
    const QStringList claude{QStringLiteral("claude"), QStringLiteral("mcp"),  QStringLiteral("add"),
                             QStringLiteral("-s"),     QStringLiteral("user"), serverName,
                             QStringLiteral("--")};
    const auto mcpServers = QStringLiteral("mcpServers");
    return {
        {QStringLiteral("Claude Code"), tr("Run this in a terminal:"), shellLine(claude + command)},
        {QStringLiteral("VS Code"), tr("Put this into mcp.json of your user profile, or into .vscode/mcp.json:"),
         json(QStringLiteral("servers"), entry(command, true))},
        {QStringLiteral("Cursor"), tr("Put this into ~/.cursor/mcp.json:"), json(mcpServers, entry(command, false))},
        {QStringLiteral("Claude Desktop"),
         tr("Put this into ~/.config/Claude/claude_desktop_config.json, then start it again:"),
         json(mcpServers, entry(command, false))},
        {QStringLiteral("Codex"), tr("Put this into ~/.codex/config.toml:"), codexToml(command)},
        {QStringLiteral("Gemini CLI"), tr("Put this into ~/.gemini/settings.json:"),
         json(mcpServers, entry(command, false))},
        {QStringLiteral("Goose"), tr("Put this into ~/.config/goose/config.yaml:"), gooseYaml(command)},
        {QStringLiteral("Zed"), tr("Put this into ~/.config/zed/settings.json:"),
         json(QStringLiteral("context_servers"), entry(command, false))},
        {tr("Any other"), tr("The client starts this program and speaks MCP over its standard input and output:"),
         shellLine(command)},
    };
}
