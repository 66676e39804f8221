#include "pages/agents/AgentsPage.h"
#include "approval/ApprovalDialog.h"
#include "approval/ApprovalQueue.h"
#include "audit/AuditLog.h"
#include "base/DisplayText.h"
#include "notes/AuditNote.h"
#include "pages/agents/AgentCard.h"
#include "pages/agents/AgentRights.h"
#include "pages/agents/AgentSetup.h"
#include "pages/agents/ConnectAgentDialog.h"
#include "pages/agents/LiveCalls.h"
#include "pages/agents/PairingCard.h"
#include "pages/agents/RevokeDialog.h"
#include "pages/agents/RightsCard.h"
#include "pages/agents/WaitingCard.h"
#include "policy/Grants.h"
#include "policy/Limits.h"
#include "widgets/Line.h"
#include "widgets/RowDelegate.h"
#include "widgets/RowTable.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

using namespace std::chrono_literals;

static constexpr int listWidth = 346;

AgentsPage::AgentsPage(const AgentsPageParts &parts, QWidget *parent)
    : QWidget(parent), m(parts),
      m_rights(std::make_unique<AgentRights>(parts.agents, parts.policy, parts.grants, parts.log))
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildTop());
    column->addWidget(new Line(Qt::Horizontal, this));
    auto *row = new QHBoxLayout;
    row->setContentsMargins(18, 16, 18, 16);
    row->setSpacing(14);
    row->addWidget(buildLeft());
    row->addWidget(buildRight(), 1);
    column->addLayout(row, 1);
    connectParts();
    refresh();
    refreshPairing();
}

AgentsPage::~AgentsPage() = default;

QWidget *AgentsPage::buildTop()
{
    auto *top = new QWidget(this);
    top->setObjectName(QStringLiteral("surface"));
    top->setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(top);
    row->setContentsMargins(18, 14, 18, 14);
    row->addWidget(Words::title(tr("Agents"), top));
    row->addStretch();
    auto *connectOne = new QPushButton(tr("Connect an agent…"), top);
    connectOne->setObjectName(QStringLiteral("connectAgent"));
    connectOne->setProperty("role", "primary");
    connect(connectOne, &QPushButton::clicked, this, [this] { connectAgent(); });
    row->addWidget(connectOne);
    return top;
}

QWidget *AgentsPage::buildLeft()
{
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(listWidth);
    auto *inside = new QWidget;
    auto *column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    m_none =
        Words::muted(tr("No agent is paired yet. “Connect an agent…” makes a key and shows how to set it up."), inside);
    m_none->setWordWrap(true);
    column->addWidget(m_none);
    m_list = new QVBoxLayout;
    m_list->setSpacing(10);
    column->addLayout(m_list);
    m_knocking = new QVBoxLayout;
    m_knocking->setSpacing(10);
    column->addLayout(m_knocking);
    column->addStretch(1);
    scroll->setWidget(inside);
    inside->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    return scroll;
}

QWidget *AgentsPage::buildRight()
{
    auto *side = new QWidget(this);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    m_rightsCard = new RightsCard(*m_rights, side);
    m_rightsCard->hide();
    m_waiting = new WaitingCard(m.queue, m.clock, side);
    auto *live = new Card(tr("Live calls"), side);
    auto *table = new RowTable(live);
    table->setObjectName(QStringLiteral("liveCalls"));
    table->setAccessibleName(tr("Live calls"));
    table->setItemDelegate(new RowDelegate(table));
    table->setModel(new LiveCalls(m.executor, table));
    table->setFont(Words::monoFont(font()));
    table->header()->setStretchLastSection(false);
    table->header()->setSectionResizeMode(LiveCalls::What, QHeaderView::Stretch);
    table->header()->resizeSection(LiveCalls::Time, 110);
    table->header()->resizeSection(LiveCalls::Who, 130);
    table->header()->resizeSection(LiveCalls::State, 140);
    live->body()->addWidget(table);
    column->addWidget(m_rightsCard);
    column->addWidget(m_waiting);
    column->addWidget(live, 1);
    return side;
}

void AgentsPage::connectParts()
{
    connect(&m.agents, &PairedAgents::changed, this, &AgentsPage::refresh);
    connect(&m.server, &McpServer::sessionsChanged, this, &AgentsPage::refresh);
    connect(m_rights.get(), &AgentRights::changed, this, &AgentsPage::refresh);
    connect(&m.server, &McpServer::pairingRequestsChanged, this, &AgentsPage::refreshPairing);
    connect(m_rightsCard, &RightsCard::setupAsked, this, &AgentsPage::showSetup);
    connect(m_rightsCard, &RightsCard::revokeAsked, this, &AgentsPage::askToRevoke);
    connect(m_rightsCard, &RightsCard::resumeAsked, this, [this](const QString &id) {
        m.limits.resume(id);
        const auto agent = m.agents.find(id);
        const auto noted = m.log.append(AuditNote::of(
            Actor::person(), tr("Let %1 go on").arg(agent ? DisplayText::visible(agent->name) : tr("Terminal"))));
        Q_UNUSED(noted) // it goes on whether or not the row is there
        refresh();
    });
    m_tick.setInterval(1s);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (!isVisible())
            return;
        refresh();
        m_waiting->refreshAges();
    });
    m_tick.start();
}

