#pragma once
#include "operations/References.h"
#include "operations/Requests.h"

// What the operations on firewalls share.

inline const Text placeHelp{
    QT_TRANSLATE_NOOP("operation", "Whose firewall: datacenter, a node (pve1) or a guest (101, web)")};

/// "cluster/firewall", "nodes/pve1/firewall" or "nodes/pve1/qemu/101/firewall", then the rest.
ApiRequest firewallRequest(Method method, const PlaceRef &place, const QStringList &rest);

/// The rules of one place, in order, and the digest of its file.
struct RulesNow {
    std::vector<QJsonObject> rules; ///< without "pos" and "digest"
    QString digest;
};
QCoro::Task<Result<RulesNow>> readRules(OperationContext context, PlaceRef place);

/// "in ACCEPT tcp 22 from 10.0.0.0/8"; "off" is said.
QString ruleText(const QJsonObject &rule);
/// {enable: true, …}: a rule's keys with values as arguments have them.
QJsonObject plainRule(const QJsonObject &rule);

QString ruleKey(qint64 position); ///< "rule 3": the key of a change
bool isThere(qint64 position, const RulesNow &now);
Error noRule(qint64 position, const RulesNow &now);
/// PUT moveto, so that the rule comes to stand at `to`.
ApiRequest moveRequest(const PlaceRef &place, qint64 from, qint64 to);
/// Puts the order of all rules into the plan, so that an approval ends when it changes, and their number, so that an
/// undo finds its place.
void noteRules(Plan &plan, const RulesNow &now, int more);

/// Raises the plan where access is opened: a rule that lets in comes or one that blocks goes. Where the datacenter's or
/// a node's own doors are touched, only people may do it.
void judgeRules(Plan &plan, const PlaceRef &place, const QJsonObject &before, const QJsonObject &after);

/// Sends requests on rules one by one. Positions shift and digests change with each: before each but the first the
/// rules are read again, must be as the step before left them, and their new digest goes along. Conflict: somebody else
/// changed them meanwhile; what was done until then stays.
QCoro::Task<Result<Outcome>> sendRuleSteps(PlaceRef place, OperationContext context);
