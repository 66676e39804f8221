#include "policy/Rule.h"
#include <QJsonArray>
#include <algorithm>
#include <array>
#include <cmath>

static constexpr std::array verdictNames{"allow", "ask", "deny"};
static constexpr std::array whereNames{"anywhere", "remote", "node", "pool", "tag", "guests"};

template <class Enum, size_t count>
static std::optional<Enum> fromName(const std::array<const char *, count> &names, const QString &name)
{
    for (size_t i = 0; i < count; ++i)
        if (name == QLatin1String(names[i]))
            return static_cast<Enum>(i);
    return std::nullopt;
}

QString verdictName(Verdict verdict)
{
    return QString::fromLatin1(verdictNames[size_t(verdict)]);
}

std::optional<Verdict> verdictFromName(const QString &name)
{
    return fromName<Verdict>(verdictNames, name);
}

static bool isFamily(const QString &operation)
{
    return operation.endsWith(QLatin1String(".*"));
}

bool Rule::namesOperation() const
{
    return !operation.isEmpty() && !isFamily(operation);
}

static bool holdsForOperation(const Rule &rule, const QString &operation)
{
    if (isFamily(rule.operation))
        return operation.startsWith(QStringView(rule.operation).chopped(1));
    return rule.operation.isEmpty() || rule.operation == operation;
}

static bool holdsForPlace(const Rule &rule, const PolicyTarget &target)
{
    if (!rule.remote.isEmpty() && rule.remote != target.remote)
        return false;
    switch (rule.where) {
    case Rule::Where::Anywhere:
    case Rule::Where::Remote: return true;
    case Rule::Where::Node: return rule.places.contains(target.node);
    case Rule::Where::Pool: return rule.places.contains(target.pool);
    case Rule::Where::Guests: return rule.places.contains(target.guest);
    case Rule::Where::Tag:
        return std::any_of(target.tags.begin(), target.tags.end(),
                           [&rule](const QString &tag) { return rule.places.contains(tag); });
    }
    return false;
}

/// `unjudged`: the answer for a value that cannot be compared.
static bool holdsForValue(const ArgumentBound &bound, const QJsonValue &value, bool unjudged)
{
    if (value.isUndefined() || value.isNull())
        return false;
    const auto text = value.toVariant().toString();
    if (!bound.oneOf.isEmpty() && !bound.oneOf.contains(text))
        return false;
    if (!bound.atLeast && !bound.atMost)
        return true;
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    if (!isNumber || !std::isfinite(number))
        return unjudged;
    return (!bound.atLeast || number >= *bound.atLeast) && (!bound.atMost || number <= *bound.atMost);
}

bool Rule::speaksOf(const PolicyQuestion &question) const
{
    const bool isAllow = verdict == Verdict::Allow;
    if ((!actor.isEmpty() && actor != question.actor.id) || !holdsForOperation(*this, question.operation) ||
        (effect && *effect != question.effect) || !holdsForPlace(*this, question.target))
        return false;
    if ((fromMs && question.nowMs < *fromMs) || (untilMs && question.nowMs >= *untilMs))
        return false;
    // Leave for an operation is leave for what it usually does, leave for reading is not leave for private text, and
    // what destroys is allowed by its name only.
    if (isAllow && ((question.isRaised && !effect) || (question.isSensitive && operation.isEmpty()) ||
                    (question.effect == Effect::Destroys && !namesOperation())))
        return false;
    return std::all_of(bounds.begin(), bounds.end(), [&](const ArgumentBound &bound) {
        return holdsForValue(bound, question.arguments[bound.parameter], !isAllow);
    });
}

bool Rule::isNarrowerThan(const Rule &other) const
{
    const auto ranks = [](const Rule &rule) {
        return std::array{int(!rule.actor.isEmpty()),
                          rule.namesOperation()       ? 2
                          : !rule.operation.isEmpty() ? 1
                                                      : 0,
                          int(rule.effect.has_value()),
                          rule.where == Where::Anywhere && !rule.remote.isEmpty() ? int(Where::Remote)
                                                                                  : int(rule.where),
                          int(rule.bounds.size()),
                          int(rule.fromMs || rule.untilMs)};
    };
    const auto mine = ranks(*this);
    const auto theirs = ranks(other);
    return mine != theirs && std::equal(mine.begin(), mine.end(), theirs.begin(), std::greater_equal<>());
}

static QJsonObject boundJson(const ArgumentBound &bound)
{
    QJsonObject json{{QStringLiteral("parameter"), bound.parameter}};
    if (bound.atLeast)
        json.insert(QStringLiteral("at_least"), *bound.atLeast);
    if (bound.atMost)
        json.insert(QStringLiteral("at_most"), *bound.atMost);
    if (!bound.oneOf.isEmpty())
        json.insert(QStringLiteral("one_of"), QJsonArray::fromStringList(bound.oneOf));
    return json;
}

