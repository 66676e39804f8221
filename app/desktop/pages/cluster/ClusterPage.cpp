#include "pages/cluster/ClusterPage.h"
#include "base/Clock.h"
#include "base/DisplayText.h"
#include "inventory/Inventory.h"
#include "widgets/Card.h"
#include "widgets/Facts.h"
#include "widgets/GuestTable.h"
#include "widgets/Quantity.h"
#include "widgets/Words.h"
#include <QVBoxLayout>

ClusterPage::ClusterPage(Inventory &inventory, QWidget *parent)
    : DetailPage(parent), m_inventory(inventory), m_name(Words::title({}, this)), m_aside(Words::aside({}, this)),
      m_age(Words::muted({}, this)), m_facts(new Facts(this)), m_numbers(new Facts(this)),
      m_guests(new GuestTable(this))
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(m_name, 0, Qt::AlignBaseline);
    row->addWidget(m_aside, 0, Qt::AlignBaseline);
    row->addStretch(1);
    auto *cards = new QHBoxLayout;
    cards->setSpacing(12);
    const std::pair<QString, Facts *> both[] = {{tr("Connection"), m_facts}, {tr("In numbers"), m_numbers}};
    for (const auto &[heading, facts] : both) {
        auto *card = new Card(heading, this);
        card->body()->addWidget(facts);
        card->body()->addStretch(1);
        cards->addWidget(card, 1);
    }
    auto *guests = new Card(tr("Guests"), this);
    guests->body()->addWidget(m_guests);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(18, 12, 18, 16);
    all->setSpacing(12);
    all->addLayout(row);
    all->addWidget(m_age);
    all->addLayout(cards);
    all->addWidget(guests, 1);
    connect(m_guests, &GuestTable::chosen, this, [this](Vmid vmid) {
        Q_EMIT guestChosen({.kind = Selection::Kind::Guest, .remote = m_selection.remote, .vmid = vmid});
    });
    connect(&m_inventory, &Inventory::changed, this, [this](const QString &remote) {
        m_isOutdated = m_isOutdated || remote == m_selection.remote;
        if (isVisible())
            refresh();
    });
}

void ClusterPage::showEvent(QShowEvent *)
{
    refresh();
}

void ClusterPage::show(const Selection &selection)
{
    m_selection = selection;
    m_isOutdated = true;
    refresh();
}

void ClusterPage::refresh()
{
    const auto cluster = m_inventory.snapshot(m_selection.remote);
    if (!cluster || !std::exchange(m_isOutdated, false))
        return;
    const bool isLive = cluster->reach == InventorySnapshot::Reach::Live;
    m_name->setText(DisplayText::visible(cluster->remoteName));
    m_aside->setText(cluster->clusterName.isEmpty() ? tr("not clustered")
                                                    : tr("cluster %1").arg(DisplayText::visible(cluster->clusterName)));
    auto age = tr("As last seen %1.").arg(Quantity::ago(cluster->takenAtMs, Clock::system().wallMs()));
    if (cluster->reach == InventorySnapshot::Reach::Never)
        age = tr("Not reached yet.");
    m_age->setText(cluster->problem.isEmpty() ? age : age + u' ' + DisplayText::visible(cluster->problem, true));
    m_age->setVisible(!isLive || !cluster->problem.isEmpty());
    m_facts->set(tr("State"), isLive ? tr("connected") : tr("not connected now"));
    m_facts->set(tr("Answers in"), cluster->latencyMs && isLive ? tr("%1 ms").arg(*cluster->latencyMs) : QString());
    m_facts->set(tr("Proxmox VE"), DisplayText::visible(cluster->version));
    m_facts->set(tr("Quorum"), !cluster->quorate   ? QString()
                               : *cluster->quorate ? tr("yes")
                                                   : tr("no: changes are refused by the cluster"));
    const auto online = std::count_if(cluster->nodes.begin(), cluster->nodes.end(),
                                      [](const NodeState &node) { return node.status == NodeState::Status::Online; });
    const auto running = std::count_if(cluster->guests.begin(), cluster->guests.end(), [](const GuestState &guest) {
        return guest.power == GuestState::Power::Running;
    });
    m_numbers->set(tr("Nodes"), tr("%1 · %2 online").arg(cluster->nodes.size()).arg(online));
    m_numbers->set(tr("Guests"), tr("%1 · %2 running").arg(cluster->guests.size()).arg(running));
    m_numbers->set(tr("Tasks running"),
                   QString::number(std::count_if(cluster->tasks.begin(), cluster->tasks.end(),
                                                 [](const TaskState &task) { return !task.endTime; })));
    showNodes(*cluster);
    m_guests->show(cluster);
}

/// What is missing is named, and what is counted without it says so.
void ClusterPage::showNodes(const InventorySnapshot &cluster)
{
    const auto load = cluster.load();
    auto cpu = load.cpu ? Quantity::share(*load.cpu) : Quantity::unknown();
    if (load.cpu && load.counted < load.nodes)
        cpu = tr("%1 (%2 of %3 nodes)").arg(cpu).arg(load.counted).arg(load.nodes);
    m_numbers->set(tr("CPU"), cpu);
    QStringList away;
    for (const auto *node : cluster.missingNodes())
        away << (node->lastSeenMs
                     ? tr("%1, last seen %2")
                           .arg(node->name.text(), Quantity::ago(*node->lastSeenMs, Clock::system().wallMs()))
                     : node->name.text());
    m_numbers->set(tr("Away"), away.join(QStringLiteral("; ")));
    m_numbers->set(tr("Not visible"), DisplayText::visible(cluster.hidden));
}
