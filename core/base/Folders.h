#pragma once
#include <QString>

/// The one stated place for each kind of file; the demo has its own of each. Nothing is created here. labhelm-mcp
/// follows the same rules without Qt (app/bridge/Places.cpp).
struct Folders {
    QString config; ///< $XDG_CONFIG_HOME or ~/.config, then labhelm or labhelm-demo
    QString data;   ///< $XDG_DATA_HOME or ~/.local/share, then the same
    QString socket; ///< $XDG_RUNTIME_DIR, then the same; without it $XDG_STATE_HOME or ~/.local/state, then the same
                    ///< and "run"

    /// Relative values of the variables are ignored, as the XDG base directory rules want.
    static Folders ofThisUser(bool isDemo);

    QString agentKeys() const { return config + QStringLiteral("/agents"); } ///< key files of paired agents
    QString agentList() const { return config + QStringLiteral("/agents.json"); }
    QString mcpSocket() const { return socket + QStringLiteral("/mcp.sock"); }
};
