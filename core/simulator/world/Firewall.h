#pragma once
#include <QJsonObject>
#include <QList>
#include <QString>
#include <algorithm>

/// A named list: the networks of an IP set, or the rules of a security group.
struct FirewallList {
    QString name;
    QString comment;
    QList<QJsonObject> entries = {};
};

/// The rules of the cluster, of one node or of one guest, and the names they use. Rows are as the API shows them,
/// without position and digest.
struct Firewall {
    QJsonObject options = {};
    QList<QJsonObject> rules = {};
    QList<QJsonObject> aliases = {}; ///< name, cidr, ipversion, comment
    QList<FirewallList> sets = {};
    QList<FirewallList> groups = {}; ///< of the cluster alone

    static FirewallList *find(QList<FirewallList> &lists, const QString &name)
    {
        const auto found =
            std::find_if(lists.begin(), lists.end(), [&](const auto &list) { return list.name == name; });
        return found == lists.end() ? nullptr : &*found;
    }
    /// Case does not matter in the name of an alias.
    QJsonObject *alias(const QString &name)
    {
        const auto found = std::find_if(aliases.begin(), aliases.end(), [&](const auto &alias) {
            return alias.value(QLatin1String("name")).toString().compare(name, Qt::CaseInsensitive) == 0;
        });
        return found == aliases.end() ? nullptr : &*found;
    }
};
