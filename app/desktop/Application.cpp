#include "Application.h"
#include "activity/ActivityDock.h"
#include "approval/ApprovalDialog.h"
#include "approval/ApprovalQueue.h"
#include "base/DisplayText.h"
#include "demo/DemoCluster.h"
#include "demo/DemoSecrets.h"
#include "instance/SingleInstance.h"
#include "notes/AuditNote.h"
#include "operations/OperationDialog.h"
#include "operations/OperationForm.h"
#include "operations/PersonCalls.h"
#include "operations/PlanDialog.h"
#include "pages/agents/AgentsPage.h"
#include "pages/cluster/ClusterPage.h"
#include "pages/connect/ConnectDialog.h"
#include "pages/connect/ConnectForm.h"
#include "pages/connect/ConnectPage.h"
#include "pages/connect/ConnectionsDialog.h"
#include "pages/connect/SecondFactorDialog.h"
#include "pages/guest/GuestPage.h"
#include "pages/inventory/InventoryPage.h"
#include "pages/node/NodePage.h"
#include "pages/storage/StoragePage.h"
#include "pages/timeline/TimelinePage.h"
#include "pve/Session.h"
#include "shell/MainWindow.h"
#include "shell/Palette.h"
#include "shell/SearchIndex.h"
#include "shell/StatusFeed.h"
#include "shell/TopBar.h"
#include "widgets/Toast.h"
#include "widgets/Wording.h"
#include <QDir>
#include <QProcess>
#include <QSettings>
#include <QStackedWidget>

static std::unique_ptr<SecretStore> usualSecrets(bool isDemo)
{
    if (isDemo)
        return std::make_unique<DemoSecrets>();
    return std::make_unique<KeychainStore>(QStringLiteral("Labhelm"));
}

Folders Application::foldersOf(const CommandLine &line)
{
    if (line.dataFolder.isEmpty())
        return Folders::ofThisUser(line.isDemo);
    const auto base = QDir(line.dataFolder).absolutePath() + (line.isDemo ? QStringLiteral("/demo") : QString());
    return {.config = base + QStringLiteral("/config"),
            .data = base + QStringLiteral("/data"),
            .socket = base + QStringLiteral("/run")};
}

Application::Application(CommandLine line, std::unique_ptr<SecretStore> secrets)
    : m_line(std::move(line)), m_folders(foldersOf(m_line)), m_secrets(std::move(secrets)),
      m_instance(std::make_unique<SingleInstance>(m_folders.data, m_folders.socket + QStringLiteral("/window"))),
      m_window(std::make_unique<MainWindow>(m_line.isDemo)),
      m_approvals(std::make_unique<ApprovalQueue>(m_window.get()))
{
}

/// Calls end first, then the window with its pages, then what answered them.
Application::~Application()
{
    if (m_engine)
        m_engine->stop();
    m_window.reset();
    m_approvals.reset();
    m_calls.reset();
}

Result<> Application::start()
{
    if (auto taken = m_instance->take(); !taken)
        return taken;
    if (!m_secrets)
        m_secrets = usualSecrets(m_line.isDemo);
    m_engine = std::make_unique<Engine>(EngineParts{
        .folders = m_folders, .isDemo = m_line.isDemo, .secrets = std::move(m_secrets), .approver = m_approvals.get()});
    m_calls = std::make_unique<PersonCalls>(*m_engine->executor);
    m_plan = new PlanDialog(*m_calls, m_window.get());
    buildPages();
    connectWindow();
    connectApprovals();
    connectAgents();
    connectSessions();
    for (const auto &trouble : m_engine->open())
        say(trouble, {}, true);
    showHome();
    const QSettings settings(m_folders.config + QStringLiteral("/window.ini"), QSettings::IniFormat);
    m_window->restore(settings);
    m_inventoryPage->restore(settings);
    if (m_line.isDemo)
        startDemo();
    m_window->show();
    m_status->verify();
    return {};
}

