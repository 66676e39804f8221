#pragma once
#include "mcp/PairedAgents.h"
#include "policy/Policy.h"
#include <QDialog>
#include <functional>

class AgentRights;
class CodeBlock;
class QButtonGroup;
class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

/// Lets a program in: its name, what it may do ("Observe" unless something else is chosen), a fresh key, and then the
/// exact text that sets it up. Never pairs by itself.
class ConnectAgentDialog : public QDialog
{
    Q_OBJECT
public:
    /// Gives the command that starts the bridge for an agent.
    using CommandOf = std::function<QStringList(const QString &agentId)>;
    /// `rights` is borrowed; `suggestedName` is text from outside.
    ConnectAgentDialog(AgentRights &rights, CommandOf command, const QString &suggestedName, QWidget *parent = nullptr);
    /// Goes straight to the set-up of an agent that is paired.
    void showSetup(const QString &agentId, const QString &name, const QString &keyFile);

private:
    QWidget *buildChoice(const QString &suggestedName);
    QLayout *buildChoiceButtons();
    QWidget *buildSetup();
    QLayout *buildClients();
    void addPreset(QVBoxLayout *column, Preset preset, const QString &about);
    void pair();
    void say(const QString &problem);
    void showClient(int index);

    AgentRights &m_rights;
    CommandOf m_command;
    QWidget *m_choice = nullptr, *m_setup = nullptr;
    QLineEdit *m_name = nullptr;
    QButtonGroup *m_presets = nullptr;
    QLabel *m_problem = nullptr;
    QPushButton *m_pair = nullptr;
    QLabel *m_done = nullptr, *m_where = nullptr, *m_key = nullptr;
    QComboBox *m_client = nullptr;
    CodeBlock *m_text = nullptr;
    QString m_agentId;
};
