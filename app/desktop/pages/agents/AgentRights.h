#pragma once
#include "mcp/PairedAgents.h"
#include "policy/Policy.h"
#include <QCoro/QCoroTask>
#include <functional>

class AuditLog;
class Grants;

/// Lets programs in, changes what they may do, and shuts them out; each is a row of the timeline. What widens a right
/// is recorded before it holds; what narrows one holds at once. Owner's thread only.
class AgentRights : public QObject
{
    Q_OBJECT
public:
    /// All borrowed.
    AgentRights(PairedAgents &agents, Policy &policy, Grants &grants, AuditLog &log, QObject *parent = nullptr);
    ~AgentRights() override;

    /// `done` hears the key's file, or why nothing was paired: Invalid (the name), Unavailable (keyring, disk, log).
    void pair(const QString &name, Preset preset, std::function<void(Result<Pairing>)> done);
    /// Unavailable: nothing has changed.
    void setPreset(const QString &agentId, Preset preset, std::function<void(Result<>)> done);
    /// The agent is out before this returns. An error tells what could not be cleaned up or recorded.
    void revoke(const QString &agentId, std::function<void(Result<>)> done);
    /// What it may do; the terminal asks for writes until something else is chosen; nothing = not paired.
    std::optional<Preset> presetOf(const QString &agentId) const;
    const Policy &policy() const { return m_policy; }

    /// "Observe", "Ask for writes", "Operate"
    static QString presetText(Preset preset);

Q_SIGNALS:
    void changed(const QString &agentId);

private:
    QCoro::Task<> runPair(QString name, Preset preset, std::function<void(Result<Pairing>)> done);
    QCoro::Task<> runSetPreset(QString agentId, Preset preset, std::function<void(Result<>)> done);
    QCoro::Task<> runRevoke(QString agentId, std::function<void(Result<>)> done);
    Future<qint64> note(const QString &text, const QString &target);
    Result<> keep(const QString &agentId, std::optional<Preset> preset);
    QString nameOf(const QString &agentId) const;

    PairedAgents &m_agents;
    Policy &m_policy;
    Grants &m_grants;
    AuditLog &m_log;
    std::stop_source m_stop;
};
