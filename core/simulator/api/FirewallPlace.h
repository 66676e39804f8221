#pragma once
#include "simulator/api/ClusterFile.h"

/// Which firewall a call is about: the cluster's, a security group of it, a node's or a guest's.
struct FirewallPlace {
    explicit FirewallPlace(const Call &call);

    enum class Kind { Cluster, Group, Node, Guest };
    Kind kind = Kind::Cluster;
    Firewall &cluster;
    Firewall &own; ///< the cluster's for a group
    ClusterFile file;
    /// The rules of the place; nullptr when the security group does not exist.
    QList<QJsonObject> *rules;

    static int ipVersion(const QString &address);
};

/// Looks at one rule as PVE does before it keeps it.
class FirewallRule
{
public:
    FirewallRule(const FirewallPlace &place, const QJsonObject &rule) : m_place(place), m_rule(rule) {}
    /// What is wrong, by parameter; nothing when the rule can be kept. The preferred name of a macro and the IP version
    /// are put in.
    QJsonObject check();
    const QJsonObject &rule() const { return m_rule; }

    /// The macros by their preferred names.
    static const QStringList &macros();

private:
    void wrong(const char *parameter, const QString &text);
    void checkAction();
    void checkInterface();
    void checkMacro();
    void checkPorts();
    void checkIcmp();
    void checkAddress(const char *parameter);
    void fixVersion(int version);
    QString text(const char *key) const { return m_rule.value(QLatin1String(key)).toString(); }

    const FirewallPlace &m_place;
    QJsonObject m_rule;
    QJsonObject m_errors;
    int m_version = 0;
};
