#pragma once
#include "model/Actor.h"
#include "model/Effect.h"
#include <QHash>
#include <QString>
#include <optional>

enum class Verdict { Allow, Ask, Deny };
QString verdictName(Verdict verdict); ///< "allow", "ask", "deny"

/// What a person chose when an agent was paired.
enum class Preset {
    Observe,      ///< reads only; sensitive reads ask
    AskForWrites, ///< every change asks
    Operate       ///< changes run and are recorded; Destroys still asks
};
QString presetName(Preset preset); ///< "observe", "ask", "operate"
std::optional<Preset> presetFromName(const QString &name);

/// Everything a decision may depend on.
struct PolicyQuestion {
    Actor actor;
    Effect effect = Effect::Destroys;
    QString operation;
    bool isSensitive = false;
};

/// A verdict and why, in words.
struct Decision {
    Verdict verdict = Verdict::Deny;
    QString why;
};

/// Decides who may do what. decide() is a pure function of the question and the grants; any thread may hold a copy.
class Policy
{
public:
    /// What this program may do from now on; keyed by actor id.
    void grant(const QString &actorId, Preset preset);
    void revoke(const QString &actorId);
    std::optional<Preset> granted(const QString &actorId) const;
    const QHash<QString, Preset> &grants() const { return m_grants; }
    /// People: reads and changes run, what disrupts or destroys is asked back. The terminal: reads run, the rest asks.
    /// A program without a grant: nothing.
    Decision decide(const PolicyQuestion &question) const;

private:
    QHash<QString, Preset> m_grants;
};
