#include "pages/guest/GuestPage.h"
#include "base/Clock.h"
#include "base/DisplayText.h"
#include "inventory/Inventory.h"
#include "operations/PersonCalls.h"
#include "pages/guest/AboutCard.h"
#include "pages/guest/GuestActions.h"
#include "pages/guest/GuestHeader.h"
#include "pages/guest/GuestSummary.h"
#include "pages/guest/SnapshotsTab.h"
#include "widgets/TaskTable.h"
#include "widgets/Words.h"
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

using namespace std::chrono_literals;

GuestPage::GuestPage(Inventory &inventory, PersonCalls &calls, QWidget *parent)
    : DetailPage(parent), m_inventory(inventory), m_calls(calls), m_header(new GuestHeader(this)),
      m_actions(new GuestActions(calls, this)), m_tabs(new QTabWidget(this)), m_summary(new GuestSummary(calls, this)),
      m_snapshots(new SnapshotsTab(calls, this)), m_tasks(new TaskTable(this)),
      m_gone(Words::muted(tr("This guest is no longer there."), this))
{
    setObjectName(QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    auto *head = new QVBoxLayout;
    head->setContentsMargins(18, 12, 18, 4);
    head->setSpacing(10);
    head->addWidget(m_header);
    head->addWidget(m_actions);
    m_tabs->setAccessibleName(tr("Parts of this guest"));
    m_tabs->addTab(m_summary, tr("Summary"));
    m_tabs->addTab(m_snapshots, tr("Snapshots"));
    m_tabs->addTab(m_tasks, tr("Tasks"));
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setDrawBase(false);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(6);
    all->addLayout(head);
    all->addWidget(m_tabs, 1);
    all->addWidget(m_gone, 1, Qt::AlignCenter);
    m_gone->hide();
    connect(&m_summary->about(), &AboutCard::editNotesAsked, m_actions, &GuestActions::editNotes);
    connect(m_snapshots, &SnapshotsTab::takeAsked, m_actions, &GuestActions::takeSnapshot);
    connect(m_snapshots, &SnapshotsTab::listed, this, [this](const QJsonArray &snapshots) {
        m_summary->about().showSnapshots(snapshots, Clock::system().wallMs());
    });
    connect(&m_inventory, &Inventory::changed, this, [this](const QString &remote) {
        if (remote == m_selection.remote)
            refresh();
    });
    connect(&m_calls.executor(), &Executor::clusterChanged, this, [this](const QString &remote) {
        if (remote == m_selection.remote)
            ask();
    });
    m_again.setInterval(15s);
    connect(&m_again, &QTimer::timeout, this, &GuestPage::ask);
}

void GuestPage::addTab(const QString &title, QWidget *tab,
                       std::function<void(const QString &, const QString &)> showTarget)
{
    m_tabs->addTab(tab, title);
    m_others.push_back(std::move(showTarget));
}

void GuestPage::show(const Selection &selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    m_view = {};
    m_isAsking = false;
    refresh();
    ask();
}

QList<QAction *> GuestPage::actionsNow() const
{
    return m_view.cluster ? m_actions->actionsNow() : QList<QAction *>();
}

/// Takes what the inventory knows now; no request is made.
void GuestPage::refresh()
{
    const auto cluster = m_inventory.snapshot(m_selection.remote);
    const auto *guest = cluster ? cluster->guest(m_selection.vmid) : nullptr;
    m_gone->setVisible(!guest);
    for (auto *part : std::initializer_list<QWidget *>{m_header, m_actions, m_tabs})
        part->setVisible(guest != nullptr);
    if (!guest) {
        m_view = {};
        return;
    }
    const bool isNews = !m_view.cluster || guest->power != m_view.guest.power || guest->lock != m_view.guest.lock ||
                        guest->node != m_view.guest.node;
    const bool wasLive = m_view.isLive();
    m_view.cluster = cluster;
    m_view.guest = *guest;
    spread();
    if ((isNews || !wasLive) && m_view.isLive())
        ask();
}

void GuestPage::spread()
{
    m_header->show(m_view, Clock::system().wallMs());
    m_actions->show(m_view);
    m_summary->show(m_view);
    m_snapshots->show(m_view);
    m_tasks->show(tasksOfGuest(), Clock::system().wallMs());
    if (std::exchange(m_toldKey, m_view.key()) != m_view.key())
        for (const auto &showTarget : m_others)
            showTarget(m_view.key(), m_view.ref().label());
}

/// Asks the guest itself; one question at a time.
void GuestPage::ask()
{
    if (!m_view.isLive() || m_view.guest.power == GuestState::Power::Unknown || !isVisible() || m_isAsking)
        return;
    m_isAsking = true;
    const auto asked = m_selection;
    m_calls.read(QStringLiteral("guest.get"), {{QStringLiteral("guest"), m_view.key()}}, this,
                 [this, asked](const Result<QJsonValue> &answer) {
                     if (asked != m_selection || !m_view.cluster)
                         return;
                     m_isAsking = false;
                     if (answer)
                         m_view.answer = answer->toObject();
                     m_view.problem = answer ? QString() : DisplayText::visible(answer.error().message);
                     spread();
                 });
    m_snapshots->load();
}

std::vector<TaskState> GuestPage::tasksOfGuest() const
{
    std::vector<TaskState> all;
    for (const auto &task : m_view.cluster->tasks)
        if (task.upid.id == m_view.guest.vmid.text())
            all.push_back(task);
    return all;
}

void GuestPage::showEvent(QShowEvent *)
{
    ask();
    m_again.start();
}

void GuestPage::hideEvent(QHideEvent *)
{
    m_again.stop();
}
