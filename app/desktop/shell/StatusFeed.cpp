#include "shell/StatusFeed.h"
#include "async/Deliver.h"
#include "audit/AuditLog.h"
#include "audit/AuditQuery.h"
#include "base/Clock.h"
#include "base/DisplayText.h"
#include "inventory/Inventory.h"
#include "mcp/McpServer.h"
#include "pve/Connection.h"
#include "shell/StatusBar.h"
#include "widgets/Quantity.h"
#include <QLocale>
#include <QSet>

using namespace std::chrono_literals;

StatusFeed::StatusFeed(StatusBar &bar, Inventory &inventory, Connections &connections, AuditLog &log, AuditQuery &query,
                       McpServer &agents, QObject *parent)
    : QObject(parent), m_bar(bar), m_inventory(inventory), m_connections(connections), m_log(log), m_query(query),
      m_agents(agents)
{
    connect(&m_inventory, &Inventory::changed, this, [this] {
        sayConnection();
        sayCounts();
    });
    connect(&m_log, &AuditLog::troubleChanged, this, &StatusFeed::sayRecording);
    connect(&m_agents, &McpServer::sessionsChanged, this, &StatusFeed::sayAgents);
    m_ages.setInterval(20s);
    connect(&m_ages, &QTimer::timeout, this, &StatusFeed::sayConnection);
    m_ages.start();
    m_soon.setSingleShot(true);
    m_soon.setInterval(15s);
    connect(&m_soon, &QTimer::timeout, this, &StatusFeed::verify);
    connect(&m_log, &AuditLog::committed, this, [this] {
        if (!m_soon.isActive())
            m_soon.start();
    });
    sayConnection();
    sayCounts();
    sayAgents();
    sayRecording();
}

void StatusFeed::sayConnection()
{
    const auto all = m_inventory.snapshots();
    const auto notLive = std::find_if(all.begin(), all.end(), [](const InventoryPtr &state) {
        return state->reach != InventorySnapshot::Reach::Live;
    });
    if (all.empty()) {
        m_bar.setConnection(tr("Not connected"), Tone::Neutral);
        return;
    }
    const auto &shown = notLive == all.end() ? *all.front() : **notLive; // what is wrong comes first
    QStringList parts{DisplayText::visible(shown.remoteName)};
    if (const auto *connection = m_connections.find(shown.remoteId))
        parts << connection->remote().addresses.value(0);
    if (shown.reach == InventorySnapshot::Reach::Live && shown.latencyMs)
        parts << tr("%1 ms").arg(*shown.latencyMs);
    else if (shown.reach == InventorySnapshot::Reach::Never)
        parts << tr("not reached yet");
    else if (shown.reach != InventorySnapshot::Reach::Live)
        parts << tr("as of %1").arg(Quantity::ago(shown.takenAtMs, Clock::system().wallMs()));
    if (all.size() > 1)
        parts << tr("%1 connections").arg(all.size());
    m_bar.setConnection(parts.join(QStringLiteral(" · ")), notLive == all.end() ? Tone::Green : Tone::Amber,
                        DisplayText::visible(shown.problem));
}

void StatusFeed::sayCounts()
{
    size_t nodes = 0, guests = 0;
    for (const auto &state : m_inventory.snapshots()) {
        nodes += state->nodes.size();
        guests += state->guests.size();
    }
    m_bar.set(StatusBar::Place::Counts, nodes == 0 ? QString() : tr("%1 nodes · %2 guests").arg(nodes).arg(guests));
}

void StatusFeed::sayAgents()
{
    QSet<QString> connected;
    for (const auto &session : m_agents.sessions())
        if (session.isActive)
            connected.insert(session.agentId);
    const auto count = connected.size();
    m_bar.set(StatusBar::Place::Agents, count == 0   ? tr("No agent connected")
                                        : count == 1 ? tr("1 agent connected")
                                                     : tr("%1 agents connected").arg(count));
}

void StatusFeed::verify()
{
    m_walk.start();
    deliver<ChainReport>(m_query.verify(), this, [this](Result<ChainReport> report) {
        // a long chain is walked rarely: at most a twentieth of the time
        m_soon.setInterval(std::max<std::chrono::milliseconds>(15s, std::chrono::milliseconds(m_walk.elapsed() * 20)));
        if (!report) {
            m_chain = tr("Audit chain not verified");
            m_finding = report.error().message;
        } else {
            m_chain = report->isWhole ? tr("Audit chain verified · %1 entries").arg(QLocale().toString(report->events))
                                      : tr("Audit chain broken at entry %1").arg(report->firstBadSeq);
            m_finding = report->finding;
        }
        sayRecording();
    });
}

void StatusFeed::sayChain(bool isWhole, const QString &finding)
{
    m_chain = isWhole ? tr("Audit chain verified") : tr("Audit chain broken");
    m_finding = finding;
    sayRecording();
}

void StatusFeed::sayRecording()
{
    const auto trouble = m_log.trouble();
    if (trouble.isEmpty())
        m_bar.set(StatusBar::Place::Chain, m_chain, m_finding);
    else
        m_bar.set(StatusBar::Place::Chain, tr("Nothing can be recorded, so nothing can be changed"), trouble);
}
