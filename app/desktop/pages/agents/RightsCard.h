#pragma once
#include "pages/agents/AgentView.h"
#include "widgets/Card.h"

class AgentRights;
class QGridLayout;
class QLabel;
class QPushButton;
class SegmentedControl;

/// What the chosen program may do: its preset, and what the policy decides for each kind of operation. Choosing
/// "Operate" asks once more.
class RightsCard : public Card
{
    Q_OBJECT
public:
    /// `rights` is borrowed.
    explicit RightsCard(AgentRights &rights, QWidget *parent = nullptr);
    void set(const AgentView &agent);
    /// What went wrong with the last change; empty = nothing.
    void say(const QString &problem);

Q_SIGNALS:
    void setupAsked(const QString &agentId);
    void revokeAsked(const QString &agentId);
    void resumeAsked(const QString &agentId);

private:
    void buildPause();
    void buildHeld();
    void buildConfirmation();
    void buildFoot();
    void choose(Preset preset);
    void change(Preset preset);
    void showPreset();
    void fillTable();

    AgentRights &m_rights;
    AgentView m_agent;
    SegmentedControl *m_presets;
    QWidget *m_pause = nullptr;
    QLabel *m_paused = nullptr;
    QWidget *m_held = nullptr;
    QPushButton *m_trust = nullptr;
    QWidget *m_confirm = nullptr;
    QWidget *m_foot = nullptr;
    QLabel *m_question = nullptr, *m_problem = nullptr;
    QPushButton *m_revoke = nullptr;
    QWidget *m_table = nullptr;
};