void Application::buildPages()
{
    auto &engine = *m_engine;
    m_status = new StatusFeed(m_window->statusBar(), engine.inventory, *engine.connections, *engine.audit,
                              *engine.query, *engine.mcp, m_window.get());
    m_inventoryPage = new InventoryPage(engine.inventory);
    auto *node = new NodePage(engine.inventory, *m_calls);
    auto *cluster = new ClusterPage(engine.inventory);
    m_guestPage = new GuestPage(engine.inventory, *m_calls);
    m_inventoryPage->setDetail(Selection::Kind::Guest, m_guestPage);
    m_inventoryPage->setDetail(Selection::Kind::Node, node);
    m_inventoryPage->setDetail(Selection::Kind::Remote, cluster);
    m_inventoryPage->setDetail(Selection::Kind::Storage, new StoragePage(engine.inventory));
    m_inventoryPage->setDock(new ActivityDock(engine.inventory, *m_calls));
    connect(node, &NodePage::guestChosen, m_inventoryPage, &InventoryPage::select);
    connect(cluster, &ClusterPage::guestChosen, m_inventoryPage, &InventoryPage::select);
    m_window->addPage(QStringLiteral("inventory"), tr("Inventory"), makeHome());
    m_window->addPage(QStringLiteral("timeline"), tr("Timeline"), makeTimeline());
    m_window->addPage(QStringLiteral("agents"), tr("Agents"), makeAgents());
    auto *ofGuest = makeTimeline();
    m_guestPage->addTab(tr("Timeline"), ofGuest,
                        [ofGuest](const QString &key, const QString &label) { ofGuest->showTarget(key, label); });
}

QWidget *Application::makeHome()
{
    auto &engine = *m_engine;
    m_home = new QStackedWidget;
    m_home->addWidget(m_inventoryPage);
    m_inventoryPage->setConnectable(!engine.isDemo);
    connect(m_inventoryPage, &InventoryPage::connectAsked, this, &Application::connectCluster);
    connect(m_inventoryPage, &InventoryPage::connectionsAsked, this, &Application::manageConnections);
    auto *connecting = new ConnectPage(engine.remotes, *engine.secrets, *engine.audit);
    connect(&connecting->form(), &ConnectForm::demoAsked, this, &Application::startDemoProgram);
    m_home->addWidget(connecting);
    connect(&engine.remotes, &RemoteList::added, m_home, [this] { showHome(); });
    connect(&engine.remotes, &RemoteList::removed, m_home, [this] { showHome(); });
    return m_home;
}

void Application::showHome()
{
    m_home->setCurrentIndex(m_engine->isDemo || !m_engine->remotes.all().empty() ? 0 : 1);
}

void Application::connectCluster()
{
    auto &engine = *m_engine;
    auto *dialog = new ConnectDialog(engine.remotes, *engine.secrets, *engine.audit, m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ConnectDialog::demoAsked, this, &Application::startDemoProgram);
    dialog->open();
}

void Application::manageConnections()
{
    auto &engine = *m_engine;
    auto *dialog = new ConnectionsDialog(
        {engine.remotes, *engine.secrets, *engine.audit, engine.inventory, *engine.connections}, m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ConnectionsDialog::connectAsked, this, &Application::connectCluster);
    dialog->open();
}

/// A session that waits for a code must not wait unseen.
void Application::connectSessions()
{
    connect(m_engine->connections.get(), &Connections::sessionChanged, m_window.get(), [this](const QString &id) {
        QMetaObject::invokeMethod(
            m_window.get(), [this, id] { askForCode(id); }, Qt::QueuedConnection);
    });
}

void Application::askForCode(const QString &remoteId)
{
    auto *open = m_engine->connections ? m_engine->connections->find(remoteId) : nullptr;
    if (!open || open->session().state() != Session::State::NeedsSecondFactor ||
        open->session().secondFactor()->kinds.isEmpty())
        return;
    for (const auto *asking : m_window->findChildren<SecondFactorDialog *>())
        if (asking->remoteId() == remoteId)
            return;
    auto *dialog = new SecondFactorDialog(*m_engine->connections, remoteId, m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SecondFactorDialog::answered, this, [this](const QString &id) { m_engine->links->refresh(id); });
    dialog->open();
}

/// The demo is a program of its own, with its own data, so that it cannot be mistaken for what is real.
void Application::startDemoProgram()
{
    if (!QProcess::startDetached(QCoreApplication::applicationFilePath(), {QStringLiteral("--demo")}))
        say(tr("The demo could not be started."), {}, true);
}