std::vector<AgentView> AgentsPage::gather() const
{
    std::vector<AgentView> all;
    const auto add = [&](const QString &id, const QString &name, const PairedAgent *paired) {
        AgentView view;
        view.id = id;
        view.name = name;
        view.callsPerMinute = m.limits.allowance.callsPerMinute;
        view.preset = m_rights->presetOf(id);
        view.isHeld = m_rights->policy().isHeld(id);
        view.isTerminal = !paired;
        view.callsThisMinute = m.limits.callsThisMinute(id);
        view.paused = m.limits.pausedBecause(id);
        if (paired) {
            view.program = DisplayText::visible(paired->program);
            view.lastSeenMs = paired->lastSeenMs;
        }
        for (const auto &session : m.server.sessions())
            if (session.agentId == id && session.isActive) {
                ++view.sessions;
                view.pid = session.pid;
                view.program = DisplayText::visible(session.program);
            }
        all.push_back(view);
    };
    for (const auto &agent : m.agents.all())
        add(agent.id, DisplayText::visible(agent.name), &agent);
    add(PairedAgents::terminalId, tr("Terminal"), nullptr);
    if (!all.back().sessions && m_chosen != PairedAgents::terminalId)
        all.pop_back();
    return all;
}

void AgentsPage::refresh()
{
    const auto views = gather();
    m_none->setVisible(m.agents.all().empty());
    std::map<QString, AgentCard *> kept;
    for (const auto &view : views) {
        auto *&card = kept[view.id];
        card = m_cards.contains(view.id) ? m_cards[view.id] : nullptr;
        if (!card) {
            card = new AgentCard(this);
            connect(card, &AgentCard::chosen, this, [this, id = view.id] { choose(id); });
            m_list->addWidget(card);
        }
        card->set(view, m.clock.wallMs());
    }
    for (const auto &[id, card] : m_cards)
        if (!kept.contains(id))
            card->deleteLater();
    m_cards = std::move(kept);
    if (!m_cards.contains(m_chosen))
        m_chosen = views.empty() ? QString() : views.front().id;
    choose(m_chosen);
}

void AgentsPage::choose(const QString &agentId)
{
    m_chosen = agentId;
    for (const auto &[id, card] : m_cards)
        card->setChosen(id == agentId);
    m_rightsCard->setVisible(!agentId.isEmpty());
    for (const auto &view : gather())
        if (view.id == agentId)
            m_rightsCard->set(view);
}

void AgentsPage::refreshPairing()
{
    while (auto *item = m_knocking->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const auto &request : m.server.pairingRequests()) {
        auto *card = new PairingCard(request, this);
        connect(card, &PairingCard::pairAsked, this, [this, name = request.name] { connectAgent(name); });
        connect(card, &PairingCard::ignored, this, [this, pid = request.pid] { m.server.dismissPairingRequest(pid); });
        m_knocking->addWidget(card);
    }
}

QStringList AgentsPage::commandOf(const QString &agentId) const
{
    return AgentSetup::command(m.bridge, agentId, m.isDemo && m.isUsualPlace,
                               m.isUsualPlace ? QString() : m.agents.keyFile(agentId),
                               m.isUsualPlace ? QString() : m.server.path());
}

ConnectAgentDialog *AgentsPage::connectAgent(const QString &suggestedName)
{
    auto *dialog = new ConnectAgentDialog(
        *m_rights, [this](const QString &id) { return commandOf(id); }, suggestedName, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return dialog;
}

void AgentsPage::showSetup(const QString &agentId)
{
    const auto agent = m.agents.find(agentId);
    if (agent)
        connectAgent()->showSetup(agentId, agent->name, m.agents.keyFile(agentId));
}

void AgentsPage::askToRevoke(const QString &agentId)
{
    const auto agent = m.agents.find(agentId);
    if (!agent)
        return;
    auto *dialog = new RevokeDialog(DisplayText::visible(agent->name), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, agentId] {
        m_rights->revoke(agentId, [this](const Result<> &done) {
            if (!done)
                m_rightsCard->say(DisplayText::visible(done.error().message));
        });
    });
    dialog->open();
}
