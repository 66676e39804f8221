#pragma once
#include "simulator/schema/ApiTable.h"

/// What tells the releases 8.4 and 9.1 apart beside their API tables. Everything that depends on the release asks here.
struct Release {
    int major;
    QString release; ///< "9.1"
    QString version; ///< "9.1.6"
    QString repoid;
    QString kernel; ///< of the kernel that runs
    QStringList privileges;
    bool hasHaRules;    ///< node affinity is a rule; before, it was a group
    bool hasFailback;   ///< a HA resource says whether it goes back
    bool listsNetworks; ///< cluster/resources tells of "network", before of "sdn"

    const ApiTable &table() const;
    QString manager() const { return QStringLiteral("pve-manager/%1/%2").arg(version, repoid); }
    /// Of 8 or 9; any other number is 9.
    static const Release &of(int major);
};
