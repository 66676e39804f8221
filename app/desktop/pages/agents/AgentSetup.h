#pragma once
#include <QString>
#include <QStringList>
#include <vector>

/// How one client program is told to start labhelm-mcp, as exact text to copy.
struct ClientSetup {
    QString client; ///< "Claude Code"
    QString where;  ///< what to do with the text: where it is run or written
    QString text;
};

/// The command that starts the bridge for one agent, and how clients write it down.
namespace AgentSetup
{
/// `bridge` is the absolute path of labhelm-mcp. `keyFile` and `socket` are given only where they are not in their
/// usual places; empty = usual.
QStringList command(const QString &bridge, const QString &agentId, bool isDemo, const QString &keyFile = {},
                    const QString &socket = {});
/// For the clients that people use most; the last is for any other.
std::vector<ClientSetup> all(const QStringList &command);
/// One line for a POSIX shell.
QString shellLine(const QStringList &words);
}
