#pragma once
#include "mcp/McpServer.h"
#include "pages/agents/AgentView.h"
#include <QTimer>
#include <QWidget>
#include <map>

class AgentCard;
class AgentRights;
class ApprovalQueue;
class AuditLog;
class ConnectAgentDialog;
class Grants;
class Limits;
class QLabel;
class QVBoxLayout;
class RightsCard;
class WaitingCard;

/// What the page works with; all borrowed.
struct AgentsPageParts {
    PairedAgents &agents;
    McpServer &server;
    Policy &policy;
    Grants &grants;
    Limits &limits;
    Executor &executor;
    ApprovalQueue &queue;
    AuditLog &log;
    const Clock &clock;
    bool isDemo = false;
    QString bridge;           ///< absolute path of labhelm-mcp
    bool isUsualPlace = true; ///< keys and socket are where the bridge looks by itself
};

/// Who is connected, what each may do, what waits for the person, and what programs call at the moment.
class AgentsPage : public QWidget
{
    Q_OBJECT
public:
    explicit AgentsPage(const AgentsPageParts &parts, QWidget *parent = nullptr);
    ~AgentsPage() override;
    AgentRights &rights() { return *m_rights; }
    /// Opens "Connect an agent…"; `suggestedName` is text from outside. Returns the dialog.
    ConnectAgentDialog *connectAgent(const QString &suggestedName = {});

private:
    QWidget *buildTop();
    QWidget *buildLeft();
    QWidget *buildRight();
    void connectParts();
    std::vector<AgentView> gather() const;
    void refresh();
    void refreshPairing();
    void choose(const QString &agentId);
    void showSetup(const QString &agentId);
    void askToRevoke(const QString &agentId);
    QStringList commandOf(const QString &agentId) const;

    AgentsPageParts m;
    std::unique_ptr<AgentRights> m_rights;
    std::map<QString, AgentCard *> m_cards;
    QString m_chosen;
    QVBoxLayout *m_list = nullptr;
    QVBoxLayout *m_knocking = nullptr;
    QLabel *m_none = nullptr;
    RightsCard *m_rightsCard = nullptr;
    WaitingCard *m_waiting = nullptr;
    QTimer m_tick;
};
