#include "pages/node/NodePage.h"
#include "base/Clock.h"
#include "base/DisplayText.h"
#include "inventory/Inventory.h"
#include "model/PveValue.h"
#include "operations/PersonCalls.h"
#include "widgets/Card.h"
#include "widgets/Facts.h"
#include "widgets/GuestTable.h"
#include "widgets/Pill.h"
#include "widgets/Quantity.h"
#include "widgets/TaskTable.h"
#include "widgets/Words.h"
#include <QJsonArray>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

using namespace std::chrono_literals;

NodePage::NodePage(Inventory &inventory, PersonCalls &calls, QWidget *parent)
    : DetailPage(parent), m_inventory(inventory), m_calls(calls), m_name(Words::title({}, this)),
      m_aside(Words::aside(tr("node"), this)), m_age(Words::muted({}, this)),
      m_state(new Pill({}, Tone::Neutral, this)), m_load(new Facts(this)), m_about(new Facts(this)),
      m_guests(new GuestTable(this)), m_tasks(new TaskTable(this))
{
    setObjectName(QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    auto *summary = new QWidget(this);
    summary->setObjectName(QStringLiteral("canvas"));
    summary->setAttribute(Qt::WA_StyledBackground);
    auto *cards = new QHBoxLayout(summary);
    cards->setContentsMargins(18, 16, 18, 16);
    cards->setSpacing(12);
    auto *load = new Card(tr("Load"), summary);
    load->body()->addWidget(m_load);
    load->body()->addStretch(1);
    auto *about = new Card(tr("About"), summary);
    about->body()->addWidget(m_about);
    about->body()->addStretch(1);
    cards->addWidget(load, 1);
    cards->addWidget(about, 1);
    auto *tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->tabBar()->setDrawBase(false);
    tabs->setAccessibleName(tr("Parts of this node"));
    tabs->addTab(summary, tr("Summary"));
    tabs->addTab(m_guests, tr("Guests"));
    tabs->addTab(m_tasks, tr("Tasks"));
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(6);
    all->addWidget(makeHead());
    all->addWidget(tabs, 1);
    connect(m_guests, &GuestTable::chosen, this, [this](Vmid vmid) {
        Q_EMIT guestChosen({.kind = Selection::Kind::Guest, .remote = m_selection.remote, .vmid = vmid});
    });
    connect(&m_inventory, &Inventory::changed, this, [this](const QString &remote) {
        if (remote == m_selection.remote && isVisible())
            refresh();
    });
    m_again.setInterval(15s);
    connect(&m_again, &QTimer::timeout, this, &NodePage::ask);
}

QWidget *NodePage::makeHead()
{
    auto *head = new QWidget(this);
    auto *column = new QVBoxLayout(head);
    column->setContentsMargins(18, 12, 18, 0);
    column->setSpacing(4);
    auto *row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(m_name, 0, Qt::AlignBaseline);
    row->addWidget(m_aside, 0, Qt::AlignBaseline);
    row->addWidget(m_state, 0, Qt::AlignVCenter);
    row->addStretch(1);
    column->addLayout(row);
    column->addWidget(m_age);
    return head;
}

void NodePage::show(const Selection &selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    m_status = {};
    refresh();
    ask();
}

void NodePage::refresh()
{
    const auto cluster = m_inventory.snapshot(m_selection.remote);
    const auto *node = cluster ? cluster->node(m_selection.node) : nullptr;
    if (!node)
        return;
    const auto now = Clock::system().wallMs();
    m_name->setText(node->name.text());
    switch (node->status) {
    case NodeState::Status::Online: m_state->set(tr("online"), Tone::Green); break;
    case NodeState::Status::Offline: m_state->set(tr("offline"), Tone::Red); break;
    case NodeState::Status::Unknown: m_state->set(tr("unknown"), Tone::Neutral); break;
    }
    const bool isLive = cluster->reach == InventorySnapshot::Reach::Live;
    m_age->setVisible(!isLive || node->lastSeenMs);
    m_age->setText(tr("As last seen %1.").arg(Quantity::ago(node->lastSeenMs.value_or(cluster->takenAtMs), now)));
    std::vector<TaskState> tasks;
    for (const auto &task : cluster->tasks)
        if (task.upid.node == node->name.text())
            tasks.push_back(task);
    m_guests->show(cluster, node->name);
    m_tasks->show(tasks, now);
    m_about->set(tr("Guests"), QString::number(m_guests->model()->rowCount()));
    showFacts(*node);
}

void NodePage::showFacts(const NodeState &node)
{
    const auto used = [this](const QString &name, const std::optional<qint64> &part,
                             const std::optional<qint64> &whole) {
        const bool isKnown = part && whole && *whole > 0;
        m_load->set(name, isKnown ? Quantity::bytesOf(*part, *whole) : Quantity::bytes(whole));
        m_load->setBar(name, isKnown ? static_cast<double>(*part) / static_cast<double>(*whole) : -1);
    };
    m_load->set(tr("CPU"), !node.cpu   ? Quantity::unknown()
                           : node.cpus ? tr("%1 of %2 cores").arg(Quantity::share(*node.cpu)).arg(*node.cpus)
                                       : Quantity::share(*node.cpu));
    m_load->setBar(tr("CPU"), node.cpu.value_or(-1));
    used(tr("Memory"), node.memory, node.maxMemory);
    used(tr("Root disk"), node.disk, node.maxDisk);
    m_about->set(tr("Up for"), node.uptime ? Quantity::duration(*node.uptime) : Quantity::unknown());
}

void NodePage::ask()
{
    const auto cluster = m_inventory.snapshot(m_selection.remote);
    const auto *node = cluster ? cluster->node(m_selection.node) : nullptr;
    if (!node || node->status != NodeState::Status::Online || cluster->reach != InventorySnapshot::Reach::Live ||
        !isVisible())
        return;
    const auto asked = m_selection;
    m_calls.read(QStringLiteral("node.status"),
                 {{QStringLiteral("node"), QString(asked.remote + u':' + asked.node.text())}}, this,
                 [this, asked](const Result<QJsonValue> &answer) {
                     if (asked != m_selection || !answer)
                         return;
                     m_status = answer->toObject();
                     showStatus();
                 });
}

void NodePage::showStatus()
{
    const auto text = [](const QJsonValue &value) {
        return DisplayText::visible(PveValue::text(value).value_or(QString()));
    };
    const auto cpu = m_status[QLatin1String("cpuinfo")].toObject();
    m_about->set(tr("Proxmox VE"), text(m_status[QLatin1String("pveversion")]));
    m_about->set(tr("Kernel"), text(m_status[QLatin1String("current-kernel")].toObject()[QLatin1String("release")]));
    m_about->set(tr("Processor"), text(cpu[QLatin1String("model")]));
    QStringList load;
    for (const auto &value : m_status[QLatin1String("loadavg")].toArray())
        load << text(value);
    m_load->set(tr("Load average"), load.join(QStringLiteral(" · ")));
}

void NodePage::showEvent(QShowEvent *)
{
    refresh();
    ask();
    m_again.start();
}

void NodePage::hideEvent(QHideEvent *)
{
    m_again.stop();
}
