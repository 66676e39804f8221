#pragma once
#include "base/Result.h"
#include "model/Actor.h"
#include "model/Effect.h"
#include <QJsonObject>
#include <QStringList>
#include <optional>
#include <vector>

enum class Verdict { Allow, Ask, Deny };
QString verdictName(Verdict verdict); ///< "allow", "ask", "deny"
std::optional<Verdict> verdictFromName(const QString &name);

/// Where a call acts, as far as it is known. Empty = it has none: an operation on a node has no pool.
struct PolicyTarget {
    QString remote = {}, node = {}, pool = {};
    QStringList tags = {};
    QString guest = {}; ///< "remote:vmid"
};

/// Everything a decision may depend on.
struct PolicyQuestion {
    Actor actor = {};
    Effect effect = Effect::Destroys;
    QString operation = {};
    bool isSensitive = false; ///< a read that may show private text
    PolicyTarget target = {};
    QJsonObject arguments = {};
    qint64 nowMs = 0;         ///< wall time
    bool isRaised = false;    ///< arguments or facts made the effect worse than what the operation declares
    bool isForPeople = false; ///< it may cut our own access
};

/// A condition on one argument. It does not hold for an argument that is not given.
struct ArgumentBound {
    QString parameter = {};
    std::optional<double> atLeast = {}, atMost = {};
    QStringList oneOf = {}; ///< empty = any value
    bool operator==(const ArgumentBound &) const = default;
};

/// One sentence of what programs may do: who, what, where, with which values, until when. What is empty holds for all.
struct Rule {
    enum class Where { Anywhere, Remote, Node, Pool, Tag, Guests };

    QString id = {};
    QString actor = {};                ///< id of a program
    QString operation = {};            ///< "snapshot.create", or a family "snapshot.*"
    std::optional<Effect> effect = {}; ///< this one only
    Where where = Where::Anywhere;
    QString remote = {};     ///< of the place; for Where::Remote it is the place
    QStringList places = {}; ///< names of nodes, pools or tags, or keys of guests
    std::vector<ArgumentBound> bounds = {};
    std::optional<qint64> fromMs = {}, untilMs = {}; ///< wall time; from inclusive, until exclusive
    Verdict verdict = Verdict::Ask;
    QString note = {}; ///< why, in a person's words
    bool operator==(const Rule &) const = default;

    /// Whether it speaks of this call. What is not known counts against Allow and for Ask and Deny.
    bool speaksOf(const PolicyQuestion &question) const;
    /// Whether it says everything the other says and something more. Of two that differ otherwise neither does.
    bool isNarrowerThan(const Rule &other) const;
    /// Whether it names the operation itself, not only its family or effect.
    bool namesOperation() const;

    QJsonObject json() const;
    /// Malformed: a word that is not known; then the rule says nothing at all.
    static Result<Rule> fromJson(const QJsonObject &json);
};