QJsonObject Rule::json() const
{
    QJsonObject json{{QStringLiteral("id"), id}, {QStringLiteral("verdict"), verdictName(verdict)}};
    const auto add = [&json](const char *key, const QString &text) {
        if (!text.isEmpty())
            json.insert(QLatin1String(key), text);
    };
    add("actor", actor);
    add("operation", operation);
    add("effect", effect ? effectName(*effect) : QString());
    add("remote", remote);
    add("note", note);
    if (where != Where::Anywhere)
        add("where", QString::fromLatin1(whereNames[size_t(where)]));
    if (!places.isEmpty())
        json.insert(QStringLiteral("places"), QJsonArray::fromStringList(places));
    QJsonArray all;
    for (const auto &bound : bounds)
        all.append(boundJson(bound));
    if (!all.isEmpty())
        json.insert(QStringLiteral("bounds"), all);
    if (fromMs)
        json.insert(QStringLiteral("from_ms"), *fromMs);
    if (untilMs)
        json.insert(QStringLiteral("until_ms"), *untilMs);
    return json;
}

namespace
{
/// Reads one object; whatever does not fit is remembered, so that half a rule is never taken for a whole one.
class RuleReader
{
public:
    explicit RuleReader(const QJsonObject &json) : m_json(json) {}
    QString text(const char *key)
    {
        const auto value = take(key);
        isWhole = isWhole && (value.isUndefined() || (value.isString() && !value.toString().isEmpty()));
        return value.toString();
    }
    std::optional<double> number(const char *key)
    {
        const auto value = take(key);
        isWhole = isWhole && (value.isUndefined() || value.isDouble());
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    }
    std::optional<qint64> time(const char *key)
    {
        const auto value = number(key);
        return value ? std::optional(qint64(*value)) : std::nullopt;
    }
    QStringList texts(const char *key)
    {
        const auto value = take(key);
        QStringList all;
        for (const auto &each : value.toArray()) {
            isWhole = isWhole && each.isString() && !each.toString().isEmpty();
            all.append(each.toString());
        }
        isWhole = isWhole && (value.isUndefined() || (value.isArray() && !all.isEmpty()));
        return all;
    }
    QJsonValue take(const char *key) { return m_json.take(QLatin1String(key)); }
    /// Nothing was wrong, and nothing is left that nobody understands.
    bool isUnderstood() const { return isWhole && m_json.isEmpty(); }
    bool isWhole = true;

private:
    QJsonObject m_json;
};

std::optional<ArgumentBound> boundFrom(const QJsonValue &json)
{
    RuleReader reader(json.toObject());
    ArgumentBound bound;
    bound.parameter = reader.text("parameter");
    bound.atLeast = reader.number("at_least");
    bound.atMost = reader.number("at_most");
    bound.oneOf = reader.texts("one_of");
    const bool saysSomething = bound.atLeast || bound.atMost || !bound.oneOf.isEmpty();
    return reader.isUnderstood() && saysSomething && !bound.parameter.isEmpty() ? std::optional(bound) : std::nullopt;
}
} // namespace

Result<Rule> Rule::fromJson(const QJsonObject &json)
{
    RuleReader reader(json);
    Rule rule;
    rule.id = reader.text("id");
    rule.actor = reader.text("actor");
    rule.operation = reader.text("operation");
    rule.remote = reader.text("remote");
    rule.note = reader.text("note");
    rule.places = reader.texts("places");
    rule.fromMs = reader.time("from_ms");
    rule.untilMs = reader.time("until_ms");
    const auto said = reader.text("verdict");
    const auto effect = reader.text("effect");
    const auto where = reader.text("where");
    bool isWhole = true;
    const auto bounds = reader.take("bounds");
    for (const auto &each : bounds.toArray()) {
        const auto bound = boundFrom(each);
        isWhole = isWhole && bound;
        rule.bounds.push_back(bound.value_or(ArgumentBound()));
    }
    rule.effect = effectFromName(effect);
    const auto verdict = verdictFromName(said);
    const auto place = where.isEmpty() ? Where::Anywhere : fromName<Where>(whereNames, where);
    const bool needsPlaces = place && *place >= Where::Node;
    if (!isWhole || !reader.isUnderstood() || rule.id.isEmpty() || !verdict || !place ||
        (!effect.isEmpty() && !rule.effect) || (!bounds.isUndefined() && rule.bounds.empty()) ||
        needsPlaces == rule.places.isEmpty() || (place == Where::Remote && rule.remote.isEmpty()))
        return Error{Error::Kind::Malformed, QStringLiteral("not a rule"), rule.id};
    rule.verdict = *verdict;
    rule.where = *place;
    return rule;
}
