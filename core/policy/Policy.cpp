#include "policy/Policy.h"
#include <QCoreApplication>
#include <array>

static constexpr std::array verdictNames{"allow", "ask", "deny"};
static constexpr std::array presetNames{"observe", "ask", "operate"};

QString verdictName(Verdict verdict)
{
    return QString::fromLatin1(verdictNames[size_t(verdict)]);
}
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
}
void Policy::revoke(const QString &actorId)
{
    m_grants.remove(actorId);
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
    case Preset::AskForWrites:
        return {Verdict::Ask, tr("“Ask for writes” asks before every change.")};
    case Preset::Operate:
        if (question.effect >= Effect::Destroys)
            return {Verdict::Ask, tr("“Operate” still asks before anything is destroyed.")};
        return {Verdict::Allow, tr("“Operate” lets changes run and records them.")};
    }
    Q_UNREACHABLE();
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
        return decideForPreset(granted(question.actor.id).value_or(Preset::AskForWrites), question);
    case Actor::Kind::Agent:
        if (const auto preset = granted(question.actor.id))
            return decideForPreset(*preset, question);
        return {Verdict::Deny, tr("This program is not paired with Labhelm.")};
    case Actor::Kind::Outside:
        break;
    }
    return {Verdict::Deny, tr("Nobody acts from outside through Labhelm.")};
}
