#include "pages/agents/AgentRights.h"
#include "audit/AuditLog.h"
#include "base/DisplayText.h"
#include "notes/AuditNote.h"
#include "policy/Grants.h"

AgentRights::AgentRights(PairedAgents &agents, Policy &policy, Grants &grants, AuditLog &log, QObject *parent)
    : QObject(parent), m_agents(agents), m_policy(policy), m_grants(grants), m_log(log)
{
}

AgentRights::~AgentRights()
{
    m_stop.request_stop();
}

QString AgentRights::presetText(Preset preset)
{
    switch (preset) {
    case Preset::Observe: return tr("Observe");
    case Preset::AskForWrites: return tr("Ask for writes");
    case Preset::Operate: return tr("Operate");
    }
    Q_UNREACHABLE();
}

std::optional<Preset> AgentRights::presetOf(const QString &agentId) const
{
    const auto granted = m_policy.granted(agentId);
    return granted || agentId != PairedAgents::terminalId ? granted : Preset::AskForWrites;
}

QString AgentRights::nameOf(const QString &agentId) const
{
    if (agentId == PairedAgents::terminalId)
        return tr("Terminal");
    const auto agent = m_agents.find(agentId);
    return agent ? DisplayText::visible(agent->name) : agentId;
}

Future<qint64> AgentRights::note(const QString &text, const QString &target)
{
    return m_log.append(AuditNote::of(Actor::person(), text, target));
}

/// Puts a right, or its absence, into the file and then into the policy; neither if the file cannot be written.
Result<> AgentRights::keep(const QString &agentId, std::optional<Preset> preset)
{
    auto next = m_policy;
    if (preset)
        next.grant(agentId, *preset);
    else
        next.revoke(agentId);
    if (auto saved = m_grants.save(next); !saved)
        return saved.error();
    m_policy = next;
    Q_EMIT changed(agentId);
    return {};
}

void AgentRights::pair(const QString &name, Preset preset, std::function<void(Result<Pairing>)> done)
{
    runPair(name, preset, std::move(done));
}

QCoro::Task<> AgentRights::runPair(QString name, Preset preset, std::function<void(Result<Pairing>)> done)
{
    auto pairing = co_await m_agents.pair(name).until(m_stop.get_token());
    if (m_stop.stop_requested())
        co_return;
    if (!pairing) {
        done(pairing.error());
        co_return;
    }
    const auto shown = DisplayText::visible(pairing->agent.name);
    const auto text = tr("Paired %1: %2").arg(shown, presetText(preset));
    auto noted = co_await note(text, shown).until(m_stop.get_token());
    if (m_stop.stop_requested())
        co_return;
    auto kept = noted ? keep(pairing->agent.id, preset) : Result<>(noted.error());
    if (kept) {
        done(*std::move(pairing));
        co_return;
    }
    auto revoked = co_await m_agents.revoke(pairing->agent.id).until(m_stop.get_token());
    Q_UNUSED(revoked)
    if (!m_stop.stop_requested())
        done(kept.error());
}

void AgentRights::setPreset(const QString &agentId, Preset preset, std::function<void(Result<>)> done)
{
    runSetPreset(agentId, preset, std::move(done));
}

QCoro::Task<> AgentRights::runSetPreset(QString agentId, Preset preset, std::function<void(Result<>)> done)
{
    const auto before = presetOf(agentId);
    const bool isHeld = m_policy.isHeld(agentId);
    const bool narrows = before && !isHeld && preset < *before;
    if (narrows)
        if (auto kept = keep(agentId, preset); !kept) {
            done(kept.error());
            co_return;
        }
    const auto shown = nameOf(agentId);
    const auto text = tr("%1 may now: %2 (before: %3)")
                          .arg(shown, presetText(preset),
                               isHeld   ? tr("held")
                               : before ? presetText(*before)
                                        : tr("nothing"));
    auto noted = co_await note(text, shown).until(m_stop.get_token());
    if (m_stop.stop_requested())
        co_return;
    if (!noted) {
        done(noted.error());
        co_return;
    }
    done(narrows ? Result<>() : keep(agentId, preset));
}

void AgentRights::revoke(const QString &agentId, std::function<void(Result<>)> done)
{
    runRevoke(agentId, std::move(done));
}

QCoro::Task<> AgentRights::runRevoke(QString agentId, std::function<void(Result<>)> done)
{
    const auto shown = nameOf(agentId);
    auto removal = m_agents.revoke(agentId); // it is out from here on
    m_policy.revoke(agentId);
    auto kept = keep(agentId, std::nullopt);
    auto removed = co_await std::move(removal).until(m_stop.get_token());
    if (m_stop.stop_requested())
        co_return;
    auto noted = co_await note(tr("Shut out %1").arg(shown), shown).until(m_stop.get_token());
    if (m_stop.stop_requested())
        co_return;
    if (!removed)
        kept = removed.error();
    if (kept && !noted)
        kept = noted.error();
    done(std::move(kept));
}
