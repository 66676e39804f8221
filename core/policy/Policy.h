#pragma once
#include "policy/Rule.h"
#include <QHash>
#include <QSet>
#include <QString>
#include <optional>

/// What a person chose when an agent was paired.
enum class Preset {
    Observe,      ///< reads only; sensitive reads ask
    AskForWrites, ///< every change asks
    Operate       ///< changes run and are recorded; Destroys still asks
};
QString presetName(Preset preset); ///< "observe", "ask", "operate"
std::optional<Preset> presetFromName(const QString &name);

/// A verdict and why, in words.
struct Decision {
    Verdict verdict = Verdict::Deny;
    QString why = {};
    QString rule = {}; ///< id of the rule that decided; empty = none of them did
};

/// Decides who may do what. decide() is a pure function of the question, the grants and the rules; any thread may hold
/// a copy.
class Policy
{
public:
    /// What this program may do from now on where no rule speaks; keyed by actor id. It is held no longer.
    void grant(const QString &actorId, Preset preset);
    /// Takes away its preset and the rules that are its own.
    void revoke(const QString &actorId);
    std::optional<Preset> granted(const QString &actorId) const;
    const QHash<QString, Preset> &grants() const { return m_grants; }
    /// Until a person grants anew it may only look, whatever was granted and whatever rules allow.
    void hold(const QString &actorId) { m_held.insert(actorId); }
    bool isHeld(const QString &actorId) const { return m_held.contains(actorId); }
    const QSet<QString> &held() const { return m_held; }

    /// Adds a rule, or replaces the one with its id.
    void setRule(const Rule &rule);
    void removeRule(const QString &id);
    const std::vector<Rule> &rules() const { return m_rules; }

    /// People: reads and changes run, what disrupts or destroys is asked back. Programs: the narrowest rule that speaks
    /// of the call decides, of several the strictest; without one the preset does; a program that is not paired may do
    /// nothing. Whatever the rules say, what may cut our own access is left to people.
    Decision decide(const PolicyQuestion &question) const;

private:
    std::optional<Decision> decideByRules(const PolicyQuestion &question, bool isHeld) const;
    Decision decideForProgram(const PolicyQuestion &question, std::optional<Preset> preset) const;

    QHash<QString, Preset> m_grants;
    QSet<QString> m_held;
    std::vector<Rule> m_rules; ///< in the order in which they were made
};