AgentsPage *Application::makeAgents()
{
    auto &engine = *m_engine;
    return new AgentsPage({.agents = *engine.agents,
                           .server = *engine.mcp,
                           .policy = engine.policy,
                           .grants = engine.grants,
                           .limits = engine.limits,
                           .executor = *engine.executor,
                           .queue = *m_approvals,
                           .log = *engine.audit,
                           .clock = engine.clock,
                           .isDemo = engine.isDemo,
                           .bridge = QCoreApplication::applicationDirPath() + QStringLiteral("/labhelm-mcp"),
                           .isUsualPlace = m_line.dataFolder.isEmpty()});
}

TimelinePage *Application::makeTimeline()
{
    auto *timeline = new TimelinePage(*m_engine->query, *m_engine->audit, *m_engine->executor);
    connect(timeline, &TimelinePage::reviewAsked, m_approvals.get(), &ApprovalQueue::review);
    connect(timeline, &TimelinePage::chainVerified, m_status, &StatusFeed::sayChain);
    return timeline;
}

void Application::connectWindow()
{
    auto &engine = *m_engine;
    connect(m_instance.get(), &SingleInstance::raiseAsked, m_window.get(), &MainWindow::bringToFront);
    connect(m_window.get(), &MainWindow::pauseAsked, engine.executor.get(), &Executor::setPaused);
    connect(engine.executor.get(), &Executor::pausedChanged, m_window.get(), &MainWindow::showPaused);
    connect(m_window.get(), &MainWindow::activeChanged, this, [this](bool active) {
        if (m_engine->links)
            m_engine->links->setActive(active);
    });
    connect(m_window.get(), &MainWindow::closeAsked, this, &Application::end, Qt::QueuedConnection);
    auto &toasts = m_window->toasts();
    connect(m_calls.get(), &PersonCalls::noticed, &toasts, &ToastCorner::show);
    connect(&toasts, &ToastCorner::undoAsked, m_calls.get(), &PersonCalls::undo);
    connect(&engine, &Engine::troubled, this, [this](const QString &what) { say(what, {}, true); });
    connect(&engine, &Engine::recovered, this, [this](int calls) {
        say(tr("An earlier run of Labhelm ended in the middle of %1 changes; how they went was found out.").arg(calls),
            tr("The timeline has them."), false);
    });
    m_window->search().setSource([this](const QStringList &words) { return search(words); });
}

void Application::connectApprovals()
{
    auto *approvals = m_approvals.get();
    connect(approvals, &ApprovalQueue::countChanged, m_window.get(), [this](int count) {
        m_window->topBar().setBadge(QStringLiteral("agents"), count, tr("%1 waiting for you").arg(count));
    });
    connect(approvals, &ApprovalQueue::asked, m_window.get(), [this](const ApprovalRequest &request) {
        Notice notice;
        notice.text = tr("%1 asks: %2")
                          .arg(Wording::actor(request.actor), request.plan ? DisplayText::visible(request.plan->intent)
                                                                           : request.operation->title.translated());
        notice.detail = tr("It waits until you answer. No answer means no.");
        notice.tone = Tone::Amber;
        notice.reviews = request.callId;
        m_window->toasts().show(notice);
    });
    connect(&m_window->toasts(), &ToastCorner::reviewAsked, approvals, &ApprovalQueue::review);
    connect(m_engine->executor.get(), &Executor::changed, m_window.get(), [this](const ExecutionInfo &info) {
        if (info.state != CallState::Waiting)
            m_window->toasts().dismissReview(info.callId);
    });
}

void Application::connectAgents()
{
    auto &engine = *m_engine;
    const auto note = [&engine](const QString &text) {
        const auto written = engine.audit->append(AuditNote::of(Actor::labhelm(), text));
        Q_UNUSED(written) // what the door tells is not worth stopping for
    };
    connect(engine.agents.get(), &PairedAgents::programChanged, m_window.get(),
            [note](const PairedAgent &agent, const QString &before) {
                note(tr("%1 is another program now: %2 (before: %3)").arg(agent.name, agent.program, before));
            });
    connect(engine.mcp.get(), &McpServer::pairingRequested, m_window.get(), [this] {
        say(tr("An unknown program wants to connect."), tr("It can do nothing. The Agents page shows which it is."),
            false);
    });
}

