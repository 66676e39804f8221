#include "policy/Policy.h"
#include "base/DisplayText.h"
#include <QCoreApplication>
#include <algorithm>
#include <array>

static constexpr std::array presetNames{"observe", "ask", "operate"};

QString presetName(Preset preset)
{
    return QString::fromLatin1(presetNames[size_t(preset)]);
}

std::optional<Preset> presetFromName(const QString &name)
{
    for (size_t i = 0; i < presetNames.size(); ++i)
        if (name == QLatin1String(presetNames[i]))
            return static_cast<Preset>(i);
    return std::nullopt;
}

void Policy::grant(const QString &actorId, Preset preset)
{
    m_grants[actorId] = preset;
    m_held.remove(actorId);
}

void Policy::revoke(const QString &actorId)
{
    m_grants.remove(actorId);
    m_held.remove(actorId);
    std::erase_if(m_rules, [&actorId](const Rule &rule) { return rule.actor == actorId; });
}

void Policy::setRule(const Rule &rule)
{
    const auto found =
        std::find_if(m_rules.begin(), m_rules.end(), [&rule](const Rule &each) { return each.id == rule.id; });
    if (found == m_rules.end())
        m_rules.push_back(rule);
    else
        *found = rule;
}

void Policy::removeRule(const QString &id)
{
    std::erase_if(m_rules, [&id](const Rule &rule) { return rule.id == id; });
}

std::optional<Preset> Policy::granted(const QString &actorId) const
{
    const auto found = m_grants.constFind(actorId);
    return found == m_grants.cend() ? std::nullopt : std::optional(*found);
}

static QString tr(const char *text)
{
    return QCoreApplication::translate("Policy", text);
}

static Decision decideForPreset(Preset preset, const PolicyQuestion &question)
{
    const bool reads = question.effect == Effect::Reads;
    if (reads && question.isSensitive && preset != Preset::Operate)
        return {Verdict::Ask, tr("This read may show private text, so it asks.")};
    if (reads)
        return {Verdict::Allow, tr("Reading is allowed.")};
    switch (preset) {
    case Preset::Observe:
        return {Verdict::Deny, tr("“Observe” allows reading only. A person can change this on the Agents page.")};
    case Preset::AskForWrites: return {Verdict::Ask, tr("“Ask for writes” asks before every change.")};
    case Preset::Operate:
        if (question.effect >= Effect::Destroys)
            return {Verdict::Ask, tr("“Operate” still asks before anything is destroyed.")};
        return {Verdict::Allow, tr("“Operate” lets changes run and records them.")};
    }
    Q_UNREACHABLE();
}

static QString whyOf(const Rule &rule)
{
    const auto note = DisplayText::visible(rule.note);
    switch (rule.verdict) {
    case Verdict::Allow:
        return note.isEmpty() ? tr("A rule of yours allows this.") : tr("Allowed by a rule: %1").arg(note);
    case Verdict::Ask: return note.isEmpty() ? tr("A rule of yours asks here.") : tr("Asked by a rule: %1").arg(note);
    case Verdict::Deny: break;
    }
    return note.isEmpty() ? tr("A rule of yours denies this.") : tr("Denied by a rule: %1").arg(note);
}

/// Of the rules that speak of the call, those that no other one narrows; of these the strictest.
std::optional<Decision> Policy::decideByRules(const PolicyQuestion &question, bool isHeld) const
{
    std::vector<const Rule *> speaking;
    for (const auto &rule : m_rules)
        if (rule.speaksOf(question) && !(isHeld && rule.verdict == Verdict::Allow))
            speaking.push_back(&rule);
    const Rule *strictest = nullptr;
    for (const auto *rule : speaking) {
        const bool isNarrowed = std::any_of(speaking.begin(), speaking.end(),
                                            [rule](const Rule *other) { return other->isNarrowerThan(*rule); });
        if (!isNarrowed && (!strictest || rule->verdict > strictest->verdict))
            strictest = rule;
    }
    if (!strictest)
        return std::nullopt;
    return Decision{strictest->verdict, whyOf(*strictest), strictest->id};
}

Decision Policy::decideForProgram(const PolicyQuestion &question, std::optional<Preset> preset) const
{
    if (!preset)
        return {Verdict::Deny, tr("This program is not paired with Labhelm.")};
    if (question.isForPeople && question.effect != Effect::Reads)
        return {Verdict::Deny, tr("This could cut the connection to the cluster, so only a person may do it.")};
    const bool isHeld = m_held.contains(question.actor.id);
    if (isHeld && question.effect != Effect::Reads)
        return {Verdict::Deny, tr("What programs may do was changed outside Labhelm, so this one may only look until a "
                                  "person chooses again on the Agents page.")};
    if (auto decision = decideByRules(question, isHeld))
        return *std::move(decision);
    return decideForPreset(isHeld ? Preset::Observe : *preset, question);
}

Decision Policy::decide(const PolicyQuestion &question) const
{
    switch (question.actor.kind) {
    case Actor::Kind::Person:
        if (question.effect > Effect::Changes)
            return {Verdict::Ask, tr("You are asked once more before something is interrupted or lost.")};
        return {Verdict::Allow, tr("You may do this.")};
    case Actor::Kind::Labhelm:
        if (question.effect == Effect::Reads)
            return {Verdict::Allow, tr("Labhelm may read.")};
        return {Verdict::Deny, tr("Labhelm changes nothing by itself.")};
    case Actor::Kind::Terminal:
        return decideForProgram(question, granted(question.actor.id).value_or(Preset::AskForWrites));
    case Actor::Kind::Agent: return decideForProgram(question, granted(question.actor.id));
    case Actor::Kind::Outside: break;
    }
    return {Verdict::Deny, tr("Nobody acts from outside through Labhelm.")};
}
