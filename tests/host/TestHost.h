#pragma once
#include "audit/AuditLog.h"
#include "execution/Executor.h"
#include "execution/UndoLog.h"
#include "mcp/McpServer.h"
#include "simulator/control/ControlCommands.h"
#include "support/ScriptedApprover.h"
#include "support/TestCluster.h"
#include <QDir>

/// What stands behind the window, without the window: simulated cluster, audit log, executor and endpoint, with a
/// person who answers when told to.
class TestHost : public QObject
{
    Q_OBJECT
public:
    /// `folder` gets the folders run, config and data.
    TestHost(const QString &folder, double taskPace, int callsPerMinute);
    ~TestHost() override;

    /// Where everything is, once it is ready; or why it is not.
    Result<QJsonObject> begin();
    /// Carries out one command and answers through replied(), at once or when it can:
    ///   pair {name, preset} · revoke {agent} · sessions · pairing_requests
    ///   asked: waits for a question to the person · answer {allow, reason} · drop · questions
    ///   idle: waits until no call runs · rows · refresh
    ///   simulator {command}: one of ControlCommands
    void run(const QJsonObject &command);

Q_SIGNALS:
    void replied(const QJsonValue &value);

private:
    bool runOnAgents(const QString &what, const QJsonObject &command);
    bool runOnQuestions(const QString &what, const QJsonObject &command);
    QCoro::Task<> pair(QString name, Preset preset, std::stop_token stop);
    QCoro::Task<> rows(std::stop_token stop);
    QCoro::Task<> refresh(std::stop_token stop);
    void look();
    QJsonObject question() const;

    QDir m_folder;
    TestCluster m_cluster;
    AuditLog m_log;
    AuditQuery m_query{m_log};
    UndoLog m_undo{m_query};
    Services m_services{m_cluster.connections, m_cluster.inventory, m_undo, m_undo, Clock::system()};
    Catalogue m_catalogue;
    Policy m_policy;
    Limits m_limits{Clock::system()};
    ScriptedApprover m_approver;
    Executor m_executor;
    PairedAgents m_agents;
    McpServer m_server;
    ControlCommands m_simulator;
    QString m_waitsFor; ///< "asked" or "idle"; empty = nothing
    std::stop_source m_stop;
};