void Application::startDemo()
{
    const auto cached = m_engine->cache->load(DemoCluster::remoteId, QStringLiteral("homelab"));
    Q_UNUSED(cached) // the first demo has none
    m_demo = std::make_unique<DemoCluster>();
    connect(m_demo.get(), &DemoCluster::ready, this, [this](const Remote &remote, const Secret &token) {
        const auto kept = m_engine->secrets->write(remote.secretKey(), token);
        Q_UNUSED(kept) // the demo's store always takes it
        m_engine->links->open(remote);
    });
    connect(m_demo.get(), &DemoCluster::failed, this, [this](const QString &why) { say(why, {}, true); });
    connect(m_demo.get(), &DemoCluster::ended, this,
            [this] { say(tr("The demo cluster has ended."), tr("Start Labhelm again for a new one."), true); });
    m_demo->start(m_line.simulator.isEmpty() ? DemoCluster::besideThisProgram() : m_line.simulator);
}

void Application::say(const QString &text, const QString &detail, bool isBad)
{
    Notice notice;
    notice.text = text;
    notice.detail = detail;
    notice.tone = isBad ? Tone::Red : Tone::Neutral;
    notice.staysOpen = isBad;
    m_window->toasts().show(notice);
}

void Application::end()
{
    if (std::exchange(m_isEnding, true))
        return;
    QSettings settings(m_folders.config + QStringLiteral("/window.ini"), QSettings::IniFormat);
    m_window->save(settings);
    m_inventoryPage->save(settings);
    if (m_demo)
        m_demo->disconnect(this);
    m_engine->stop();
    m_window.reset(); // its pages must not ask what is gone
    m_engine->end([this] { QMetaObject::invokeMethod(this, &Application::ended, Qt::QueuedConnection); });
}

/// What is selected in the tree is filled in where the operation must be told such a thing.
void Application::ask(const Operation &operation)
{
    const auto &selected = m_inventoryPage->selection();
    const auto on = selected.remote + u':';
    const auto node = on + selected.node.text();
    QHash<QString, QString> known;
    if (selected.kind == Selection::Kind::Guest)
        known = {{QStringLiteral("guest"), on + selected.vmid.text()},
                 {QStringLiteral("place"), on + selected.vmid.text()}};
    else if (selected.kind == Selection::Kind::Node)
        known = {{QStringLiteral("node"), node}, {QStringLiteral("place"), node}};
    else if (selected.kind == Selection::Kind::Storage)
        known = {{QStringLiteral("storage"), (selected.node.isEmpty() ? on : node + u'/') + selected.storage.text()}};
    auto *dialog = new OperationDialog(operation, {}, {}, {}, *m_calls, m_window.get());
    for (const auto &parameter : operation.parameters)
        if (const auto value = known.value(QLatin1String(parameter.name)); parameter.required && !value.isEmpty())
            dialog->form().setPresent(QLatin1String(parameter.name), value);
    dialog->open();
}

std::vector<PaletteEntry> Application::search(const QStringList &words)
{
    SearchIndex index(words);
    for (const auto &id : m_window->pages())
        index.offer(m_window->topBar().text(id), tr("page"), Mark::None, [this, id] { m_window->showPage(id); });
    if (m_window->currentPage() == QLatin1String("inventory") &&
        m_inventoryPage->selection().kind == Selection::Kind::Guest)
        for (auto *action : m_guestPage->actionsNow())
            index.offer(action->text(), m_guestPage->view().ref().label(), Mark::None, [action] { action->trigger(); });
    if (const auto steps = m_calls->draft().steps().size(); steps > 0)
        index.offer(tr("Plan"), tr("%n steps", nullptr, int(steps)), Mark::None, [this] { m_plan->show(); });
    for (const auto &operation : m_engine->catalogue.all())
        if (operation->id != QLatin1String("undo.apply")) // the timeline offers it where it fits
            index.offer(
                operation->title.translated(), operation->isRead() ? tr("look up") : tr("action"), Mark::None,
                [this, what = operation.get()] { ask(*what); }, operation->id);
    if (!m_engine->isDemo)
        index.offer(tr("Connect to a cluster…"), tr("action"), Mark::None, [this] { connectCluster(); });
    index.offerInventory(m_engine->inventory, [this](const Selection &selection) {
        m_window->showPage(QStringLiteral("inventory"));
        m_inventoryPage->select(selection);
    });
    return index.best();
}
