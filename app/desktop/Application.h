#pragma once
#include "CommandLine.h"
#include "Engine.h"
#include <memory>

class ActivityDock;
class AgentsPage;
class DemoCluster;
class GuestPage;
class InventoryPage;
class MainWindow;
class PersonCalls;
class PlanDialog;
class QStackedWidget;
class SingleInstance;
class StatusFeed;
class TimelinePage;
class ApprovalQueue;
struct Notice;
struct PaletteEntry;

/// The composition root: builds the window and every service once, hands them down as references, and takes them apart
/// in the right order.
class Application : public QObject
{
    Q_OBJECT
public:
    /// `secrets`: where they are kept; none = the keyring, or for the demo what DemoSecrets says.
    explicit Application(CommandLine line, std::unique_ptr<SecretStore> secrets = {});
    ~Application() override;

    /// Takes the folders, reads what is kept and shows the window. Conflict: another instance runs and was raised.
    Result<> start();
    MainWindow &window() { return *m_window; }
    Engine &engine() { return *m_engine; }
    PersonCalls &calls() { return *m_calls; }
    ApprovalQueue &approvals() { return *m_approvals; }
    InventoryPage &inventoryPage() { return *m_inventoryPage; }
    /// Opens the dialog that connects another cluster.
    void connectCluster();
    /// Opens the list of connections.
    void manageConnections();
    /// Where everything of this run is kept.
    static Folders foldersOf(const CommandLine &line);

Q_SIGNALS:
    /// The window was closed and everything has ended.
    void ended();

private:
    void buildPages();
    QWidget *makeHome();
    void showHome();
    AgentsPage *makeAgents();
    TimelinePage *makeTimeline();
    void connectWindow();
    void connectApprovals();
    void connectAgents();
    void connectSessions();
    void askForCode(const QString &remoteId);
    void startDemo();
    void startDemoProgram();
    void say(const QString &text, const QString &detail, bool isBad);
    void end();
    std::vector<PaletteEntry> search(const QStringList &words);
    void ask(const Operation &operation);

    const CommandLine m_line;
    const Folders m_folders;
    std::unique_ptr<SecretStore> m_secrets; ///< until the engine has them
    std::unique_ptr<SingleInstance> m_instance;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<ApprovalQueue> m_approvals;
    std::unique_ptr<DemoCluster> m_demo;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<PersonCalls> m_calls;
    PlanDialog *m_plan = nullptr;
    StatusFeed *m_status = nullptr;
    QStackedWidget *m_home = nullptr; ///< the inventory, or the way to connect while nothing is known
    InventoryPage *m_inventoryPage = nullptr;
    GuestPage *m_guestPage = nullptr;
    bool m_isEnding = false;
};
