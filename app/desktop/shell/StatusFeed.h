#pragma once
#include <QObject>
#include <QElapsedTimer>
#include <QTimer>

class AuditLog;
class AuditQuery;
class Connections;
class Inventory;
class McpServer;
class StatusBar;

/// Keeps the status bar true: reach and pace of the connections, counts, the state of the audit chain, agents.
class StatusFeed : public QObject
{
    Q_OBJECT
public:
    /// All borrowed; `bar` may go first.
    StatusFeed(StatusBar &bar, Inventory &inventory, Connections &connections, AuditLog &log, AuditQuery &query,
               McpServer &agents, QObject *parent = nullptr);
    /// Walks the chain now.
    void verify();
    /// What a verification elsewhere found.
    void sayChain(bool isWhole, const QString &finding);

private:
    void sayConnection();
    void sayCounts();
    void sayAgents();
    void sayRecording();

    StatusBar &m_bar;
    Inventory &m_inventory;
    Connections &m_connections;
    AuditLog &m_log;
    AuditQuery &m_query;
    McpServer &m_agents;
    QString m_chain, m_finding;
    QTimer m_ages, m_soon;
    QElapsedTimer m_walk;
};
