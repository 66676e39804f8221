#pragma once
#include "base/Result.h"
#include "base/Secret.h"
#include "remotes/Remote.h"
#include <QMap>
#include <vector>

/// What the settings of another program hold, as far as it makes connections.
struct Import {
    /// One connection that can be taken over. It has no id and no pins: its certificate is looked at anew.
    struct Found {
        Remote remote;
        Secret secret;     ///< empty: the settings do not hold it
        QStringList notes; ///< what is different from there, in sentences
    };
    /// One that can't, and why.
    struct Refused {
        QString name, why;
    };
    /// The files as bytes. Whoever reads them from disk keeps them no longer than needed.
    struct Source {
        QString fileName; ///< without its folder
        QByteArray text;
        QByteArray sealed = {}; ///< "secrets.enc" beside it
        QByteArray env = {};    ///< ".env" beside it
        Secret password = {};   ///< opens `sealed`
    };

    QString program; ///< "ProxmoxMCP-Plus", "Proxmox-AIops" or "mcp-proxmox"
    std::vector<Found> found;
    std::vector<Refused> refused;

    /// Malformed: none of the three programs writes such a file, or a line of it can't be read. Unauthorized: `sealed`
    /// is there and needs a password, or another one. Pure; any thread; opening sealed secrets takes about 0.1 s.
    static Result<Import> read(const Source &source);
    /// Reads the file and what belongs to it. Unavailable: it can't be read, or is far too large.
    static Result<Source> load(const QString &path);
};
